# The commands that rustc's own build runs: for tests of coverage (src/tools/compiletest, runtest/coverage.rs)
# and for profiles of the compiler (src/tools/opt-dist, training.rs), of which it gives the folder.
# usage: sh rustc.sh PROGRAM PROFRAW... (in the folder of the sources)
set -e
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
llvm-profdata merge --sparse --output "$work/default.profdata" "$@"
llvm-cov show --format=text --show-line-counts-or-regions --Xdemangler sed --Xdemangler -n --Xdemangler p \
	--instr-profile "$work/default.profdata" --object "$program"
echo "== opt-dist"
mkdir "$work/profiles"
cp "$@" "$work/profiles"
llvm-profdata merge -o "$work/merged.profdata" "$work/profiles"
llvm-profdata show --all-functions --counts "$work/merged.profdata"
