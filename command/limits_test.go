package command

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

func TestByteSize(t *testing.T) {
	for text, want := range map[string]int64{
		"1": 1, "4294967296": 4 << 30, "2GiB": 2 << 30, "2G": 2 << 30, "500MB": 500e6, "64 KiB": 64 << 10, "7B": 7,
		"1TiB": 1 << 40,
	} {
		var s byteSize
		if err := s.Set(text); err != nil || int64(s) != want {
			t.Errorf("%q: %d, %v; want %d", text, int64(s), err, want)
		}
	}
	for _, text := range []string{"", "0", "-1", "GiB", "1.5GiB", "2 furlongs", "99999999999999999999", "9999999999TiB"} {
		var s byteSize
		if err := s.Set(text); err == nil {
			t.Errorf("%q was taken for %d", text, int64(s))
		}
	}
	for s, want := range map[byteSize]string{2 << 30: "2GiB", 1536 << 10: "1536KiB", 1000: "1000", 0: "0"} {
		if got := s.String(); got != want {
			t.Errorf("%d is written %q, want %q", int64(s), got, want)
		}
	}
}

// Every flag that limits what users can do stands in the manual of operations, in the
// help of serve and on the page of limits.
func TestLimitsAreDocumented(t *testing.T) {
	manual, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	serve, _, err := program(stdio{}).Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	help(serve, &said)
	fs := serve.Flags()
	listed := limitsOf(fs, "listed")
	if len(listed) != len(limitFlags) {
		t.Errorf("%d limits on the page, %d flags", len(listed), len(limitFlags))
	}
	for i, name := range limitFlags {
		if !bytes.Contains(manual, []byte("`-"+name+"`")) {
			t.Errorf("docs/operations.md lacks -%s", name)
		}
		if !strings.Contains(said.String(), "  -"+name) || listed[i].Flag != "-"+name || listed[i].Meaning == "" {
			t.Errorf("-%s is not in the help, or not on the page: %+v", name, listed[i])
		}
	}
	fs.VisitAll(func(f *pflag.Flag) { // what is called like a budget is one
		if (strings.HasPrefix(f.Name, "max-") || strings.HasPrefix(f.Name, "min-") || strings.HasPrefix(f.Name, "decode-") ||
			strings.HasSuffix(f.Name, "-workers")) && !slices.Contains(limitFlags, f.Name) {
			t.Errorf("-%s is not on the page of limits", f.Name)
		}
	})
}
