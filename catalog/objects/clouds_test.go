//go:build clouds

package objects

import (
	"crypto/md5"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeCloud keeps files for those who speak otherwise than S3.
type fakeCloud struct {
	mu    sync.Mutex
	files map[string][]byte
}

func (f *fakeCloud) serve(w http.ResponseWriter, r *http.Request, key string) bool {
	content, has := f.files[key]
	if has {
		w.Header().Set("ETag", `"0x1"`)
		w.Header().Set("X-Goog-Generation", "1")
		w.Header().Set("X-Ms-Creation-Time", "Fri, 02 Jan 2026 03:04:05 GMT")
		if span := r.Header.Get("X-Ms-Range"); span != "" {
			r.Header.Set("Range", span)
		}
		http.ServeContent(w, r, "", time.Unix(1e9, 0), strings.NewReader(string(content)))
	}
	return has
}

// google answers as the JSON interface of Google Cloud Storage, and as its XML for reads.
func (f *fakeCloud) google(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	describe := func(key string) map[string]any {
		return map[string]any{
			"kind": "storage#object", "bucket": "bucket", "name": key, "size": fmt.Sprint(len(f.files[key])),
			"updated": "2026-01-02T03:04:05Z", "generation": "1",
		}
	}
	answer := func(v any) {
		w.Header().Set("Content-Type", "application/json")
		if err := json.NewEncoder(w).Encode(v); err != nil {
			panic(err)
		}
	}
	key, isObject := strings.CutPrefix(r.URL.Path, "/storage/v1/b/bucket/o/")
	switch _, has := f.files[key]; {
	case r.Method == http.MethodPost:
		_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
		if err != nil {
			panic(err)
		}
		parts := multipart.NewReader(r.Body, params["boundary"])
		first, err := parts.NextPart()
		if err != nil {
			panic(err)
		}
		var about struct{ Name, MD5Hash string }
		if err := json.NewDecoder(first).Decode(&about); err != nil {
			panic(err)
		}
		second, err := parts.NextPart()
		if err != nil {
			panic(err)
		}
		content, err := io.ReadAll(second)
		if sum := md5.Sum(content); err != nil || about.MD5Hash != base64.StdEncoding.EncodeToString(sum[:]) {
			http.Error(w, `{"error":{"code":400,"message":"another MD5"}}`, http.StatusBadRequest)
			return
		}
		f.files[about.Name] = content
		answer(describe(about.Name))
	case r.URL.Path == "/storage/v1/b/bucket/o":
		items := []any{}
		for _, key := range slices.Sorted(maps.Keys(f.files)) {
			if strings.HasPrefix(key, r.URL.Query().Get("prefix")) {
				items = append(items, describe(key))
			}
		}
		answer(map[string]any{"kind": "storage#objects", "items": items})
	case !isObject && f.serve(w, r, strings.TrimPrefix(r.URL.Path, "/bucket/")):
	case !has:
		w.WriteHeader(http.StatusNotFound)
		answer(map[string]any{"error": map[string]any{"code": 404, "message": "none"}})
	case r.Method == http.MethodDelete:
		delete(f.files, key)
		w.WriteHeader(http.StatusNoContent)
	case r.URL.Query().Get("alt") == "media":
		f.serve(w, r, key)
	default:
		answer(describe(key))
	}
}

// azure answers as Azure Blob Storage.
func (f *fakeCloud) azure(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := strings.TrimPrefix(r.URL.Path, "/account/bucket/")
	content, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	q := r.URL.Query()
	w.Header().Set("Last-Modified", "Fri, 02 Jan 2026 03:04:05 GMT")
	switch _, has := f.files[key]; {
	case q.Get("comp") == "list":
		fmt.Fprint(w, `<EnumerationResults><Blobs>`)
		for _, key := range slices.Sorted(maps.Keys(f.files)) {
			if strings.HasPrefix(key, q.Get("prefix")) {
				fmt.Fprintf(w, `<Blob><Name>%s</Name><Properties><Last-Modified>Fri, 02 Jan 2026 03:04:05 GMT</Last-Modified><Etag>0x1</Etag><Content-Length>%d</Content-Length><BlobType>BlockBlob</BlobType></Properties></Blob>`,
					key, len(f.files[key]))
			}
		}
		fmt.Fprint(w, `</Blobs><NextMarker/></EnumerationResults>`)
	case r.Method == http.MethodPut && q.Get("comp") == "block":
		f.files[key+"#"] = append(f.files[key+"#"], content...)
		w.WriteHeader(http.StatusCreated)
	case r.Method == http.MethodPut && q.Get("comp") == "blocklist":
		f.files[key] = f.files[key+"#"]
		delete(f.files, key+"#")
		w.WriteHeader(http.StatusCreated)
	case r.Method == http.MethodPut:
		f.files[key] = content
		w.WriteHeader(http.StatusCreated)
	case !has:
		w.Header().Set("X-Ms-Error-Code", "BlobNotFound")
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(f.files, key)
		w.WriteHeader(http.StatusAccepted)
	default:
		f.serve(w, r, key)
	}
}

func TestOtherClouds(t *testing.T) {
	google, azure := &fakeCloud{files: map[string][]byte{}}, &fakeCloud{files: map[string][]byte{}}
	atGoogle, atAzure := httptest.NewServer(http.HandlerFunc(google.google)),
		httptest.NewServer(http.HandlerFunc(azure.azure))
	defer atGoogle.Close()
	defer atAzure.Close()
	t.Setenv("STORAGE_EMULATOR_HOST", strings.TrimPrefix(atGoogle.URL, "http://"))
	t.Setenv("AZURE_STORAGE_ACCOUNT", "account")
	t.Setenv("AZURE_STORAGE_KEY", base64.StdEncoding.EncodeToString([]byte("key")))
	u, err := url.Parse(atAzure.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{
		"gs://bucket?anonymous=true&prefix=team/", "azblob://bucket?protocol=http&prefix=team/&domain=" + u.Host,
	} {
		t.Run(address[:strings.Index(address, ":")], func(t *testing.T) {
			r, err := openRemote(t.Context(), address)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if err := r.upload(t.Context(), "objects/ab/abcd-1", bodyOf([]byte("0123456789"))); err != nil {
				t.Fatal(err)
			}
			if n, err := r.size(t.Context(), "objects/ab/abcd-1"); err != nil || n != 10 {
				t.Errorf("%d bytes, %v", n, err)
			}
			got, err := r.reader(t.Context(), "objects/ab/abcd-1", 3, 4)
			if err != nil {
				t.Fatal(err)
			}
			if b, err := io.ReadAll(got); err != nil || string(b) != "3456" {
				t.Errorf("%q, %v", b, err)
			}
			got.Close()
			var keys []string
			for item, err := range r.list(t.Context(), "objects/") {
				if err != nil || item.Size != 10 || item.Modified.IsZero() {
					t.Fatal(item, err)
				}
				keys = append(keys, item.Key)
			}
			if !slices.Equal(keys, []string{"objects/ab/abcd-1"}) {
				t.Errorf("%v", keys)
			}
			if err := r.remove(t.Context(), "objects/ab/abcd-1"); err != nil {
				t.Error(err)
			}
			for name, err := range map[string]error{
				"size": second(r.size(t.Context(), "objects/ab/abcd-1")), "remove": r.remove(t.Context(), "objects/ab/abcd-1"),
				"reader": second(r.reader(t.Context(), "objects/ab/abcd-1", 0, 1)),
			} {
				if !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s of a file that is gone: %v", name, err)
				}
			}
			other := bodyOf([]byte("abc"))
			other.Reader = strings.NewReader("abd")
			if err := r.upload(t.Context(), "b", other); err == nil {
				t.Error("other bytes were taken")
			}
		})
	}
	if _, err := openRemote(t.Context(), "gs://bucket?anonymous=true&regoin=x"); err == nil ||
		!strings.Contains(err.Error(), "regoin") {
		t.Error(err)
	}
}

func second[T any](_ T, err error) error { return err }
