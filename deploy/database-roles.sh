#!/bin/sh
# Creates the login roles of the api and the worker. Runs once, when the PostgreSQL image initializes an empty database.
# `nimo database prepare` grants their privileges.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set api="$NIMO_API_PASSWORD" --set worker="$NIMO_WORKER_PASSWORD" <<'SQL'
CREATE ROLE nimo_api LOGIN PASSWORD :'api';
CREATE ROLE nimo_worker LOGIN PASSWORD :'worker';
SQL
