# The command that cargo-pgo runs (src/pgo/optimize.rs), and what is in the profile that it makes.
# usage: sh cargo-pgo.sh PROGRAM PROFRAW...
set -e
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
llvm-profdata merge -o "$work/merged.profile" "$@"
llvm-profdata show --all-functions --counts --text "$work/merged.profile"
