#!/bin/sh
# Makes app, app.profdata and golden.txt: what llvm-cov 22 answers to cases.txt, where @ is this
# folder; of standard error the first line.
set -u
cd "$(dirname "$0")"
t=$(mktemp -d)
trap 'rm -rf "$t"' EXIT
if [ ! -e app ]; then
	clang++-22 -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc -fcoverage-compilation-dir=. \
		main.cc sub/other.cc -o "$t/app" 2>/dev/null
	LLVM_PROFILE_FILE="$t/app.profraw" "$t/app" >/dev/null
	llvm-profdata-22 merge "$t/app.profraw" -o app.profdata
	llvm-objcopy-22 --strip-all --only-section=__llvm_covfun --only-section=__llvm_covmap --only-section=__llvm_prf_names \
		"$t/app" app
	touch app.profdata
fi
ln -s "$(command -v llvm-cov-22)" "$t/llvm-cov"
while read -r line; do
	echo "\$ $line"
	# shellcheck disable=SC2086
	(set -f; "$t/llvm-cov" $(echo "$line" | sed "s|@|$PWD|g")) >"$t/out" 2>"$t/err"
	echo "= $?"
	sed "s|$PWD|@|g; s/^/> /; \$a\\" "$t/out"
	head -1 "$t/err" | sed "s|$PWD|@|g; s/^/! /"
done <cases.txt >golden.txt
