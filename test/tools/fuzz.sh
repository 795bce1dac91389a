#!/bin/sh
# Runs every fuzz target of the project for the given time each: fuzz.sh 20s
# Go would spend a minute on making each new input smaller, which for whole
# programs is all of the time.
set -eu
cd "$(dirname "$0")/../.."
time=${1:-20s}
go list ./... | while read -r pkg; do
	go test -list '^Fuzz' "$pkg" | grep '^Fuzz' | while read -r target; do
		echo "== $pkg $target"
		go test -run '^$' -fuzz "^$target\$" -fuzztime "$time" -fuzzminimizetime 20x "$pkg"
	done
done
