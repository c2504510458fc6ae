#!/bin/sh
# Runs once, when the image of PostgreSQL makes an empty database: the roles as which the api and the worker log in.
# What each may do is given by: nimo database prepare
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  --set api="$NIMO_API_PASSWORD" --set worker="$NIMO_WORKER_PASSWORD" <<'SQL'
CREATE ROLE nimo_api LOGIN PASSWORD :'api';
CREATE ROLE nimo_worker LOGIN PASSWORD :'worker';
SQL
