# The commands that Chromium runs: each profile is tried alone and a list of them merged
# (testing/merge_scripts/code_coverage/merge_lib.py), then come the reports (tools/code_coverage/coverage.py).
# usage: sh chromium.sh PROGRAM PROFRAW... (in the folder of the sources)
set -e
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
n=0
for raw in "$@"; do
	n=$((n + 1))
	llvm-profdata merge -o "$work/$n.profdata" --sparse "$raw" 2>&1
	echo "$work/$n.profdata" >>"$work/input-profdata-files.txt"
done
profile="-instr-profile=$work/coverage.profdata"
llvm-profdata merge -o "$work/coverage.profdata" -sparse=true -f "$work/input-profdata-files.txt"
echo "== export -summary-only"
llvm-cov export -summary-only "-compilation-dir=$PWD" "$profile" "$program" | sed "s#$PWD#ROOT#g"
echo
echo "== export -format=lcov"
llvm-cov export -format=lcov "$profile" "$program" '-ignore-filename-regex=.*third_party.*'
llvm-cov show -format=html "-output-dir=$work/html" "-compilation-dir=$PWD" "$profile" "$program" \
	-Xdemangler sed -Xdemangler -n -Xdemangler p >/dev/null
test -s "$work/html/index.html"
