package objects

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// stores are all kinds of them, empty.
func stores(t *testing.T) map[string]Store {
	t.Helper()
	dir := t.TempDir()
	for _, sub := range []string{"folder/objects", "folder/profiles", "bucket"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	files, err := newFiles(filepath.Join(dir, "bucket"), false, 0o700)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]Store{"folder": NewFolder(filepath.Join(dir, "folder"))}
	for name, r := range map[string]remote{
		"memory": newMemory(), "files": files, "s3": newFakeS3(t).open(t, "?prefix=team/"),
	} {
		b, err := newBucket(r, Options{Cache: filepath.Join(dir, "cache-"+name), CacheSize: 1 << 20})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { b.Close() })
		all[name] = b
	}
	return all
}

func read(t *testing.T, s Store, key string, want Content) ([]byte, error) {
	t.Helper()
	f, err := s.Open(t.Context(), key, want)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

func TestEveryStoreKeepsFiles(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			one, first := sealed(t, "objects/ab/abcd-1", 3000, 1)
			sum := sha256.Sum256(first)
			one.Content = Content{Size: 3000, SHA256: hex.EncodeToString(sum[:])}
			two, second := sealed(t, "objects/ac/acdc-2", 2*BlockSize+5, 2)
			empty, none := sealed(t, "objects/ac/ac00-3", 0, 3)
			if err := s.Put(t.Context(), one, two, empty); err != nil {
				t.Fatal(err)
			}
			for _, f := range []struct {
				Sealed
				content []byte
			}{{one, first}, {two, second}, {empty, none}} {
				if _, err := os.Stat(f.Path); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: the file was left behind: %v", f.Key, err)
				}
				for range 2 {
					if got, err := read(t, s, f.Key, f.Content); err != nil || !bytes.Equal(got, f.content) {
						t.Errorf("%s: %d bytes, %v", f.Key, len(got), err)
					}
				}
			}
			var keys []string
			for item, err := range s.List(t.Context(), "objects/") {
				if err != nil || item.Modified.IsZero() {
					t.Fatal(item, err)
				}
				keys = append(keys, item.Key)
			}
			if want := []string{"objects/ab/abcd-1", "objects/ac/ac00-3", "objects/ac/acdc-2"}; !slices.Equal(keys, want) {
				t.Errorf("listed %v", keys)
			}
			for item := range s.List(t.Context(), "objects/") {
				_ = item
				break // who lists may end
			}
			for range 2 {
				if err := s.Delete(t.Context(), one.Key); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := read(t, s, one.Key, one.Content); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("after deleting: %v", err)
			}
			if _, err := read(t, s, "objects/ad/never", one.Content); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("never stored: %v", err)
			}
		})
	}
}

func TestAlteredFilesAreNotRead(t *testing.T) {
	for name, s := range stores(t) {
		t.Run(name, func(t *testing.T) {
			one, _ := sealed(t, "objects/ab/abcd-1", 3000, 1)
			other, _ := sealed(t, "objects/ab/abcd-2", 3000, 2)
			if err := s.Put(t.Context(), one); err != nil {
				t.Fatal(err)
			}
			if b, ok := s.(*Bucket); ok {
				b.cache.drop(one.Key)
			} else {
				s.(*Folder).Forget(one.Key)
			}
			damaged := new(DamagedError)
			if _, err := read(t, s, one.Key, other.Content); !errors.As(err, &damaged) {
				t.Errorf("with another's checksums: %v", err)
			}
			sum := sha256.Sum256(nil)
			if _, err := read(t, s, one.Key, Content{Size: 3000, SHA256: hex.EncodeToString(sum[:])}); !errors.As(
				err, &damaged) {
				t.Errorf("with another's SHA-256: %v", err)
			}
		})
	}
}

func TestAddresses(t *testing.T) {
	for address, is := range map[string]bool{"s3://bucket?region=eu-central-1": true, "gs://b": true, "azblob://c": true,
		"file:///srv/objects": true,
		"./data":              false, "/srv/data": false, "C:\\data": false, "http://x/": false, "": false} {
		if IsURL(address) != is {
			t.Errorf("%q: %v", address, !is)
		}
	}
	if _, err := OpenBucket(t.Context(), "ftp://x", Options{Cache: t.TempDir()}); err == nil {
		t.Error("an unknown kind of bucket was opened")
	}
	if b, err := OpenBucket(t.Context(), "mem://?prefix=a/", Options{Cache: t.TempDir()}); err != nil ||
		b.Reach(t.Context()) != nil || b.Close() != nil {
		t.Error(err)
	}
}
