#!/bin/sh
# The whole test of the project: `make test`. Each step prints its name and how long it
# took; the first that fails ends the run. The number beside a step is its budget: the
# seconds that it takes on two idle cores with warm caches. A step that takes half as long
# again says so, and that is no failure: the machine may have other work.
set -eu
cd "$(dirname "$0")/../.."
: "${GO:=go}"

# lacks is what is missing here, as the names that packages has.
lacks() {
	case $("$GO" version 2>/dev/null) in
	*go1.2[6-9]* | *go1.[3-9][0-9]*) ;;
	*) echo go ;;
	esac
	node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null || echo node
	command -v npm >/dev/null 2>&1 || echo npm
	[ -n "$(chromium_here)" ] || echo chromium
	[ -n "$(postgres_here)" ] || echo postgresql
}

# Chromium without its windows is the same engine, and takes half the time.
chromium_here() {
	for c in "${CHROMIUM:-}" chromium-headless-shell chromium chromium-browser google-chrome \
		"/Applications/Chromium.app/Contents/MacOS/Chromium" "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"; do
		[ -n "$c" ] && command -v "$c" && return
	done
	:
}

# The places are those that catalog/engine/pgtest looks in.
postgres_here() {
	for p in /usr/lib/postgresql/*/bin /opt/homebrew/opt/postgresql*/bin /usr/local/opt/postgresql*/bin; do
		[ -x "$p/initdb" ] && echo "$p" && return
	done
	command -v initdb || :
}

# packages are the names of a system for what is missing: go node npm chromium postgresql.
packages() {
	for what in $lacking; do
		case $1:$what in
		apt:go) echo golang-go ;;
		apt:node) echo nodejs ;;
		apt:chromium) echo chromium-headless-shell ;;
		dnf:go) echo golang ;;
		dnf:node) echo nodejs ;;
		dnf:npm) echo nodejs-npm ;;
		dnf:postgresql) echo postgresql-server ;;
		brew:npm) [ "${lacking#*node}" = "$lacking" ] && echo node ;; # node brings it
		brew:chromium) echo google-chrome ;;
		*) echo "$what" ;;
		esac
	done | tr '\n' ' '
}

# installed installs what is missing on Debian, as root, PostgreSQL without a cluster that
# begins with the machine.
installed() {
	mkdir -p /etc/postgresql-common
	[ -e /etc/postgresql-common/createcluster.conf ] || echo "create_main_cluster = false" >/etc/postgresql-common/createcluster.conf
	apt-get update -qq -o DPkg::Lock::Timeout=600
	# shellcheck disable=SC2046
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=600 $(packages apt) >/dev/null
}

everything_is_here() {
	lacking=$(lacks | tr '\n' ' ')
	if [ -n "$lacking" ] && command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
		echo "missing, and installed now: $lacking"
		installed || :
		lacking=$(lacks | tr '\n' ' ')
	fi
	CHROMIUM=$(chromium_here)
	export CHROMIUM
	[ -z "$lacking" ] && return
	echo "missing: $lacking"
	echo "  Go 1.26 or newer, Node.js 20 or newer with npm, Chromium or Chrome (or set CHROMIUM=/path/to/it),"
	echo "  and PostgreSQL's server, which need not run. This installs what is missing:"
	if command -v brew >/dev/null 2>&1; then
		echo "    brew install $(packages brew)"
	elif command -v dnf >/dev/null 2>&1; then
		echo "    sudo dnf install $(packages dnf)"
	elif command -v apt-get >/dev/null 2>&1; then
		echo "    sudo apt-get install --no-install-recommends $(packages apt)"
	else
		echo "    Debian: sudo apt-get install --no-install-recommends $(packages apt)"
		echo "    Fedora: sudo dnf install $(packages dnf)"
		echo "    macOS:  brew install $(packages brew)"
	fi
	echo "  A system's own Go or Node.js may be too old: then take them from go.dev and nodejs.org."
	return 1
} >&2

# step NAME BUDGET COMMAND...
step() {
	name=$1 budget=$2
	shift 2
	start=$(date +%s)
	echo "== $name"
	"$@" || { echo "   failed: $name"; return 1; }
	took=$(($(date +%s) - start))
	echo "   $took s: $name"
	[ $((took * 2)) -lt $((budget * 3)) ] || echo "   slow: $name took $took s, and its budget is $budget s"
}

# in_memory has the tests keep their files in memory, where there is room and programs may
# run: they wait for the disk thousands of times, and none of them is about it. t.TempDir goes by
# GOTMPDIR, so what the compiler writes is there too. The folder's name is the same each time, since the go
# command runs again what has changed, and a test whose TMPDIR has another name has changed;
# while one run has that folder, another beside it gets one of its own.
in_memory() {
	shm=/dev/shm
	[ -w "$shm" ] && [ "$(df -Pk "$shm" | awk 'NR == 2 { print $4 }')" -gt 8000000 ] || return 0
	files="$shm/proflens-$(id -u)-$(pwd | cksum | cut -d ' ' -f 1)"
	if [ -O "$files" ] && ! kill -0 "$(cat "$files/pid" 2>/dev/null)" 2>/dev/null; then
		rm -rf "$files" # of a run that was killed
	fi
	mkdir "$files" 2>/dev/null || files=$(mktemp -d "$shm/proflens.XXXXXX") || return 0
	echo $$ >"$files/pid"
	trap 'rm -rf "$files"' EXIT
	trap 'exit 1' INT TERM
	printf '#!/bin/sh\n' >"$files/runs" && chmod 755 "$files/runs" && "$files/runs" 2>/dev/null || return 0
	chmod 1777 "$files" # PostgreSQL has another user
	export GOTMPDIR="$files" TMPDIR="$files"
}

# The race detector wants everything compiled in another form, but no page and no bundle: it
# begins at once, while npm and the compiler's first packages leave a core idle.
go_side() {
	step "go test -race, where goroutines meet" 90 make -s test-race &&
		what_is_compiled_once &&
		step "gofmt, vet, staticcheck" 45 make -s lint &&
		step "go test" 230 make -s test-go
}

# what_is_compiled_once waits for the program: what both sides compile at once is compiled twice.
what_is_compiled_once() {
	until [ -e "$web_log.built" ]; do
		[ ! -e "$web_log.failed" ] || return 1
		sleep 1
	done
}

web_side() {
	step "npm packages" 6 make -s node_modules &&
		step "generated files are current" 8 make -s generated &&
		results_hold_in_a_clone &&
		step "the program" 15 make -s build/tested &&
		touch "$web_log.built" &&
		step "browser code" 15 make -s test-web &&
		step "pages in a browser" 330 make -s test-browser
}

# results_hold_in_a_clone has the go command find what its cache knows of tests that have not changed.
results_hold_in_a_clone() { node test/tools/mtimes.mjs 2>/dev/null || :; }

# both runs the two sides beside each other: the browser mostly waits, and Go's tests mostly
# compute. The browser's output follows when both are done.
both() {
	go_log=$(mktemp) web_log=$(mktemp)
	trap 'echo "ended before it was done; the browser had come to:"; tail -n 60 "$web_log"; exit 1' INT TERM
	{ web_side >"$web_log" 2>&1 || touch "$web_log.failed"; } &
	web=$!
	held=0
	{ go_side 2>&1 || touch "$go_log.failed"; } | tee "$go_log"
	wait "$web"
	[ ! -e "$go_log.failed" ] && [ ! -e "$web_log.failed" ] || held=1
	cat "$web_log"
	passed=$(($(grep -c '^ok ' "$go_log") + $(sed -n 's/^[^a-z]*pass \([0-9]*\)$/\1/p' "$web_log" | paste -sd+ - | sed 's/^$/0/')))
	failed=$(($(grep -cE '^FAIL	' "$go_log") + $(sed -n 's/^[^a-z]*\(fail\|cancelled\) \([0-9]*\)$/\2/p' "$web_log" | paste -sd+ - | sed 's/^$/0/')))
	rm -f "$go_log" "$go_log.failed" "$web_log" "$web_log.built" "$web_log.failed"
	echo "tests: $passed passed, $failed failed" # of Go packages, scripts and pages
	return "$held"
}

everything_is_here
export PROFLENS_TEST_POSTGRES=1 # nothing is skipped
# What is compiled is the same in every folder: a fresh clone finds it where the cache has it.
# Nobody debugs it, so the compiler and the linker write nothing for debuggers, and nothing is
# inlined but in the standard library and in SQLite, which saves a quarter of the time of all the
# rest: its tests are no slower. Compiler, tests and server collect their garbage later than
# usual, which saves an eighth to a fifth of theirs.
export GOGC=400
GOFLAGS="${GOFLAGS:+$GOFLAGS }-trimpath -ldflags=-s -gcflags=all=-dwarf=false"
for from in proflens github.com golang.org/x go.yaml.in gopkg.in; do
	GOFLAGS="$GOFLAGS '-gcflags=$from/...=-dwarf=false -l'"
done
export GOFLAGS
in_memory
began=$(date +%s)
results_hold_in_a_clone
both
echo "all of it holds: $(($(date +%s) - began)) s"
