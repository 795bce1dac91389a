#!/bin/sh
# Makes golden/: what LLVM's own tools print for the command lines of each client. A raw profile
# is merged by llvm-profdata of its own release, everything else is asked of LLVM 22.
set -e
cd "$(dirname "$0")"
here=$PWD
tools=$(mktemp -d)
trap 'rm -rf "$tools"' EXIT
mkdir -p golden
programs() {
	cat <<-EOF
		clang-14 flow 14
		clang-16 calc 16
		clang-19 flow 19
		clang-22 flow 22
		rustc-stable shop_opt 22
	EOF
}
programs | while read -r from name release; do
	cat >"$tools/llvm-profdata" <<-EOF
		#!/bin/sh
		case \$1 in merge) exec llvm-profdata-$release "\$@" ;; esac
		exec llvm-profdata-22 "\$@"
	EOF
	ln -sf "$(command -v llvm-cov-22)" "$tools/llvm-cov"
	chmod +x "$tools/llvm-profdata"
	for client in bazel cargo-llvm-cov cargo-pgo chromium gcovr grcov rustc; do
		(cd programs/src && PATH="$tools:$PATH" sh "$here/$client.sh" "../$from/$name.exe" ../"$from"/*.profraw) \
			>"golden/$client-$from.txt"
	done
done
