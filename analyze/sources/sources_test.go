package sources_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/analyze/sources"
)

func TestNames(t *testing.T) {
	n := sources.NewNames([]string{
		"/build/lib/x.c", "/build/lib/y.c", "/build/other/y.c", "calc/main.c", `C:\src\win.cpp`,
	})
	for path, want := range map[string]int{
		"/build/lib/x.c": 0, "lib/x.c": 0, "x.c": 0, "ib/x.c": -1, "y.c": -1, "lib/y.c": 1, "./other//y.c": 2, "z.c": -1,
		"":                 -1,
		"repo/calc/main.c": 3, "main.c": 3, "src/win.cpp": 4, `src\win.cpp`: 4, "repo-1.0/lib/x.c": -1,
	} {
		if got := n.Find(path); got != want {
			t.Errorf("%q is file %d, want %d", path, got, want)
		}
	}
	for path, want := range map[string]int{"repo-1.0/lib/x.c": 0, "repo-1.0/y.c": -1, "a/b/x.c": -1, "x.c": 0} {
		if got := n.FindIn(path); got != want {
			t.Errorf("in an archive %q is file %d, want %d", path, got, want)
		}
	}
}

// A text is split at line ends alone, and ends where a byte of zero stands. One without
// lines is not one that is missing.
func TestLines(t *testing.T) {
	for text, want := range map[string]string{
		"": "[]", "a": `["a"]`, "a\n": `["a"]`, "a\n\n": `["a" ""]`, "\na\r\nb\rc": `["" "a" "b\rc"]`, "a\r": `["a\r"]`,
		"a\x00b\nc": `["a"]`, "\x00": "[]",
	} {
		if got := sources.Lines([]byte(text)); got == nil || fmt.Sprintf("%q", got) != want {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}

func TestArchive(t *testing.T) {
	write := func(old *sources.Archive, files ...[3]string) (*sources.Archive, []bool) {
		var b bytes.Buffer
		var added []bool
		w := sources.NewWriter(&b)
		for _, f := range files {
			ok, err := w.Add(f[0], f[1], strings.NewReader(f[2]))
			if err != nil {
				t.Fatal(err)
			}
			added = append(added, ok)
		}
		if old != nil {
			if err := w.Keep(old); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		a, err := sources.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		return a, added
	}
	a, added := write(nil, [3]string{"/b/lib/x.c", "x.c", "wrong"}, [3]string{"/b/lib/x.c", "lib/x.c", "right"},
		[3]string{"/b/lib/x.c", "x.c", "wrong"},
		[3]string{"/b/bin", "bin", "a\x00b"}, [3]string{"/b/large", "large", strings.Repeat("x", sources.MaxText+1)})
	if !slices.Equal(added, []bool{true, true, false, false, false}) {
		t.Error(added)
	}
	if text, ok, err := a.Text("/b/lib/x.c"); string(text) != "right" || !ok || err != nil {
		t.Errorf("%q, %v, %v", text, ok, err)
	}
	if _, ok, err := a.Text("/b/bin"); ok || err != nil {
		t.Error(ok, err)
	}
	// What comes later takes the place of what was there, and leaves the rest.
	a, _ = write(a, [3]string{"/b/lib/y.c", "y.c", "new"})
	if names := a.Names(); len(names) != 2 {
		t.Error(names)
	}
	a, _ = write(a, [3]string{"/b/lib/x.c", "x.c", "newer"})
	for name, want := range map[string]string{"/b/lib/x.c": "newer", "/b/lib/y.c": "new"} {
		if text, _, err := a.Text(name); string(text) != want || err != nil {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

// TestDiffsThatAreKept: the newest, of a bounded number and size.
func TestDiffsThatAreKept(t *testing.T) {
	var a *sources.Archive
	add := func(digest, text string) {
		var b bytes.Buffer
		w := sources.NewWriter(&b)
		if _, err := w.Add(sources.DiffName(digest), digest, strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if a == nil {
			w.Add("/b/x.c", "x.c", strings.NewReader("int x;"))
		} else if err := w.Keep(a); err != nil {
			t.Fatal(err)
		}
		w.Close()
		var err error
		if a, err = sources.Open(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 2 * sources.MaxDiffs {
		add(fmt.Sprintf("%03d", 199-i), "+x")
		if i == sources.MaxDiffs {
			add("199", "+again") // the first one is the newest now
		}
	}
	if n := len(a.Names()); n != sources.MaxDiffs+1 || !a.Has(sources.DiffName("100")) ||
		!a.Has(sources.DiffName("199")) || a.Has(sources.DiffName("198")) || !a.Has("/b/x.c") {
		t.Errorf("%d names: %q", n, a.Names())
	}
	// Of an archive with large ones as many as have room; their text is not needed for that.
	var b bytes.Buffer
	old := zip.NewWriter(&b)
	for i := range 4 {
		if _, err := old.CreateRaw(&zip.FileHeader{Name: sources.DiffName(fmt.Sprint("large", i)),
			UncompressedSize64: 15 << 20, Method: zip.Deflate}); err != nil {
			t.Fatal(err)
		}
	}
	old.Close()
	var err error
	if a, err = sources.Open(bytes.NewReader(b.Bytes()), int64(b.Len())); err != nil {
		t.Fatal(err)
	}
	add("new", "+x")
	if !a.Has(sources.DiffName("new")) || !a.Has(sources.DiffName("large1")) || a.Has(sources.DiffName("large2")) {
		t.Errorf("of large ones there are %q", a.Names())
	}
}

func FuzzOpen(f *testing.F) {
	var b bytes.Buffer
	w := sources.NewWriter(&b)
	w.Add("/b/x.c", "x.c", strings.NewReader("int x;\n"))
	w.Close()
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := sources.Open(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for _, name := range a.Names() {
			if text, _, _ := a.Text(name); len(text) > sources.MaxText {
				t.Fatal(len(text))
			}
		}
	})
}
