#!/bin/sh
# What `make test-cluster` needs, on Debian as root: PostgreSQL, Patroni with etcd,
# HAProxy, Ceph with its gateway. versitygw, for the short form, is built from its module.
set -eu
cd "$(dirname "$0")/../../.."
: "${GO:=go}" "${VERSITYGW:=v1.8.0}"

missing=
for c in patroni etcd haproxy ceph-mon ceph-osd ceph-mgr radosgw curl; do
	command -v "$c" >/dev/null 2>&1 || missing=1
done
ls /usr/lib/postgresql/*/bin/postgres >/dev/null 2>&1 || missing=1
if [ -n "$missing" ]; then
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null 2>&1; then
		echo "missing: postgresql patroni etcd-server haproxy ceph-mon ceph-osd ceph-mgr radosgw curl" >&2
		exit 1
	fi
	# Nothing is to start by itself.
	policy=/usr/sbin/policy-rc.d
	[ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy"; chmod +x "$policy"; trap 'rm -f "$policy"' EXIT; }
	apt-get update -qq -o DPkg::Lock::Timeout=600
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 \
		postgresql patroni python3-etcd etcd-server haproxy ceph-base ceph-mon ceph-osd ceph-mgr radosgw curl >/dev/null
fi
if [ "${1:-ceph}" = versitygw ] && [ ! -x build/versitygw ]; then
	GOBIN=$PWD/build "$GO" install "github.com/versity/versitygw/cmd/versitygw@$VERSITYGW"
fi
