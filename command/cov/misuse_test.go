package cov_test

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/ingest/unpack"
)

// misuse unpacks testdata/misuse.tar.xz and goes to one of its folders.
func misuse(t *testing.T, folder string) {
	t.Helper()
	data, err := os.ReadFile("testdata/misuse.tar.xz")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	budget := &unpack.Budget{Bytes: 1 << 24, Members: 100, Depth: 4}
	err = unpack.Expand(t.Context(), bytes.NewReader(data), int64(len(data)), "misuse.tar.xz", budget,
		func(name string, r io.Reader) error {
			text, err := io.ReadAll(r)
			if err != nil {
				return err
			}
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return err
			}
			return os.WriteFile(path, text, 0o600)
		})
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(dir, folder))
}

// What llvm-cov passes over in silence, or ends at, is said, and the rest is shown.
func TestWhatIsSaidBeside(t *testing.T) {
	for _, test := range []struct {
		folder, args string
		says, shows  []string
	}{
		{"cov-merge-is-silent", "report -instr-profile=count.profraw -instr-profile=byte.profraw one",
			[]string{"warning: count.profraw has counts and byte.profraw single-byte coverage", "different number of counters"},
			[]string{"TOTAL"}},
		{"damaged-record-cov", "-min-lines=10 -instr-profile=app.profraw app",
			[]string{"a record of the coverage mapping is damaged and left out: ", "bump, of ", "app.c"},
			[]string{"75.00%", "100.00%"}},
		{"one-function-two-builds", "report -instr-profile=alt.profraw -instr-profile=std.profraw alt -object=std",
			[]string{"functions with other lines in another of the programs", "main"}, []string{"TOTAL"}},
		{"one-function-two-builds", "export -summary-only -instr-profile=alt.profraw -instr-profile=std.profraw alt " +
			"-object=std",
			[]string{"functions with other lines in another of the programs", "main"}, []string{"totals"}},
		{"second-program-as-source", "report -instr-profile=all.profdata b liba.so",
			[]string{"liba.so is a program, taken for a source file as by llvm-cov: to add its coverage, use -object=liba.so"},
			nil},
	} {
		t.Run(test.folder, func(t *testing.T) {
			misuse(t, test.folder)
			status, out, errs := ask(t, "", strings.Fields(test.args)...)
			if status != 0 {
				t.Errorf("status %d", status)
			}
			for _, part := range test.says {
				if !strings.Contains(errs, part) {
					t.Errorf("proflens cov %s: no %q in %s", test.args, part, errs)
				}
			}
			for _, part := range test.shows {
				if !strings.Contains(out, part) {
					t.Errorf("proflens cov %s: no %q in %s", test.args, part, out)
				}
			}
		})
	}
}

// Of several profiles, the error names that which cannot be read.
func TestDamagedProfileIsNamed(t *testing.T) {
	misuse(t, "cov-merge-is-silent")
	for name, data := range map[string]string{"plain.txt": "some words\n", "cut.profraw": "\x81rforpl\xff\x0a"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		status, _, errs := ask(t, "", "report", "-instr-profile=count.profraw", "-instr-profile="+name, "one")
		if status != 1 || !strings.Contains(errs, "error: failed to load coverage: '"+name+"': ") {
			t.Errorf("status %d, %s", status, errs)
		}
	}
}

// Damaged file names cost the functions of their unit alone, as on pages.
func TestDamagedFileNames(t *testing.T) {
	const folder = "../../decode/covmap/testdata/clang-22/lto/"
	data, err := os.ReadFile(folder + "lto.exe")
	if err != nil {
		t.Fatal(err)
	}
	object, err := elf.NewFile(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	section := object.Section("__llvm_covmap")
	names := data[section.Offset+16:] // of the first unit, behind the header of its block
	names[binary.LittleEndian.Uint32(data[section.Offset+4:])-1] ^= 0xff
	damaged := filepath.Join(t.TempDir(), "damaged.exe")
	if err := os.WriteFile(damaged, data, 0o600); err != nil {
		t.Fatal(err)
	}
	profile := "-instr-profile=" + folder + "lto.profdata"
	_, sound, _ := ask(t, "", "-min-lines=10", profile, folder+"lto.exe")
	status, out, errs := ask(t, "", "-min-lines=10", profile, damaged)
	if status != 0 || !strings.Contains(out, "TOTAL") || len(out) >= len(sound) ||
		!strings.Contains(errs, "left out: ") {
		t.Errorf("status %d, %s\n%s\nundamaged:\n%s", status, errs, out, sound)
	}
}
