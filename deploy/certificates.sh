#!/bin/sh
# Creates the CA that the processes trust and the certificate of the event store, once. To use your own, put the files into the volumes
# (docs/deploying.md). The CA key is deleted, so no second certificate can be issued.
set -eu
umask 077
directory=${1:-/certificates}
authority=$directory/ca/ca.crt
node=$directory/node
[ -s "$authority" ] && [ -s "$node/node.key" ] && exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
openssl req -x509 -newkey rsa:3072 -nodes -sha256 -days 3650 -subj '/CN=Nimo event store authority' \
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,keyCertSign,cRLSign' \
  -keyout "$work/ca.key" -out "$work/ca.crt"
openssl req -new -newkey rsa:3072 -nodes -sha256 -subj '/CN=eventstoredb-node' -keyout "$work/node.key" -out "$work/node.csr"
cat > "$work/extensions" <<'END'
basicConstraints=critical,CA:FALSE
keyUsage=critical,digitalSignature,keyEncipherment
extendedKeyUsage=serverAuth,clientAuth
subjectAltName=DNS:eventstore,DNS:localhost,IP:127.0.0.1
END
openssl x509 -req -sha256 -days 3650 -in "$work/node.csr" -CA "$work/ca.crt" -CAkey "$work/ca.key" -CAcreateserial \
  -extfile "$work/extensions" -out "$work/node.crt"

mkdir -p "$directory/ca" "$node"
cp "$work/node.crt" "$work/node.key" "$node/"
# Copied last, because its presence marks the work as done. The CA is public; only the store's user may read the node's key.
cp "$work/ca.crt" "$authority"
chmod 755 "$directory/ca" "$node"
chmod 644 "$authority" "$node/node.crt"
if [ "$(id -u)" = 0 ]; then chown -R 1000:1000 "$node"; fi
chmod 400 "$node/node.key"
