# The commands that cargo-llvm-cov runs (src/report.rs) for a program and its raw profiles, with
# what they print. It asks show's help whether there is -show-mcdc.
# usage: sh cargo-llvm-cov.sh PROGRAM PROFRAW... (in the folder of the sources)
set -e
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' "$@" >"$work/profraw-list"
llvm-profdata merge -sparse -f "$work/profraw-list" -o "$work/all.profdata" -failure-mode=any

profile="-instr-profile=$work/all.profdata"
ignored='(^|/)(rustc/([0-9a-f]+|[0-9]+\.[0-9]+\.[0-9]+)|tests|examples|benches)/|/(tests\.rs|[0-9a-zA-Z_-]+[_-]tests\.rs)$|^/home/[^/]+/\.cargo/(registry|git)/'
ignored="$ignored|^/home/[^/]+/\\.rustup/toolchains(\$|/)"

echo "== report"
llvm-cov report -use-color=0 "$profile" -object "$program" -ignore-filename-regex "$ignored"
echo "== export -format=text"
llvm-cov export -format=text "$profile" -object "$program" -ignore-filename-regex "$ignored"
echo
echo "== export -format=text -summary-only -skip-functions"
llvm-cov export -format=text "$profile" -object "$program" -ignore-filename-regex "$ignored" -summary-only -skip-functions
echo
echo "== export -format=lcov"
llvm-cov export -format=lcov "$profile" -object "$program" -ignore-filename-regex "$ignored"

mcdc=
if llvm-cov show --help | grep -q -e -show-mcdc; then mcdc=-show-mcdc; fi
show() {
	llvm-cov show "$@" "$profile" -object "$program" -ignore-filename-regex "$ignored" -show-instantiations=false \
		-show-line-counts-or-regions -show-expansions -show-branches=count $mcdc -Xdemangler=cat
}
echo "== show -format=text"
show -format=text -use-color=0
echo "== show -format=text -output-dir"
show -format=text -use-color=0 >/dev/null -output-dir="$work/text"
cat "$work/text/index.txt"
find "$work/text/coverage" -type f | LC_ALL=C sort | while read -r page; do cat "$page"; done
show -format=html >/dev/null -output-dir="$work/html"
test -s "$work/html/index.html"
