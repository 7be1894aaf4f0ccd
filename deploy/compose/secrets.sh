#!/bin/sh
# Makes the secrets of compose.yaml in deploy/compose/secrets, and carillon.env for your settings. Never overwrites a file.
# Passwords that an earlier version of this script wrote to .env are kept.
set -eu
cd "$(dirname "$0")/../.."
umask 077
folder=deploy/compose/secrets
random() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }
earlier() { [ ! -e .env ] || sed -n "s/^$1=//p" .env | head -n 1; }
# Writes a secret unless it is there: a name, its name in .env, and a new value.
make() {
  [ ! -e "$folder/$1" ] || return 0
  value=$(earlier "$2")
  printf '%s' "${value:-$3}" > "$folder/$1"
  # Containers read it as users of their own; the folder keeps other users of this machine out.
  chmod 644 "$folder/$1"
  made=yes
}
if [ ! -e carillon.env ]; then
  cat > carillon.env <<'END'
# Settings of Carillon, NAME=value a line (docs/settings.md). Without a carrier the sandbox runs.
PUBLIC_URL=http://localhost:8080
# SMPP_URL='smpp://systemId:password@smsc.example.net:2775?window=100'
END
  echo "carillon.env: your settings go here"
fi
mkdir -p "$folder"
chmod 700 "$folder"
made=no
make database_password CARILLON_DATABASE_PASSWORD "$(random 24 | tr '+/' '-_')"
make database_url '' "postgres://carillon:$(cat "$folder/database_password")@postgres/carillon"
make grafana_password CARILLON_GRAFANA_PASSWORD "$(random 18 | tr '+/' '-_')"
make secret_key CARILLON_SECRET_KEY "$(random 32)"
if [ "$made" = no ]; then
  echo "$folder has the secrets already; nothing was changed"
else
  echo "$folder: the secrets were made. Keep a copy of secret_key apart from the backups of the database."
fi
