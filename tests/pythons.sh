#!/bin/sh
# Run `make test` with another Debian and its Python, in a folder with a root of its own:
#   sh tests/pythons.sh                      all tests on Debian 13 (Python 3.13)
#   sh tests/pythons.sh tests/games     some of them, as does make test-pythons ARGS=…
# RELEASE=sid takes another release, FOLDER another place than /var/tmp/kaboom-<release>, COMMAND
# something else than `make test`. It needs root, debootstrap, and what apt has here: mirror, proxy,
# certificates and pip's settings are taken over. What is committed is tested; the folder stays, so
# that the next run begins at once.
set -eu
cd "$(dirname "$0")/.."
release=${RELEASE:-trixie}
folder=${FOLDER:-/var/tmp/kaboom-$release}
here() { command -v "$1" >/dev/null 2>&1; }

[ "$(id -u)" = 0 ] || { echo "Another Debian takes root: chroot and mount." >&2; exit 2; }
for program in debootstrap unshare apt-get; do
    here "$program" || { echo "$program is not here (Debian's package)." >&2; exit 2; }
done

# The first of apt's addresses of Debian itself, wherever apt reads it from.
mirror=${MIRROR:-$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' |
    grep -v -m1 -e security)}

if [ ! -e "$folder/etc/debian_version" ] || [ -e "$folder/debootstrap" ]; then
    echo "Fetching Debian's $release into $folder (once) …"
    debootstrap --variant=minbase --include=python3,python3-venv,git,make,ca-certificates \
        "$release" "$folder" "$mirror" >"$folder.log" 2>&1 || { tail -n 5 "$folder.log" >&2; exit 1; }
fi

# As this machine reaches its registries, so does that root.
take() { [ ! -e "$1" ] || { mkdir -p "$folder$(dirname "$1")" && cp -L "$1" "$folder$1"; }; }
take /etc/resolv.conf
take /etc/hosts
take /etc/ssl/certs/ca-certificates.crt
take /etc/pip.conf
take /root/.config/pip/pip.conf
apt-config dump Acquire | grep -Ei '::(proxy|check-|verify-|cainfo|sslcert)' \
    >"$folder/etc/apt/apt.conf.d/99as-outside" || true

# Its own copy of what is committed.
if [ ! -e "$folder/kaboom/.git" ]; then
    git clone --quiet --no-hardlinks . "$folder/kaboom"
fi
git -C "$folder/kaboom" fetch --quiet "$PWD" HEAD
git -C "$folder/kaboom" reset --quiet --hard FETCH_HEAD

# The mounts are seen by nobody else, and gone at the end; so is every process started inside.
export FOLDER="$folder" ARGS="${*:-${ARGS:-}}" COMMAND="${COMMAND:-make test}"
# shellcheck disable=SC2016 # these are expanded inside
exec unshare --mount --pid --fork --kill-child sh -c '
    set -e
    mount --bind "$FOLDER" "$FOLDER"  # a root that is a mount: unshare inside asks for one
    mount -t proc proc "$FOLDER/proc"
    mount --rbind /sys "$FOLDER/sys"
    mount --rbind /dev "$FOLDER/dev"
    export HOME=/root LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
    unset TMPDIR VIRTUAL_ENV MAKEFLAGS MFLAGS MAKELEVEL
    exec chroot "$FOLDER" sh -c "cd /kaboom && python3 --version && $COMMAND"
'
