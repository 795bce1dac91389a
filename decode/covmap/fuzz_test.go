package covmap_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"proflens/internal/memtest"
)

// FuzzCovmap opens what may be an object of any format, or an archive of them.
func FuzzCovmap(f *testing.F) {
	err := filepath.WalkDir("testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && filepath.Dir(path) != "testdata" && !strings.HasSuffix(path, ".dylib") {
			f.Add(real(f, strings.TrimPrefix(filepath.ToSlash(path), "testdata/")))
		}
		return err
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(archive("!<arch>\n", member{"#1/4", append([]byte("a.o\x00"), real(f, "malformed/good/good.covmapping")...), 0}))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		sound(t, "file", data)
	})
}
