package main

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"proflens": func() { os.Exit(run(context.Background(), os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr})) },
	})
}

// TestScripts runs the command line as users do: testdata/script/*.txt. $RAW
// has real raw profiles and what llvm-profdata makes of them.
func TestScripts(t *testing.T) {
	raw, err := filepath.Abs("decode/instrprof/testdata/raw")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("RAW", raw)
			return nil
		},
	})
}
