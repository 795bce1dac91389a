package objects

import (
	"bytes"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// fakeS3 answers as S3 does, by path, for one bucket.
type fakeS3 struct {
	*httptest.Server
	mu    sync.Mutex
	files map[string][]byte
	parts map[string][][]byte // of uploads that are not complete
	asked []*http.Request
	// answer may answer itself.
	answer func(w http.ResponseWriter, r *http.Request) bool
}

func newFakeS3(t *testing.T) *fakeS3 {
	t.Helper()
	f := &fakeS3{files: map[string][]byte{}, parts: map[string][][]byte{}}
	f.Server = httptest.NewServer(f)
	t.Cleanup(f.Close)
	return f
}

// alone takes away what this machine says about Amazon.
func alone(t *testing.T) {
	t.Helper()
	for _, name := range []string{"AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY",
		"AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_DEFAULT_PROFILE",
		"AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL_STS",
		"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN", "AWS_CA_BUNDLE",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI", "AWS_CONFIG_FILE",
		"AWS_SHARED_CREDENTIALS_FILE"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("USERPROFILE", t.TempDir())
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
}

// open opens its bucket with further parameters.
func (f *fakeS3) open(t *testing.T, query string) remote {
	t.Helper()
	alone(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "key")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	return f.openAs(t, query)
}

// openAs opens it with the credentials that are found.
func (f *fakeS3) openAs(t *testing.T, query string) remote {
	t.Helper()
	q, err := url.ParseQuery(strings.TrimPrefix(query, "?"))
	if err != nil {
		t.Fatal(err)
	}
	if !q.Has("endpoint") {
		q.Set("endpoint", f.URL)
	}
	r, err := openRemote(t.Context(), "s3://bucket?"+q.Encode())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// last is the last request.
func (f *fakeS3) last() *http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.asked[len(f.asked)-1]
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>it says so</Message></Error>", code)
}

func (f *fakeS3) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	content, err := io.ReadAll(r.Body)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, r)
	if f.answer != nil && f.answer(w, r) {
		return
	}
	key, found := strings.CutPrefix(r.URL.Path, "/bucket/")
	q := r.URL.Query()
	sent := r.Header.Get("X-Amz-Content-Sha256")
	sum := sha256.Sum256(content)
	md := md5.Sum(content)
	switch stored, has := f.files[key]; {
	case err != nil || !found:
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case r.Method == http.MethodPut &&
		(r.Header.Get("Content-Md5") != base64.StdEncoding.EncodeToString(md[:]) || r.Header.Get("X-Amz-Trailer") != ""):
		refuse(w, http.StatusBadRequest, "BadDigest")
	case sent != "UNSIGNED-PAYLOAD" && sent != "" && sent != hex.EncodeToString(sum[:]):
		refuse(w, http.StatusBadRequest, "XAmzContentSHA256Mismatch")
	case r.Method == http.MethodPut && q.Has("partNumber"):
		n, _ := strconv.Atoi(q.Get("partNumber"))
		for len(f.parts[key]) < n {
			f.parts[key] = append(f.parts[key], nil)
		}
		f.parts[key][n-1] = content
		w.Header().Set("ETag", fmt.Sprintf("%q", hex.EncodeToString(md[:])))
	case r.Method == http.MethodPost && q.Has("uploads"):
		fmt.Fprint(w, "<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>")
	case r.Method == http.MethodPost && q.Has("uploadId"):
		f.files[key] = bytes.Join(f.parts[key], nil)
		fmt.Fprint(w, `<CompleteMultipartUploadResult><Bucket>bucket</Bucket><ETag>"x"</ETag></CompleteMultipartUploadResult>`)
	case r.Method == http.MethodPut:
		f.files[key] = content
	case r.Method == http.MethodDelete:
		delete(f.files, key)
		w.WriteHeader(http.StatusNoContent)
	case key == "":
		f.list(w, q)
	case !has:
		refuse(w, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", `"x"`)
		http.ServeContent(w, r, "", time.Unix(1e9, 0), bytes.NewReader(stored))
	}
}

func (f *fakeS3) list(w http.ResponseWriter, q url.Values) {
	type file struct {
		Key          string
		LastModified time.Time
		Size         int
	}
	var page struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		EncodingType          string
		IsTruncated           bool
		NextContinuationToken string
		Contents              []file
	}
	page.EncodingType = "url"
	most, _ := strconv.Atoi(q.Get("max-keys"))
	for _, key := range slices.Sorted(maps.Keys(f.files)) {
		switch {
		case !strings.HasPrefix(key, q.Get("prefix")) || key <= q.Get("continuation-token"):
		case len(page.Contents) == min(most, 1000):
			page.IsTruncated = true
		default:
			page.Contents = append(page.Contents, file{url.QueryEscape(key), time.Unix(1e9, 0).UTC(), len(f.files[key])})
			if !page.IsTruncated {
				page.NextContinuationToken = key
			}
		}
	}
	if err := xml.NewEncoder(w).Encode(page); err != nil {
		panic(err)
	}
}
