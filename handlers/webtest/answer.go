package webtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"golang.org/x/net/html"
)

// Answer is one answer, read whole.
type Answer struct {
	*http.Response
	Bytes []byte
}

// Text is the body.
func (a *Answer) Text() string { return string(a.Bytes) }

// Object is the body as a JSON object with exact numbers.
func (a *Answer) Object(t testing.TB) map[string]any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(a.Bytes))
	d.UseNumber()
	var v map[string]any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s %s: %v in %.300q", a.Request.Method, a.Request.URL, err, a.Bytes)
	}
	return v
}

// Column is one key of the items of a list, as text.
func (a *Answer) Column(t testing.TB, key string) []string {
	t.Helper()
	var values []string
	for _, item := range a.Object(t)["items"].([]any) {
		values = append(values, fmt.Sprint(item.(map[string]any)[key]))
	}
	return values
}

// Parse reads the body as a page.
func (a *Answer) Parse(t testing.TB) *html.Node {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(a.Bytes))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// Problem checks that an answer is problem+json of this status and kind, and
// returns it.
func Problem(t testing.TB, a *Answer, status int, kind string) map[string]any {
	t.Helper()
	if a.StatusCode != status {
		t.Fatalf("%s %s: status %s, want %d: %s", a.Request.Method, a.Request.URL, a.Status, status, a.Bytes)
	}
	if got := a.Header.Get("Content-Type"); got != "application/problem+json" {
		t.Fatalf("%s %s: Content-Type %q: %s", a.Request.Method, a.Request.URL, got, a.Bytes)
	}
	p := a.Object(t)
	if p["kind"] != kind || p["status"] != json.Number(strconv.Itoa(status)) {
		t.Errorf("%s %s: kind %v, status %v; want %s, %d", a.Request.Method, a.Request.URL, p["kind"], p["status"], kind,
			status)
	}
	for _, key := range []string{"title", "detail", "request_id"} {
		if s, _ := p[key].(string); s == "" {
			t.Errorf("%s %s: the problem has no %s: %s", a.Request.Method, a.Request.URL, key, a.Bytes)
		}
	}
	if p["request_id"] != a.Header.Get("X-Request-Id") {
		t.Errorf("request_id %v, header %q", p["request_id"], a.Header.Get("X-Request-Id"))
	}
	return p
}

// Number is a whole number of an object.
func Number(t testing.TB, object map[string]any, key string) int {
	t.Helper()
	n, err := object[key].(json.Number).Int64()
	if err != nil {
		t.Fatal(err)
	}
	return int(n)
}
