#!/bin/sh
# The whole test of the project: `make test`. Each step prints its name and how
# long it took; the first that fails ends the run.
set -eu
cd "$(dirname "$0")/.."
: "${GO:=go}"

need() {
	command -v "$1" >/dev/null 2>&1 && return
	echo "missing: $1 — $2" >&2
	exit 1
}

step() {
	echo "== $1"
	shift
	start=$(date +%s)
	"$@"
	echo "   $(($(date +%s) - start)) s"
}

# Chromium is the one thing here that is not a module or an npm package. On
# Debian, as root, it is installed; elsewhere CHROMIUM names it.
find_chromium() {
	for c in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
		[ -n "$c" ] && command -v "$c" >/dev/null 2>&1 && { CHROMIUM=$(command -v "$c"); export CHROMIUM; return; }
	done
	if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
		apt-get update -qq -o DPkg::Lock::Timeout=600
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 chromium >/dev/null
		CHROMIUM=$(command -v chromium); export CHROMIUM
		return
	fi
	echo "missing: Chromium, for the browser tests. Install it, or set CHROMIUM=/path/to/chrome." >&2
	exit 1
}

# The catalog's tests run on SQLite and on PostgreSQL, which they start themselves. On
# Debian, as root, it is installed, without a cluster that begins with the machine.
find_postgres() {
	for p in /usr/lib/postgresql/*/bin/initdb; do
		[ -x "$p" ] && return
	done
	command -v initdb >/dev/null 2>&1 && return
	if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
		mkdir -p /etc/postgresql-common
		[ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
		apt-get update -qq -o DPkg::Lock::Timeout=600
		DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 postgresql >/dev/null
		return
	fi
	echo "missing: PostgreSQL, for the catalog's tests. Install its server; it need not run." >&2
	exit 1
}

# The browser mostly waits, and Go's tests mostly compute: together they take
# little longer than either. The browser's output follows when both are done.
both() {
	log=$(mktemp)
	make -s build/watched
	make -s test-browser >"$log" 2>&1 &
	browser=$!
	held=0
	make -s test-go || held=1
	wait "$browser" || held=1
	cat "$log"
	rm -f "$log"
	return "$held"
}

need "$GO" "Go 1.26 or newer, from go.dev"
need node "Node.js 20 or newer"
need npm "comes with Node.js"
step "chromium" find_chromium
step "postgresql" find_postgres
export PROFLENS_TEST_POSTGRES=1 # nothing is skipped
step "npm packages" make -s node_modules
step "generated files are current" make -s generated
step "gofmt, vet, staticcheck" make -s lint
step "browser code" make -s test-web
step "go test -race, and browser tests beside it" both
echo "all of it holds"
