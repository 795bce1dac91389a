# The commands that grcov runs (src/llvm_tools.rs) for a program and its raw profiles, with what
# they print: profiles are named on standard input.
# usage: sh grcov.sh PROGRAM PROFRAW... (in the folder of the sources)
set -e
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
printf '%s\n' "$@" | llvm-profdata merge -f - -sparse -o "$work/grcov.profdata"
llvm-cov export "$program" --instr-profile "$work/grcov.profdata" --format lcov
