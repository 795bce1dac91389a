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
	"github.com/google/go-cmp/cmp/cmpopts"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
)

var update = flag.Bool("update", false, "write test/recognition as files are recognised today")

const recognitionDir = "../test/recognition/"

// fileCase is a line of files.json: a file, and what it is recognised as. Head is what
// its head is, where that is something else.
type fileCase struct {
	Name string `json:"name"`
	// The bytes: a file of the repository, which may be packed with gzip; or text;
	// or hexadecimal digits; cut, or filled with zeros, to a size where there is one.
	From string  `json:"from,omitempty"`
	Text *string `json:"text,omitempty"`
	Hex  string  `json:"hex,omitempty"`
	Size int     `json:"size,omitempty"`

	recognisedAs
	Head *recognisedAs `json:"head,omitempty"`
}

// recognisedAs is what a file, or its head, is recognised as.
type recognisedAs struct {
	Is       decode.Is      `json:"is"`
	Format   model.Format   `json:"format,omitempty"`
	Families []model.Family `json:"families,omitempty"`
	Describe string         `json:"describe"`
}

func asRecognised(r *format.Recognised) recognisedAs {
	as := recognisedAs{Is: decode.IsOf(r), Families: r.Families, Describe: r.Describe}
	if r.Format != nil {
		as.Format = r.Format.Name
	}
	return as
}

// setCase is a line of sets.json: files that are given together, by their names
// in files.json, and the profiles that they become; Head is what their heads say of it,
// where that is something else.
type setCase struct {
	Set    string   `json:"set"`
	Files  []string `json:"files"`
	Groups [][]int  `json:"groups"`
	Head   [][]int  `json:"head,omitempty"`
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

// headOf is the head of a file.
func headOf(name string, data []byte) *decode.Head {
	return &decode.Head{Name: name, Size: uint64(len(data)), Bytes: data[:min(len(data), decode.HeadBytes)]}
}

// The fixtures say what is recognised today, of files of every format and of their heads.
// Run with -update to have them say it.
func TestRecognitionFixturesAreCurrent(t *testing.T) {
	cases := readCases[fileCase](t, "files.json")
	covered := map[*format.Format]bool{}
	whole, heads := map[string]format.Recognised{}, map[string]format.Recognised{}
	for i := range cases {
		c := &cases[i]
		data := c.data(t)
		r, head := decode.Recognise(c.Name, data), headOf(c.Name, data).Recognise()
		if _, again := whole[c.Name]; again {
			t.Errorf("%s stands twice", c.Name)
		}
		whole[c.Name], heads[c.Name], covered[r.Format] = r, head, true
		c.recognisedAs, c.Head = asRecognised(&r), nil
		if as := asRecognised(&head); !cmp.Equal(as, c.recognisedAs, cmpopts.EquateEmpty()) {
			c.Head = &as
		}
		if c.Is != decode.IsProfile && decode.Doubt(c.Name, &head) == nil {
			t.Errorf("%s: nothing says why it is no profile", c.Name)
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
		c := &sets[i]
		c.Groups, c.Head = grouped(t, c, whole), grouped(t, c, heads)
		if cmp.Equal(c.Groups, c.Head) {
			c.Head = nil
		}
	}
	checkCases(t, "sets.json", sets)
}

// grouped are the profiles that the files of a set form.
func grouped(t *testing.T, c *setCase, known map[string]format.Recognised) [][]int {
	t.Helper()
	files, is := make([]format.Recognised, len(c.Files)), make([]*format.Recognised, len(c.Files))
	for i, name := range c.Files {
		r, ok := known[name]
		if !ok {
			t.Errorf("%s: files.json has no %s", c.Set, name)
		}
		files[i], is[i] = r, &files[i]
	}
	format.Settle(is)
	groups := format.Group(files)
	for _, group := range groups {
		slices.Sort(group)
	}
	return groups
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
