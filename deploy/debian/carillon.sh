#!/bin/sh
# The command line of Carillon, with the settings of the service. Root becomes the user carillon, to whom the data belongs: files that
# root created there would be unreadable for the service.
set -eu
program=/usr/lib/carillon
settings=/etc/carillon/carillon.env
if [ "$(id -u)" -eq 0 ]; then
    # The audit log names the person who runs the command.
    export SUDO_USER="${SUDO_USER:-root}" HOME=/var/lib/carillon
    exec setpriv --reuid=carillon --regid=carillon --init-groups -- "$0" "$@"
fi
if [ ! -r "$settings" ]; then
    echo "carillon: this user cannot read $settings: run the command as root (sudo carillon ...)" >&2
    exit 1
fi
# Node reads this one before the file of --env-file.
authorities=$(sed -n 's/^NODE_EXTRA_CA_CERTS=//p' "$settings" | tail -n 1 | tr -d "'\"")
if [ -n "$authorities" ]; then
    export NODE_EXTRA_CA_CERTS="${NODE_EXTRA_CA_CERTS:-$authorities}"
fi
exec "$program/bin/node" --max-semi-space-size=32 --heap-growing-percent=80 \
    --env-file="$program/defaults.env" --env-file="$settings" "$program/server/carillon.js" "$@"
