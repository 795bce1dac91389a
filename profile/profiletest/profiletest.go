// Package profiletest stores profiles for tests.
package profiletest

import (
	"os"
	"path/filepath"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profile"
	"proflens/profile/stored"
)

// cacheBytes is room for what tests compute of one profile.
const cacheBytes = 256 << 20

// Path writes a profile's file into a temporary folder.
func Path(t testing.TB, p *format.Profile) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.db")
	if _, err := profile.Write(t.Context(), path, profile.Input{Profile: p}, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// Store writes a profile's file and opens it with a cache of its own until the
// test ends.
func Store(t testing.TB, p *format.Profile) *stored.Profile {
	t.Helper()
	return At(t, Path(t, p))
}

// At opens a profile's file with a cache of its own until the test ends.
func At(t testing.TB, path string) *stored.Profile {
	t.Helper()
	p, err := stored.OpenWith(path, stored.NewCache(cacheBytes))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// Open decodes files, by their paths, and stores the profile that they are.
func Open(t testing.TB, paths ...string) (*stored.Profile, *format.Profile) {
	t.Helper()
	var files []format.File
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, format.File{Name: filepath.Base(path), Data: data})
	}
	p, err := decode.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return Store(t, p), p
}

// Of is a profile of one part.
func Of(family model.Family, records any) *format.Profile {
	p := &format.Profile{Info: model.Info{Families: []model.Family{family}}}
	p.Add(family, records)
	return p
}
