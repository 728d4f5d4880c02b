#!/bin/sh
# Find Chromium for the browser tests, or install Debian's where we may. Never fails: without a
# browser those tests skip and say so (under CI a skip is a failure).
if [ -n "$CHROMIUM" ] || command -v chromium >/dev/null 2>&1; then exit 0; fi
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "Installing Debian's chromium for the browser tests …"
    (apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium) \
        >/dev/null 2>&1 || echo "Chromium could not be installed."
else
    echo "No Chromium here: the browser tests will be skipped (install it, or set CHROMIUM=/path)."
fi
exit 0
