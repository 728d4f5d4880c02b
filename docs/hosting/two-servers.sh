#!/bin/sh
# Two Kaboom servers with two workers each, behind nginx, on this machine: http://127.0.0.1:8000/
#
#   DATABASE_URL=postgresql://… REDIS_URL=redis://… SECRET_KEY=… sh docs/hosting/two-servers.sh
#
# Kill, reload (HUP) or disconnect either of them, and play goes on. Ctrl-C stops everything.
set -eu
cd "$(dirname "$0")/../.."
: "${DATABASE_URL:?set it to a PostgreSQL database}" "${REDIS_URL:?set it to a Redis}"
: "${SECRET_KEY:?set it to 32 random characters or more}"
PORT=${PORT:-8000} FIRST=${FIRST:-8001} SECOND=${SECOND:-8002}
folder=${FOLDER:-$(mktemp -d)}
nginx=$(command -v nginx || echo /usr/sbin/nginx)

export DATABASE_URL REDIS_URL SECRET_KEY HOST=127.0.0.1 PROXIES=1 WEB_CONCURRENCY=2
.venv/bin/python -m kaboom migrate

for port in "$FIRST" "$SECOND"; do
    PORT=$port .venv/bin/gunicorn -c kaboom/gunicorn_conf.py --pid "$folder/$port.pid" kaboom.wsgi:app &
done
sed "s/:8001/:$FIRST/; s/:8002/:$SECOND/; s/:8000/:$PORT/" docs/hosting/nginx.conf > "$folder/nginx.conf"
"$nginx" -p "$folder" -c "$folder/nginx.conf" \
    -g "daemon off; pid $folder/nginx.pid; error_log stderr warn;" &

trap 'for file in "$folder"/*.pid; do kill "$(cat "$file")" 2>/dev/null || true; done; wait' INT TERM
echo "Kaboom is at http://127.0.0.1:$PORT/ (its files are in $folder)"
wait
