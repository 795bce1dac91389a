package unidiff_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/model"
	"proflens/decode/unidiff"
)

// added are the paths of a diff with the numbers of the lines that it adds.
func added(files []unidiff.File) map[string][]int {
	got := map[string][]int{}
	for _, f := range files {
		for _, h := range f.Hunks {
			for _, l := range h.Lines {
				if l.Added() {
					got[f.Path] = append(got[f.Path], l.New)
				}
			}
		}
	}
	return got
}

// The diffs are of git and of GNU diff: changed, new, renamed, deleted and binary files,
// and one without a newline at its end.
func TestParse(t *testing.T) {
	for name, want := range map[string]map[string][]int{
		"kinds.diff": {"keep.c": {2, 3}, "ne w.c": {3}, "new.c": {1}},
		"plain.diff": {"lib/x.c": {2, 3}},
	} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		files, err := unidiff.Parse(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, added(files)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestLinesHaveBothNumbers(t *testing.T) {
	files, err := unidiff.Parse(strings.NewReader("--- a/x.c\n+++ b/x.c\n@@ -5,3 +7,3 @@ int f()\n a\n-b\n+c\n d\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []unidiff.File{{Path: "x.c", Hunks: []unidiff.Hunk{{
		Section: "int f()", Old: unidiff.Range{From: 5, Lines: 3}, New: unidiff.Range{From: 7, Lines: 3},
		Lines: []unidiff.Line{{5, 7, "a"}, {6, 0, "b"}, {0, 8, "c"}, {7, 9, "d"}},
	}}}}
	if diff := cmp.Diff(want, files); diff != "" {
		t.Error(diff)
	}
}

func TestWhatIsNoDiff(t *testing.T) {
	for _, text := range []string{
		"garbage\n", "--- a/x\n+++ b/x\n@@ nonsense\n", "\x7fELF\x00\x01", "@@ -1 +1 @@\n-a\n+b\n",
	} {
		files, err := unidiff.Parse(strings.NewReader(text))
		if err == nil && len(files) == 0 {
			t.Errorf("%q is taken for a diff of nothing", text)
		}
		if err != nil && model.KindOf(err) != model.KindMalformed {
			t.Errorf("%q: %v", text, err)
		}
	}
	if files, err := unidiff.Parse(strings.NewReader("")); err != nil || files != nil {
		t.Errorf("nothing: %v, %v", files, err)
	}
}

func FuzzUnidiff(f *testing.F) {
	for _, name := range []string{"git.diff", "kinds.diff", "plain.diff"} {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := unidiff.Parse(bytes.NewReader(data))
		if err != nil {
			if model.KindOf(err) == "" {
				t.Fatal(err)
			}
			return
		}
		lines := 0
		for _, file := range files {
			for _, h := range file.Hunks {
				lines += len(h.Lines)
			}
		}
		if lines > bytes.Count(data, []byte("\n"))+1 {
			t.Fatal(fmt.Sprint(lines, " lines"))
		}
	})
}

// What is held of a diff is agreed to before it is made; a refusal ends the reading.
func TestParseWithin(t *testing.T) {
	diff := "--- a/x.c\n+++ b/x.c\n@@ -1,0 +1,1000000 @@\n" + strings.Repeat("+\n", 1_000_000)
	refused := errors.New("too much")
	asked, read := 0, strings.NewReader(diff)
	_, err := unidiff.ParseWithin(read, func(n int) error {
		if asked += n; asked > 1<<20 {
			return refused
		}
		return nil
	})
	if !errors.Is(err, refused) || read.Len() < len(diff)/2 {
		t.Errorf("%v with %d of %d bytes unread", err, read.Len(), len(diff))
	}
	files, err := unidiff.ParseWithin(strings.NewReader(diff), func(n int) error { asked += n; return nil })
	if err != nil || len(files) != 1 || len(files[0].Hunks[0].Lines) != 1_000_000 {
		t.Errorf("%d files, %v", len(files), err)
	}
}
