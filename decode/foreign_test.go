package decode_test

import (
	"os"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
)

// Real files of other kinds are told apart, and each comes with what to do; see
// testdata/foreign.
// Of several files none of which is a profile the advice is about one that is no program.
func TestAdviceAboutSeveralForeignFiles(t *testing.T) {
	program, err := os.ReadFile("testdata/foreign/a.elf.o")
	if err != nil {
		t.Fatal(err)
	}
	_, err = decode.Open(t.Context(), []format.File{
		{Name: "app", Data: program, Optional: true},
		{Name: "perf.data", Data: []byte("PERFILE2" + strings.Repeat("\x00", 96)), Optional: true},
	}, format.Options{})
	if f := format.FindingOf("", err); !strings.Contains(f.Remedy, "llvm-profgen") {
		t.Errorf("%+v", f)
	}
}

func TestRecogniseRealForeignFiles(t *testing.T) {
	for _, test := range []struct{ file, what, remedy string }{
		{"a.elf.o", "an ELF executable or object file", "run the program"},
		{"a.macho.o", "a Mach-O executable or object file", "run the program"},
		{"a.obj", "a Windows object file", "run the program"},
		{"a32.obj", "a Windows object file", "run the program"},
		{"aarm.obj", "a Windows object file", "run the program"},
		{"a.gcda", "gcda", "gcov"},
		{"a.gcno", "gcno", "gcov"},
		{"covmeta", "covmeta", "go tool covdata"},
		{"covcounters", "covcounters", "go tool covdata"},
		{"a.opt.yaml", "remarks", ".profdata"},
	} {
		data, err := os.ReadFile("testdata/foreign/" + test.file)
		if err != nil {
			t.Fatal(err)
		}
		r := decode.Recognise(test.file, data)
		f := format.FindingOf(test.file, r.Err)
		if r.Err == nil || f.Kind != model.KindUnrecognizedFormat || f.File != test.file ||
			!strings.Contains(f.Message, test.what) || !strings.Contains(f.Remedy, test.remedy) {
			t.Errorf("%s: %+v", test.file, f)
		}
	}
}

// A README beside a profile is left out with a note; by itself it is said to be
// plain text. Text with a number in a line of its own may be a damaged profile, and
// its reader says where.
func TestPlainTextBesideAProfile(t *testing.T) {
	readme := format.File{
		Name: "README", Data: []byte("# A project\n\nWhat it is for.\nHow it is built.\n"), Optional: true,
	}
	profile := format.File{Name: "a.proftext", Data: []byte("# main\n:ir\nmain\n1\n1\n5\n"), Optional: true}
	files := []format.File{readme, profile}
	groups := format.Group([]format.Recognised{
		decode.Recognise(readme.Name, readme.Data), decode.Recognise(profile.Name, profile.Data),
	})
	if len(groups) != 1 {
		t.Errorf("%v", groups)
	}
	p, err := decode.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := p.Findings()
	if len(found) != 1 || found[0].Code != "input.left_out" || found[0].File != "README" ||
		!strings.Contains(found[0].Message, "plain text") {
		t.Errorf("%+v", found)
	}
	if _, err := decode.Open(t.Context(), files[:1],
		format.Options{}); model.KindOf(err) != model.KindUnrecognizedFormat ||
		!strings.Contains(err.Error(), "this is plain text") {
		t.Error(err)
	}
	damaged := format.File{Name: "x", Data: []byte("main\n12z4\n1\n5\n")}
	if _, err := decode.Open(t.Context(), []format.File{damaged},
		format.Options{}); model.KindOf(err) != model.KindMalformed {
		t.Error(err)
	}
}

// A file of another kind is told what all suites read.
func TestWanted(t *testing.T) {
	const want = "an LLVM instrumentation, MemProf, sample, DCPI or Machine IR profile"
	if got := decode.Recognise("a", []byte("x\x01\x02\x03")).Err; !strings.Contains(got.Error(), want) {
		t.Errorf("%v, without %q", got, want)
	}
}
