#!/bin/sh
# Lays out the file system of the container image in a new folder: the static
# binary, with every kind of bucket, a folder for data and one for temporary files. The Dockerfile runs
# this, and deploy/try.sh.
set -eu
root=${1:?usage: rootfs.sh FOLDER}
: "${GO:=go}" "${TAGS=clouds,disable_grpc_modules}" "${VERSION:=$(git describe --tags --always --dirty 2>/dev/null || echo devel)}"
user=65532 # nobody's, as in other images without users

mkdir -p "$root/tmp" "$root/data" "$root/etc"
CGO_ENABLED=0 "$GO" build -trimpath -tags "$TAGS" -ldflags "-s -w -X proflens/command.release=$VERSION" -o "$root/proflens" .
printf 'proflens:x:%s:%s::/data:/nologin\n' "$user" "$user" >"$root/etc/passwd"
chmod 1777 "$root/tmp"
chmod 700 "$root/data"
chown "$user:$user" "$root/data"
