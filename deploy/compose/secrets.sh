#!/bin/sh
# Makes the passwords of compose.yaml in .env, and carillon.env for settings of yours. Never overwrites what is there.
set -eu
cd "$(dirname "$0")/../.."
umask 077
random() { head -c "$1" /dev/urandom | base64 | tr -d '\n'; }
if [ ! -e carillon.env ]; then
  cat > carillon.env <<'END'
# Settings of Carillon, NAME=value a line (docs/settings.md). Without a carrier the sandbox runs.
PUBLIC_URL=http://localhost:8080
# SMPP_URL=smpp://systemId:password@smsc.example.net:2775?window=100
END
  echo "carillon.env: settings of yours go here"
fi
if grep -qs '^CARILLON_SECRET_KEY=' .env; then
  echo ".env has the secrets already; nothing was changed"
  exit 0
fi
cat >> .env <<END
CARILLON_DATABASE_PASSWORD=$(random 24 | tr '+/' '-_')
CARILLON_GRAFANA_PASSWORD=$(random 18 | tr '+/' '-_')
CARILLON_SECRET_KEY=$(random 32)
END
echo ".env: the secrets were made. Keep a copy of CARILLON_SECRET_KEY apart from the backups of the database."
