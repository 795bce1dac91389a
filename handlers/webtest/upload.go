package webtest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// uploads are the profiles that tests of one server share.
type uploads struct {
	mu  sync.Mutex
	ids map[string]string
}

// File is a file of the folder testdata, or of that of the rooms together.
func File(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if errors.Is(err, fs.ErrNotExist) {
		b, err = os.ReadFile(filepath.Join("..", "testdata", name))
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Put uploads bytes as one file and returns the answer's object.
func (s *Server) Put(name string, data []byte, headers ...string) map[string]any {
	s.T.Helper()
	a := s.Do("PUT", "/api/v1/profiles/"+name, bytes.NewReader(data), headers...)
	if a.StatusCode != http.StatusCreated {
		s.T.Fatalf("PUT %s: %s: %s", name, a.Status, a.Bytes)
	}
	return a.Object(s.T)
}

// Form is a multipart body of fields, names and values in turn; "file:x" is the
// file x.
func Form(t testing.TB, parts ...string) (body *bytes.Buffer, contentType string) {
	t.Helper()
	body = &bytes.Buffer{}
	w := multipart.NewWriter(body)
	for i := 0; i < len(parts); i += 2 {
		var err error
		if name, ok := strings.CutPrefix(parts[i], "file:"); ok {
			var part io.Writer
			if part, err = w.CreateFormFile("file", name); err == nil {
				_, err = io.WriteString(part, parts[i+1])
			}
		} else {
			err = w.WriteField(parts[i], parts[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	w.Close()
	return body, w.FormDataContentType()
}

// Upload uploads a file, whatever it is, and returns the profile's id. A file
// that this server has under this name is not uploaded again: who changes the
// profile uses Put.
func (s *Server) Upload(name string, data []byte) (id string) {
	s.T.Helper()
	return s.Together(name, data)
}

// Together uploads files as one profile, names and bytes in turn, as Upload
// does one.
func (s *Server) Together(files ...any) (id string) {
	s.T.Helper()
	hash := sha256.New()
	fields := []string{"group", "one"}
	for i := 0; i < len(files); i += 2 {
		name, data := files[i].(string), files[i+1].([]byte)
		fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data)
		fields = append(fields, "file:"+name, string(data))
	}
	key := string(hash.Sum(nil))
	s.uploads.mu.Lock()
	defer s.uploads.mu.Unlock()
	if id, ok := s.uploads.ids[key]; ok {
		return id
	}
	body, ct := Form(s.T, fields...)
	a := s.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", ct)
	id, _ = a.Object(s.T)["id"].(string)
	if id == "" {
		s.T.Fatalf("uploading %v: %s: %s", files[0], a.Status, a.Bytes)
	}
	s.uploads.ids[key] = id
	return id
}

// Files are those of a folder by their paths, to be uploaded together: under
// their own names, without the folders.
func Files(t testing.TB, dir string, paths ...string) (files []any) {
	t.Helper()
	for _, path := range paths {
		data, err := os.ReadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, filepath.Base(path), data)
	}
	return files
}

// API is the address of a profile in the API.
func API(id string) string { return "/api/v1/profiles/" + id }

// Page is the address of a profile's pages.
func Page(id string) string { return "/p/" + id }
