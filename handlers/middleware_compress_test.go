package handlers_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

func TestCompress(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	path := "/api/v1/profiles/" + l.Put("a.profraw", raw)["id"].(string)
	plain := l.OK(path+"/functions", "Accept-Encoding", "identity")
	packed := l.OK(path+"/functions", "Accept-Encoding", "gzip")
	if packed.Header.Get("Content-Encoding") != "gzip" || plain.Header.Get("Content-Encoding") != "" {
		t.Fatalf("encodings %q and %q", packed.Header.Get("Content-Encoding"), plain.Header.Get("Content-Encoding"))
	}
	r, err := gzip.NewReader(bytes.NewReader(packed.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(r); err != nil || !bytes.Equal(unpacked, plain.Bytes) {
		t.Errorf("the compressed answer is another: %v", err)
	}
	// A strong ETag names bytes, so the two have different ones, and either
	// stands for the answer.
	if packed.Header.Get("ETag") == plain.Header.Get("ETag") {
		t.Error("both forms have one ETag")
	}
	for _, tag := range []string{packed.Header.Get("ETag"), plain.Header.Get("ETag")} {
		for _, encoding := range []string{"gzip", "identity"} {
			if a := l.Get(path+"/functions", "If-None-Match", tag, "Accept-Encoding", encoding); a.StatusCode != 304 {
				t.Errorf("If-None-Match: %s with %s: %s", tag, encoding, a.Status)
			}
		}
	}
	if !strings.Contains(strings.Join(plain.Header.Values("Vary"), ","), "Accept-Encoding") {
		t.Errorf("Vary: %v", plain.Header.Values("Vary"))
	}
	original := l.OK(path+"/original", "Accept-Encoding", "gzip")
	if original.Header.Get("Content-Encoding") != "" || !bytes.Equal(original.Bytes, raw) {
		t.Error("an original was compressed")
	}
}
