#!/bin/sh
# Makes golden.txt of what llvm-profdata 22 answers to cases.txt: the command, its exit status,
# then standard output and standard error with a mark before each line.
set -u
cd "$(dirname "$0")"
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
ln -s "$PWD/../../../decode/instrprof/testdata" "$root/instr"
ln -s "$PWD" "$root/own"
ln -s "$PWD/../../../decode/sampleprof/testdata" "$root/sample"
ln -s "$(command -v "${LLVM_PROFDATA:-llvm-profdata-22}")" "$root/llvm-profdata"
mkdir -p "$root/debug/.build-id/f1"
ln -s ../../../instr/correlate/clang-22_dbg.elf "$root/debug/.build-id/f1/840ebcf96885441781e3f41c446e2ab347c196.debug"
here=$PWD
cd "$root"
while read -r line; do
	echo "\$ $line"
	# shellcheck disable=SC2086
	PATH="$root:$PATH" llvm-profdata $line >out 2>err
	echo "= $?"
	sed 's/^/> /' out
	sed 's/^/! /' err
done <"$here/cases.txt" >golden
mv golden "$here/golden.txt"
# Indexed heap profiles and extensible samples, of which heaps_test.go has the names.
mkdir -p "$here/heaps"
heap() {
	to=$here/heaps/$1.profdata
	shift
	"$root/llvm-profdata" merge "$@" -o "$to"
}
memprof=$here/../../../decode/memprof/testdata
for f in "$memprof"/clang-19_mem_a.memprofraw "$memprof"/clang-19_mem_a.exe "$here"/heaps/dropped.*.gz; do
	gunzip -c "${f%.gz}.gz" >"$(basename "${f%.gz}")"
done
heap yaml "$memprof/mem.yaml"
heap yaml_v4 --memprof-version=4 --memprof-full-schema "$memprof/mem.yaml"
heap random --memprof-random-hotness --memprof-random-hotness-seed=42 --memprof-version=4 "$memprof/mem.yaml"
heap yaml_v2 --memprof-version=2 "$memprof/mem.yaml"
heap accessed "$memprof/mem_dap.yaml"
heap accessed_v4 --memprof-version=4 "$memprof/mem_dap.yaml"
heap raw --profiled-binary clang-19_mem_a.exe clang-19_mem_a.memprofraw
heap raw_v2 --memprof-version=2 --memprof-full-schema --profiled-binary clang-19_mem_a.exe clang-19_mem_a.memprofraw
# The heap of corpus/clang-22/mem_cold with 40 stacks more, at address 16, whose frames are all dropped.
heap dropped --memprof-version=2 --profiled-binary dropped.exe dropped.memprofraw
sample=../../../decode/sampleprof/testdata/llvm-22
cd "$here"
heap preinlined --sample --extbinary $sample/preinlined.ext.afdo --compress-all-sections
heap contexts --sample --extbinary $sample/contexts.ext.afdo --compress-all-sections
heap contexts_split --sample --extbinary $sample/contexts.ext.afdo --compress-all-sections --split-layout
heap contexts_nested --sample --extbinary $sample/contexts.ext.afdo --compress-all-sections \
	--convert-sample-profile-layout=nest --generate-merged-base-profiles
# Contexts of 1 to 28 frames.
heap deep --sample --extbinary deep.afdotext --use-md5
heap deep_cold --sample --extbinary deep.afdotext --compress-all-sections --sample-merge-cold-context \
	--sample-frame-depth-for-cold-context=3
heap vtables --sample --extbinary $sample/vtables.ext.afdo
heap partial --sample --extbinary $sample/partial_md5.ext.afdo --compress-all-sections --prof-sym-list=hot.afdotext
