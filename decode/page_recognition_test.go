package decode_test

import (
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
)

var update = flag.Bool("update", false, "write test/recognition as files are recognised today")

const recognitionDir = "../test/recognition/"

// fileCase is a line of files.json: a file, and what it is recognised as. The
// upload page's tests hold its view to the same lines; page is where that sees
// less, and says why.
type fileCase struct {
	Name string `json:"name"`
	// The bytes: a file of the repository, which may be packed with gzip; or text;
	// or hexadecimal digits; cut, or filled with zeros, to a size where there is one.
	From string  `json:"from,omitempty"`
	Text *string `json:"text,omitempty"`
	Hex  string  `json:"hex,omitempty"`
	Size int     `json:"size,omitempty"`

	Is       string          `json:"is"`
	Format   model.Format    `json:"format,omitempty"`
	Families []model.Family  `json:"families,omitempty"`
	Describe string          `json:"describe"`
	Page     json.RawMessage `json:"page,omitempty"`
}

// setCase is a line of sets.json: files that are given together, by their names
// in files.json, and the profiles that they become.
type setCase struct {
	Set    string          `json:"set"`
	Files  []string        `json:"files"`
	Groups [][]int         `json:"groups"`
	Page   json.RawMessage `json:"page,omitempty"`
}

func (c *fileCase) data(t *testing.T) []byte {
	t.Helper()
	data, err := hex.DecodeString(c.Hex)
	switch {
	case c.Text != nil:
		data = []byte(*c.Text)
	case c.From != "":
		data, err = os.ReadFile("../" + c.From)
	}
	if err == nil && strings.HasSuffix(c.From, ".gz") {
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(data)); err == nil {
			data, err = io.ReadAll(z)
		}
	}
	if err != nil {
		t.Fatalf("%s: %v", c.Name, err)
	}
	if c.Size > 0 {
		data = append(data, make([]byte, c.Size)...)[:c.Size]
	}
	return data
}

// whatIs says in a word what becomes of a file.
func whatIs(r *format.Recognised) string {
	switch {
	case r.Empty:
		return "empty"
	case r.Err == nil:
		return "profile"
	case r.Companion != nil:
		return "companion"
	case !r.Foreign():
		return "unread"
	case r.Describe == "unknown":
		return "unknown"
	}
	return "foreign"
}

// The fixtures say what is recognised today, for files of every format. Run with
// -update to have them say it.
func TestRecognitionFixturesAreCurrent(t *testing.T) {
	cases := readCases[fileCase](t, "files.json")
	covered := map[*format.Format]bool{}
	byName := map[string]format.Recognised{}
	for i := range cases {
		c := &cases[i]
		r := decode.Recognise(c.Name, c.data(t))
		if _, again := byName[c.Name]; again {
			t.Errorf("%s stands twice", c.Name)
		}
		byName[c.Name], covered[r.Format] = r, true
		c.Is, c.Format, c.Families, c.Describe = whatIs(&r), "", r.Families, r.Describe
		if r.Format != nil {
			c.Format = r.Format.Name
		}
	}
	for f := range decode.Formats {
		if !covered[f] {
			t.Errorf("no fixture is of the format %s (%s)", f.Name, f.Prefix)
		}
	}
	checkCases(t, "files.json", cases)

	sets := readCases[setCase](t, "sets.json")
	for i := range sets {
		var files []format.Recognised
		for _, name := range sets[i].Files {
			r, ok := byName[name]
			if !ok {
				t.Errorf("%s: files.json has no %s", sets[i].Set, name)
			}
			files = append(files, r)
		}
		is := make([]*format.Recognised, len(files))
		for k := range files {
			is[k] = &files[k]
		}
		format.Settle(is)
		sets[i].Groups = format.Group(files)
		for _, group := range sets[i].Groups {
			slices.Sort(group)
		}
	}
	checkCases(t, "sets.json", sets)
}

func readCases[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(recognitionDir, name))
	if err != nil {
		t.Fatal(err)
	}
	var cases []T
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return cases
}

// checkCases compares a list with its file: one case a line.
func checkCases[T any](t *testing.T, name string, cases []T) {
	t.Helper()
	lines := make([]string, len(cases))
	for i := range cases {
		var line strings.Builder
		e := json.NewEncoder(&line)
		e.SetEscapeHTML(false)
		if err := e.Encode(&cases[i]); err != nil {
			t.Fatal(err)
		}
		lines[i] = strings.TrimSpace(line.String())
	}
	text := "[\n" + strings.Join(lines, ",\n") + "\n]\n"
	path := filepath.Join(recognitionDir, name)
	if *update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(kept), "\n"), strings.Split(text, "\n")); diff != "" {
		t.Errorf("%s (run go test ./decode -run Recognition -update):\n%s", path, diff)
	}
}
