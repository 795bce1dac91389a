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
func TestRecogniseRealForeignFiles(t *testing.T) {
	for _, test := range []struct{ file, what, remedy string }{
		{"a.elf.o", "an ELF executable or object file", "run the program"},
		{"a.macho.o", "a Mach-O executable or object file", "run the program"},
		{"a.obj", "a Windows object file", "run the program"},
		{"a32.obj", "a Windows object file", "run the program"},
		{"aarm.obj", "a Windows object file", "run the program"},
		{"a.gcda", "gcda", "gcov"},
		{"a.gcno", "gcno", "gcov"},
		{"s.txt", "a sample profile (text)", "build with -fprofile-generate"},
		{"s.bin", "a sample profile (binary)", "build with -fprofile-generate"},
		{"s.ext", "a sample profile (extensible binary)", "build with -fprofile-generate"},
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
