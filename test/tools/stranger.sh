#!/bin/sh
# Does what the README says where nothing is but the programs of this machine: a root of
# its own with an empty home and empty caches, and what is committed of this project.
# `go run .` until its first answer; with the argument `test`, `make test` too. Needs
# root, on Linux, and the Go module proxy.
set -eu
cd "$(dirname "$0")/../.."
: "${PORT:=8972}" "${GO:=go}" "${AIM:=95}"
if [ "$(id -u)" != 0 ] || ! unshare --mount --pid --fork true 2>/dev/null; then
	echo "not tried: a root of its own needs root and namespaces"
	exit 0
fi
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
git clone -q --no-hardlinks . "$root/src"
cat >"$root/inside.sh" <<'INSIDE'
set -eu
root=$1 port=$2 goroot=$3 aim=$4 test=$5
for d in /bin /sbin /lib /lib32 /lib64 /usr /etc /dev /sys "$goroot"; do
	if [ -L "$d" ]; then
		cp -P "$d" "$root$d"
	elif [ -d "$d" ] && ! [ -e "$root$d" ]; then
		mkdir -p "$root$d"
		mount --rbind "$d" "$root$d"
	fi
done
mkdir -p "$root/proc" "$root/root" "$root/tmp" "$root/run" "$root/var/tmp"
chmod 1777 "$root/tmp" "$root/var/tmp"
mount -t proc proc "$root/proc"
inside() {
	chroot "$root" env -i HOME=/root PATH="$goroot/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
		GOPROXY="$GOPROXY" GOSUMDB="$GOSUMDB" GONOSUMDB="$GONOSUMDB" GOFLAGS=-modcacherw sh -c "cd /src && $1"
}
start=$(date +%s)
inside "exec go run . -addr localhost:$port -data /tmp/data" >"$root/tmp/log" 2>&1 &
server=$!
until curl -s -o /dev/null "http://localhost:$port/"; do
	kill -0 "$server" 2>/dev/null || { cat "$root/tmp/log"; exit 1; }
	sleep 0.2
done
took=$(($(date +%s) - start))
echo "stranger: go run . answers after $took s; modules $(du -sm --exclude=download "$root/root/go/pkg/mod" | cut -f1) MB, load $(cut -d' ' -f1 /proc/loadavg)"
[ "$took" -le $((aim * 3 / 2)) ] || echo "stranger: that is half as long again as the $aim s for two idle cores"
first=$(grep -v '^go: downloading' "$root/tmp/log" | head -1)
case $first in
"Proflens serves on http://localhost:$port/"*) ;;
*) echo "stranger: the first line is not the address: $first"; exit 1 ;;
esac
kill -TERM -1 # all there is in this namespace
wait "$server" || true
[ "$test" != test ] || inside "make test"
INSIDE
GOPROXY=$("$GO" env GOPROXY) GOSUMDB=$("$GO" env GOSUMDB) GONOSUMDB=$("$GO" env GONOSUMDB)
export GOPROXY GOSUMDB GONOSUMDB
unshare --mount --pid --fork --kill-child sh "$root/inside.sh" "$root" "$PORT" "$("$GO" env GOROOT)" "$AIM" "${1:-}"
