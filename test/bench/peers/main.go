// Peers times Proflens against llvm-profdata and llvm-cov on the same files in the same
// run: decoding, the text export, the way from an upload to its pages, heap profiles with
// their program, sample profiles, source coverage, and merges of many raw profiles. It prints
// medians and ratios beside the aims, and fails if one is missed by more than a fifth.
//
// With -knee it measures no peer but how time and memory of ours grow with size.
//
// It needs llvm-profdata of any version on the PATH and takes the newest; for source
// coverage also llvm-cov and clang++, for filters llvm-cxxfilt and rg (ripgrep), and without
// them says so.
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
	sizes := flag.String("sizes", "1000000", "functions of the generated profiles")
	plains := flag.String("plain", "1000000", "functions of the generated profiles with plain names and few counters")
	runs := flag.Int("runs", 5, "runs of each measurement, of which the median counts")
	contexts := flag.String("contexts", "100000", "allocation contexts of the generated heap profiles")
	functions := flag.String("functions", "20000", "functions of the generated programs with source coverage")
	sampled := flag.String("sampled", "100000", "functions of the generated sample profiles")
	fleets := flag.String("fleet", "1000", "raw profiles of the merges of a fleet")
	proflens := flag.String("proflens", "build/proflens", "the binary to measure")
	dir := flag.String("dir", "build/scale", "where generated profiles are kept")
	grow := flag.Bool("knee", false,
		"measure instead how time and memory grow with size, and write docs/pictures/knee.svg and the tables of "+
			"docs/performance.md")
	kneeFunctions := flag.String("knee-functions", "1000,10000,100000,1000000,4000000",
		"functions of the profiles that grow")
	kneeContexts := flag.String("knee-contexts", "1000,10000,100000,1000000", "contexts of the heap profiles that grow")
	kneeFiles := flag.String("knee-files", "1,16,256,4096", "files of the merges that grow")
	large := flag.Int("knee-large", 4_000_000, "functions of the largest profile, beside a file of 2 GB; 0 for neither")
	only := flag.String("only", "", "decode a file and its statistics, print nothing: the measured half of this program")
	flag.Parse()
	if *only != "" {
		fatal(decodeAndStats(context.Background(), *only))
		return
	}
	if *grow {
		b := bench{proflens: *proflens, runs: *runs, report: &report{}}
		fatal(b.knee(knees{
			functions: numbers(*kneeFunctions), contexts: numbers(*kneeContexts), files: numbers(*kneeFiles), large: *large,
			dir: *dir, picture: "docs/pictures/knee.svg", page: "docs/performance.md",
		}))
		return
	}
	tool, err := newest("llvm-profdata")
	fatal(err)
	fmt.Printf("peer: %s\n", tool)
	b := bench{tool: tool, proflens: *proflens, runs: *runs, report: &report{}}
	for _, file := range flag.Args() {
		fatal(b.file("", file))
	}
	for _, of := range []struct {
		shape
		sizes string
	}{{asPrograms, *sizes}, {plain, *plains}} {
		for _, n := range numbers(of.sizes) {
			file, err := generated(*dir, of.shape, n, 0, tool)
			fatal(err)
			again, err := generated(*dir, of.shape, n, 1, tool)
			fatal(err)
			fatal(b.file(of.aims, file))
			fatal(b.served(of.aims, of.words, file, again))
		}
	}
	for _, n := range numbers(*contexts) {
		fatal(b.heaps(*dir, n))
	}
	for _, n := range numbers(*sampled) {
		fatal(b.samples(*dir, n))
	}
	for _, n := range numbers(*functions) {
		fatal(b.coverage(*dir, n))
	}
	for _, n := range numbers(*fleets) {
		fatal(b.fleet(*dir, n))
	}
	fatal(b.small(*dir))
	if !b.sum() {
		os.Exit(1)
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

// newest finds the newest version of a tool on the PATH.
func newest(tool string) (string, error) {
	found, version := "", -1
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		files, _ := filepath.Glob(filepath.Join(dir, tool+"*"))
		for _, f := range files {
			v, err := strconv.Atoi(strings.TrimPrefix(filepath.Base(f), tool+"-"))
			if filepath.Base(f) != tool && err != nil {
				continue
			}
			if v > version {
				found, version = f, v
			}
		}
	}
	if found == "" {
		return "", fmt.Errorf("no %s on the PATH: install llvm", tool)
	}
	return filepath.Abs(found)
}
