# The commands that gcovr runs (src/gcovr/formats/llvm/read.py) for each raw profile of a program.
# usage: sh gcovr.sh PROGRAM PROFRAW... (in the folder of the sources)
set -e
program=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C LANGUAGE=en_US
for raw in "$@"; do
	llvm-profdata merge --sparse "--output=$work/one.profdata" "$raw"
	llvm-cov export "--instr-profile=$work/one.profdata" "$program"
	echo
done
