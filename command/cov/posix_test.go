package cov

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestExpressionsAreLLVMs holds expressions to the names that llvm-cov picks with them.
func TestExpressionsAreLLVMs(t *testing.T) {
	table, err := os.ReadFile("testdata/regex.tsv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSuffix(string(table), "\n"), "\n")
	all := strings.Fields(rows[2])[1:]
	for _, row := range rows[3:] {
		expression, names, _ := strings.Cut(row, "\t")
		var want, got []string
		if names != "-" {
			want = strings.Fields(names)
		}
		re, err := compilePosix(expression)
		if errors.Is(err, errBeyond) {
			continue
		}
		for _, name := range all {
			if err == nil && re.MatchString(latin1(name)) {
				got = append(got, name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is for llvm-cov %q, here %q, %v", expression, want, got, err)
		}
	}
}

func TestExpressionsAreOfBytes(t *testing.T) {
	for expression, fits := range map[string]bool{
		"^..$": true, "^.$": false, "^[^a][^a]$": true, "ü": true, "^[ü]$": false,
	} {
		re, err := compilePosix(expression)
		if err != nil || re.MatchString(latin1("ü")) != fits {
			t.Errorf("%s: %v", expression, err)
		}
	}
	for _, expression := range []string{`(a)\1`, "[[:<:]]a"} {
		if _, err := compilePosix(expression); !errors.Is(err, errBeyond) {
			t.Errorf("%s: %v", expression, err)
		}
	}
	if _, err := compilePosix(strings.Repeat("(", 1<<20)); err == nil {
		t.Error("a million parentheses fit")
	}
}
