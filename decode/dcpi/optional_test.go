package dcpi_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/dcpi"
	"proflens/decode/format"
)

// Lines that are not required may repeat, and any line may come first.
func TestOptionalLines(t *testing.T) {
	for file, check := range map[string]func(h *dcpi.Header) bool{
		"two_path_lines.dcpi": func(h *dcpi.Header) bool {
			return cmp.Equal(h.Paths, []string{"/usr/bin/a", "/usr/bin/b"})
		},
		"two_cpucount.dcpi": func(h *dcpi.Header) bool { return *h.CPUCount == 2 && h.Lines[10].Value == "4" },
		"two_cpuamask.dcpi": func(h *dcpi.Header) bool { return *h.CPUAMask == 3 && h.Lines[10].Value == "7" },
		"unknown_first.dcpi": func(h *dcpi.Header) bool {
			return h.Lines[0].Key == "comment" && h.Event == "cycles"
		},
		"unknown_only_word_first.dcpi": func(h *dcpi.Header) bool { return h.Lines[0].Key == "x-owner" && h.Minor == 7 },
	} {
		data, err := os.ReadFile(filepath.Join("testdata/optional", file))
		if err != nil {
			t.Fatal(err)
		}
		p, err := decode.Open(t.Context(), []format.File{{Name: file, Data: data}}, format.Options{})
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		db, _ := format.PartOf[*dcpi.Database](p)
		if h := &db.Files[0].Profiles[0].Header; !check(h) {
			t.Errorf("%s: %+v", file, h)
		}
	}
}

// Text of other kinds is not taken for a profile: two required lines are needed.
func TestNotAHeader(t *testing.T) {
	for _, text := range []string{
		"main\n123\nsamples\n", "comment x\nimage 12\nsamples\n", "a b\nc d\ne f\n", "image\nepoch\n",
		":ir\nfoo 1\nsamples\n",
	} {
		if dcpi.Is([]byte(text)) {
			t.Errorf("%q is taken for a profile of DCPI", text)
		}
	}
}
