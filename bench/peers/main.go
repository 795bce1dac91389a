// Peers times Proflens against llvm-profdata on the same files in the same
// run: decoding, the text export, the way from an upload to its pages, and heap
// profiles with their program; and against llvm-cov. It prints medians and ratios; it
// asserts nothing.
//
// It needs llvm-profdata of any version on the PATH and takes the newest; for coverage
// clang and llvm-cov of that version too.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

func main() {
	sizes := flag.String("sizes", "10000,100000,1000000", "functions of the generated profiles")
	runs := flag.Int("runs", 5, "runs of each measurement, of which the median counts")
	contexts := flag.String("contexts", "100000", "allocation contexts of the generated heap profiles")
	covered := flag.String("covered", "20000", "functions of the programs whose coverage is read")
	proflens := flag.String("proflens", "build/proflens", "the binary to measure")
	dir := flag.String("dir", "build/scale", "where generated profiles are kept")
	only := flag.String("only", "", "decode a file and its statistics, print nothing: the measured half of this program")
	flag.Parse()
	if *only != "" {
		fatal(decodeAndStats(context.Background(), *only))
		return
	}
	tool, err := newestProfdata()
	fatal(err)
	fmt.Printf("peer: %s\n", tool)
	b := bench{tool: tool, proflens: *proflens, runs: *runs}
	for _, file := range flag.Args() {
		fatal(b.file(file))
	}
	for _, n := range numbers(*sizes) {
		file, err := generated(*dir, n, tool)
		fatal(err)
		fatal(b.file(file))
	}
	for _, n := range numbers(*contexts) {
		fatal(b.heaps(*dir, n))
	}
	for _, n := range numbers(*covered) {
		fatal(b.coverage(*dir, n))
	}
}

// numbers are those of a list with commas, which may be empty.
func numbers(list string) []int {
	var ns []int
	for _, s := range strings.FieldsFunc(list, func(r rune) bool { return r == ',' }) {
		n, err := strconv.Atoi(s)
		fatal(err)
		ns = append(ns, n)
	}
	return ns
}

func fatal(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// newestProfdata finds the newest llvm-profdata on the PATH.
func newestProfdata() (string, error) {
	newest, version := "", -1
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		found, _ := filepath.Glob(filepath.Join(dir, "llvm-profdata*"))
		for _, f := range found {
			v, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(f), "llvm-profdata-"))
			if v > version {
				newest, version = f, v
			}
		}
	}
	if newest == "" {
		return "", fmt.Errorf("no llvm-profdata on the PATH: install llvm")
	}
	return newest, nil
}
