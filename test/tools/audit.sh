#!/bin/sh
# Looks for known faults in what this program is built from. What cannot be
# asked now, for want of a network, is said and is no failure; what is found is.
set -eu
cd "$(dirname "$0")/../.."
: "${GO:=go}" "${GOVULNCHECK:=golang.org/x/vuln/cmd/govulncheck@latest}"
held=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

echo "== modules are what go.sum says"
"$GO" mod verify || held=1

echo "== npm audit"
if npm audit --audit-level=low >"$log" 2>&1; then
	tail -1 "$log"
elif grep -Eq 'audit endpoint|ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|npm (ERR!|error) (code|audit)' "$log"; then
	echo "not asked: npm's registry does not answer"
	grep -E 'npm (ERR!|error|warn)' "$log" | head -3
else
	cat "$log"
	held=1
fi

echo "== govulncheck"
status=0
"$GO" run "$GOVULNCHECK" ./... >"$log" 2>&1 || status=$?
if [ "$status" = 0 ]; then
	tail -3 "$log"
elif grep -q 'Vulnerability #' "$log"; then
	cat "$log"
	held=1
else
	echo "not asked: govulncheck or its database cannot be had"
	tail -3 "$log"
fi
exit $held
