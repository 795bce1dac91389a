package command

import (
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"proflens/ingest/confine"
)

func TestMain(m *testing.M) {
	if confine.IsChild() { // of a server that a script has started
		os.Exit(confine.Child())
	}
	if os.Getenv("PROFLENS_TEST_SERVER") != "" { // that a test kills
		os.Exit(Main())
	}
	main := func() { os.Exit(Main()) }
	testscript.Main(m, map[string]func(){"proflens": main, "llvm-profdata": main, "llvm-cov": main})
}

// TestScripts runs the command line as users do: testdata/script/*.txt. $RAW
// has real raw profiles and what llvm-profdata makes of them, $FLEET runs of one
// program and their sums, $REPORTS
// those of faults that users reported, ci.sh is the script of docs/ci.md, $ADDR is an address to
// serve on, "await URL" waits until something answers there, and "token2env FILE"
// makes the file's content the upload token.
func TestScripts(t *testing.T) {
	raw, err := filepath.Abs("../decode/instrprof/testdata/raw")
	if err != nil {
		t.Fatal(err)
	}
	fleet, err := filepath.Abs("../decode/instrprof/sums/testdata/fleet")
	if err != nil {
		t.Fatal(err)
	}
	reports, err := filepath.Abs("testdata/reports")
	if err != nil {
		t.Fatal(err)
	}
	lookAt(t, raw, fleet, "testdata")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("RAW", raw)
			e.Setenv("FLEET", fleet)
			e.Setenv("REPORTS", reports)
			e.Setenv("ADDR", freeAddress(t))
			return os.WriteFile(filepath.Join(e.WorkDir, "ci.sh"), shellExample(t), 0o600)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"await": await, "token2env": token2env},
	})
}

// lookAt reads folders that programs of a test read: the go command keeps what a test said
// for as long as all that it has read is unchanged, and does not see what its programs read.
func lookAt(t *testing.T, folders ...string) {
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(_ string, _ fs.DirEntry, err error) error { return err })
		if err != nil {
			t.Fatal(err)
		}
	}
}

// shellExample is the script that docs/ci.md shows, which ci.txt runs.
func shellExample(t *testing.T) []byte {
	text, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, script, found := strings.Cut(string(text), "```sh\n#!/bin/sh\n")
	script, _, ends := strings.Cut(script, "```")
	if !found || !ends {
		t.Fatal("docs/ci.md has no script")
	}
	return []byte(script)
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await URL")
	}
	for {
		if res, err := http.Get(args[0]); err == nil {
			res.Body.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func token2env(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: token2env FILE")
	}
	ts.Setenv("PROFLENS_UPLOAD_TOKEN", strings.TrimSpace(ts.ReadFile(args[0])))
}
