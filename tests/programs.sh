#!/bin/sh
# Find the programs the tests play with, or install Debian's where we may: Chromium, and if it may be
# had the one without windows, which takes half the time; Firefox, WebKitGTK and a screen reader on a
# desktop that nobody sees; the text browsers w3m, lynx, links and elinks; Dillo, and links with its
# graphics; nginx and Caddy; a C compiler; espeak-ng, which reads aloud; and Java, for the Nu HTML
# checker, which npm fetches into .venv (Debian has no package of it).
# Never fails: without one of them its tests skip and say so (under CI a skip is a failure).
PATH=$PATH:/usr/sbin
quick=chromium-headless-shell
version=26.9.27 # of the checker, and the SHA-256 of its file
sum=22f15dd39a33bed929d2a5c0cddf5946849a647eca9272bf4d5d00bc7e7a4d47
checker=.venv/vnu-$version.jar
here() { command -v "$1" >/dev/null 2>&1; }
missing() {
    if [ -z "$CHROMIUM" ]; then
        here chromium || echo chromium
        here "$quick" || echo "$quick"
    fi
    for name in w3m lynx links elinks dillo links2; do here "$name" || echo "$name"; done
    here firefox-esr || here firefox || echo firefox-esr
    here WebKitWebDriver || echo webkit2gtk-driver
    here Xvfb || echo xvfb
    for name in orca openbox xdotool; do here "$name" || echo "$name"; done
    here gsettings || echo libglib2.0-bin
    [ -x /usr/libexec/at-spi-bus-launcher ] || echo at-spi2-core
    here dbus-daemon || echo dbus
    here nginx || echo nginx-light
    here caddy || echo caddy
    here espeak-ng || echo espeak-ng
    here cc || here gcc || echo gcc libc6-dev
    here java || echo default-jre-headless
    [ -e "$checker" ] || here npm || echo npm
}
# Debian starts the servers it installs, on port 80, unless this file says no.
policy=/usr/sbin/policy-rc.d
start_nothing() {
    [ ! -e "$policy" ] || return
    trap 'rm -f "$policy"' EXIT
    trap 'exit 1' HUP INT TERM
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
}
fetch_checker() {
    if [ -e "$checker" ] || ! [ -d .venv ] || ! here npm; then return; fi
    echo "Fetching the Nu HTML checker for the tests …"
    folder=$(mktemp -d) || return
    (cd "$folder" && timeout 120 npm pack --silent "vnu-jar@$version" && tar xzf ./*.tgz) \
        >/dev/null 2>&1
    jar=$folder/package/build/dist/vnu.jar
    if echo "$sum  $jar" | sha256sum --check --status 2>/dev/null; then
        mv "$jar" "$checker"
    else
        echo "Not here: the Nu HTML checker (npm has no vnu-jar $version of this content)."
    fi
    rm -rf "$folder"
}
install() { DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$@" >/dev/null 2>&1; }
wanted=$(missing | tr '\n' ' ')
if [ -n "$wanted" ] && here apt-get && [ "$(id -u)" = 0 ]; then
    echo "Installing Debian's $wanted for the tests …"
    timeout 60 apt-get update -qq >/dev/null 2>&1
    start_nothing
    # All together takes less time; where one of them is not to be had, each by itself.
    # shellcheck disable=SC2086 # these are words
    install $wanted || for name in $wanted; do install "$name"; done
fi
fetch_checker
if here chromium; then quick=chromium; fi # it will do
wanted=$(missing | tr '\n' ' ')
if [ -n "$wanted" ]; then
    echo "Not here: $wanted– their tests will be skipped (install them; CHROMIUM=/path names another)."
fi
exit 0
