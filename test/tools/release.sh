#!/bin/sh
# Builds a release for every system into build/release: binaries without paths or
# symbols of the machine that builds, a bill of materials beside each, an archive of
# the manual pages, and their sums. VERSION names it; TARGETS are those wanted. They open s3:// and file://;
# gs:// and azblob:// are in the image alone, which is twice as large.
set -eu
cd "$(dirname "$0")/../.."
: "${GO:=go}"
: "${VERSION:=$(git describe --tags --always --dirty)}"
: "${TARGETS:=linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}"
out=build/release
rm -rf "$out"
mkdir -p "$out"

ldflags="-s -w -X proflens/command.release=$VERSION"
man=proflens_${VERSION}_man
CGO_ENABLED=0 "$GO" run -trimpath -ldflags "$ldflags" . man "$out/$man"
tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$out" -cf - "$man" | gzip -n >"$out/$man.tar.gz"
rm -r "${out:?}/$man"

for target in $TARGETS; do
	os=${target%/*} arch=${target#*/} end=
	[ "$os" = windows ] && end=.exe
	name=proflens_${VERSION}_${os}_${arch}
	echo "== $target"
	CGO_ENABLED=0 GOOS=$os GOARCH=$arch "$GO" build -trimpath \
		-ldflags "$ldflags" -o "$out/$name$end" .
	"$GO" run -C test ./tools/sbom -lock ../package-lock.json -version "$VERSION" "../$out/$name$end" >"$out/$name.cdx.json"
done
cd "$out"
sha256sum -- * >SHA256SUMS
cat SHA256SUMS
