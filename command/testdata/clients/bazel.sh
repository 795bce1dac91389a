# The commands that Bazel runs for C++ (tools/test/collect_cc_coverage.sh) and rules_rust for Rust
# (util/collect_coverage), which names sources in a file of arguments.
# usage: sh bazel.sh PROGRAM PROFRAW... (in the folder of the sources)
set -e
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
echo "== C++"
llvm-profdata merge -output "$work/cc.dat.data" "$@"
llvm-cov export -instr-profile "$work/cc.dat.data" -format=lcov -ignore-filename-regex='.*external/.+' \
	-ignore-filename-regex='/tmp/.+' -object "$program" | sed 's#/proc/self/cwd/##'
echo "== Rust"
find . -name '*.c*' -o -name '*.h*' -o -name '*.rs' | LC_ALL=C sort >"$work/manifest"
llvm-profdata merge --sparse "$@" -output "$work/coverage.profdata"
llvm-cov export -format=lcov -instr-profile "$work/coverage.profdata" -ignore-filename-regex='.*external/.+' \
	-ignore-filename-regex='/tmp/.+' -path-equivalence=.,"$PWD" "$program" "@$work/manifest" | sed "s#$PWD#ROOT#g"
