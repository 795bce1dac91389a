package objects

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
)

// A folder as gocloud.dev left it, with keys that a file system cannot have, a file of
// attributes, and one that was not finished.
func TestAFolderThatGocloudWrote(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("other names are escaped there")
	}
	dir := t.TempDir()
	keys := map[string]string{ // by name
		"objects/ab/abcd-1":              "objects/ab/abcd-1",
		"a/__0x2f__b":                    "a//b",
		"..__0x2f__up":                   "../up",
		"end__0x2f__":                    "end/",
		"line__0xa__end":                 "line\nend",
		"__0x5f___0x2f__":                "__0x2f__",
		"x__0x__y":                       "x__0x__y",
		"objects/ab/abcd-2.17ab3c9f.tmp": "objects/ab/abcd-2.17ab3c9f.tmp",
	}
	for name, key := range keys {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(key), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	beside := filepath.Join(dir, "objects/ab/abcd-1.attrs")
	if err := os.WriteFile(beside, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := openRemote(t.Context(), "file://"+dir+"?no_tmp_dir=true&metadata=skip")
	if err != nil {
		t.Fatal(err)
	}
	var listed []string
	for item, err := range r.list(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, item.Key)
	}
	slices.Sort(listed)
	var want []string
	for _, key := range keys {
		want = append(want, key)
		f, err := r.reader(t.Context(), key, 0, int64(len(key)))
		if err != nil {
			t.Errorf("%q: %v", key, err)
			continue
		}
		if got, err := io.ReadAll(f); err != nil || string(got) != key {
			t.Errorf("%q: %q, %v", key, got, err)
		}
		f.Close()
		if err := r.upload(t.Context(), key, bodyOf([]byte(key))); err != nil { // to the same name
			t.Errorf("%q: %v", key, err)
		}
	}
	slices.Sort(want)
	if !slices.Equal(listed, want) {
		t.Errorf("%q, expected %q", listed, want)
	}
	if err := r.remove(t.Context(), "objects/ab/abcd-1"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(beside); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("its attributes are left: %v", err)
	}
	if _, err := r.size(t.Context(), "objects/ab"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder has a size: %v", err)
	}
	for _, key := range []string{"", ".", "..", "a/../../b", "/abs", "x.attrs"} {
		if err := r.upload(t.Context(), key, bodyOf(nil)); err == nil && key != "a/../../b" && key != "/abs" {
			t.Errorf("%q was taken", key)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), "b")); len(left) > 0 {
		t.Error("a key led out of the folder")
	}
}

func TestAFolderTakesNothingThatChangedOnTheWay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new")
	r, err := openRemote(t.Context(), "file://"+filepath.ToSlash(dir)+"?create_dir=1&dir_file_mode=0750")
	if err != nil {
		t.Fatal(err)
	}
	f := bodyOf([]byte("abc"))
	f.Reader = bodyOf([]byte("abd")).Reader
	if err := r.upload(t.Context(), "a/b", f); err == nil {
		t.Error("other bytes were taken")
	}
	for item, err := range r.list(t.Context(), "") {
		t.Error("left: ", item, err)
	}
}
