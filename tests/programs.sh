#!/bin/sh
# Find the programs the tests play with, or install Debian's where we may: Chromium, the text
# browsers w3m, lynx, links and elinks, nginx, and a C compiler. Never fails: without one of them
# its tests skip and say so (under CI a skip is a failure).
PATH=$PATH:/usr/sbin
missing() {
    if [ -z "$CHROMIUM" ]; then command -v chromium >/dev/null 2>&1 || echo chromium; fi
    for name in w3m lynx links elinks; do command -v "$name" >/dev/null 2>&1 || echo "$name"; done
    command -v nginx >/dev/null 2>&1 || echo nginx-light
    command -v cc >/dev/null 2>&1 || command -v gcc >/dev/null 2>&1 || echo gcc libc6-dev
}
wanted=$(missing | tr '\n' ' ')
if [ -z "$wanted" ]; then exit 0; fi
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing Debian's $wanted for the tests …"
    apt-get update -qq >/dev/null 2>&1
    for name in $wanted; do
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$name" >/dev/null 2>&1
    done
fi
wanted=$(missing | tr '\n' ' ')
if [ -n "$wanted" ]; then
    echo "Not here: $wanted– their tests will be skipped (install them; CHROMIUM=/path names another)."
fi
exit 0
