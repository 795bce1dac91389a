package profile_test

import (
	"os"
	"strings"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/profile/profiletest"
)

// Sources that came along are placed by the end of their paths, and what cannot be placed
// is named.
func TestSourcesArePlaced(t *testing.T) {
	const dir = "../decode/covmap/testdata/clang-22/rules/"
	var files []format.File
	for _, name := range []string{"rules.exe", "rules.profraw"} {
		data, err := os.ReadFile(dir + name)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, format.File{Name: name, Data: data})
	}
	for _, name := range []string{"archive/rules/rules.c", "archive/rules/elsewhere.inl"} {
		files = append(files, format.File{Name: name, Data: []byte("// Text.\n: b_(0)\n"), Optional: true})
	}
	p, err := decode.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, f := range profiletest.Store(t, p).Overview.Findings {
		if f.Code == "input.left_out" {
			left = append(left, f.File)
		}
	}
	if got := strings.Join(left, " "); got != "archive/rules/elsewhere.inl" {
		t.Errorf("left out: %q", got)
	}
}
