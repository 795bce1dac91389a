#!/bin/sh
# Checks deploy/ as far as that goes without a container engine and without
# systemd as process 1. The image's files are laid out and the server runs there,
# with nothing else to see, as the image's user; it is asked for its health, a
# file is uploaded and decoded, and it stops. Needs root, on Linux, for chroot.
set -eu
cd "$(dirname "$0")/.."
: "${PORT:=8971}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if command -v systemd-analyze >/dev/null 2>&1; then
	# The binary that the unit names need not be installed here.
	unit=$work/proflens.service
	sed "s|^ExecStart=[^ ]*|ExecStart=/bin/true|" deploy/proflens.service >"$unit"
	systemd-analyze verify "$unit"
	systemd-analyze security --offline=true --threshold=20 --no-pager "$unit" | tail -1
else
	echo "not checked: deploy/proflens.service, since there is no systemd-analyze"
fi

root=$work/rootfs
sh deploy/rootfs.sh "$root"
if [ "$(id -u)" != 0 ] || ! unshare --mount --pid --fork true 2>/dev/null; then
	echo "not tried: the image, which needs root and namespaces"
	exit 0
fi
cp decode/instrprof/testdata/raw/clang-22_ir_c.profraw "$root/tmp/a.profraw"
mkdir -p "$root/proc"
chmod 755 "$work"
cat >"$work/inside.sh" <<'INSIDE'
set -eu
root=$1 port=$2
mount -t proc proc "$root/proc"
in_image="env -i PATH=$PATH PROFLENS_ADDR=:$port PROFLENS_DATA=/data chroot --userspec=65532:65532 $root /proflens"
$in_image serve 2>"$root/tmp/log" &
server=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do
	$in_image health 2>/dev/null && break
	sleep 0.5
done
$in_image health
$in_image version
$in_image upload -server "http://127.0.0.1:$port" /tmp/a.profraw
$in_image backup /tmp/backup
kill "$server"
wait "$server"
cat "$root/tmp/log" >&2
grep -q 'msg=decoded' "$root/tmp/log"
if grep 'level=ERROR' "$root/tmp/log"; then exit 1; fi
INSIDE
unshare --mount --pid --fork sh "$work/inside.sh" "$root" "$PORT"
echo "deploy: the image serves, decodes, backs up and stops"
