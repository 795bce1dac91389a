package handlers_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

func TestUploadPut(t *testing.T) {
	l := webtest.Start(t, nil)
	a := l.Do("PUT", "/api/v1/profiles/ir_c.profraw?label=os%3Dlinux&label=cpu=x86&project=tree&name=a%20run",
		bytes.NewReader(webtest.File(t, "ir_c.profraw")))
	if a.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s", a.Status, a.Bytes)
	}
	p := a.Object(t)
	id := p["id"].(string)
	if want := l.URL + "/p/" + id; a.Header.Get("Location") != want || p["link"] != want {
		t.Errorf("Location %q, link %v; want %q", a.Header.Get("Location"), p["link"], want)
	}
	if len(id) != 26 || len(p["delete_token"].(string)) < 26 {
		t.Errorf("id %q and token %v are too short to be unguessable", id, p["delete_token"])
	}
	for key, want := range map[string]any{
		"status": "ready", "name": "a run", "project": "tree", "functions": json.Number("45"),
		"total":  json.Number("1079558"),
		"format": "llvm-raw", "version": json.Number("10"), "describe": "LLVM raw v10, 64-bit, little-endian, IR",
		"pending": false,
	} {
		if p[key] != want {
			t.Errorf("%s is %v, want %v", key, p[key], want)
		}
	}
	if got := fmt.Sprint(p["labels"]); got != "map[cpu:x86 os:linux]" {
		t.Errorf("labels %s", got)
	}
	again := l.OK("/api/v1/profiles/" + id).Object(t)
	if _, ok := again["delete_token"]; ok {
		t.Error("the delete token was shown twice")
	}
}

func TestUploadCurl(t *testing.T) {
	l := webtest.Start(t, nil)
	a := l.Do("PUT", "/ir_c.profraw", bytes.NewReader(webtest.File(t, "ir_c.profraw")), "Accept", "*/*")
	if a.StatusCode != http.StatusCreated || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") {
		t.Fatalf("%s, %s: %s", a.Status, a.Header.Get("Content-Type"), a.Bytes)
	}
	lines := strings.Split(a.Text(), "\n")
	if lines[0] != a.Header.Get("Location") || !strings.HasPrefix(lines[0], l.URL+"/p/") {
		t.Errorf("the first line is %q, want the link", lines[0])
	}
	if !strings.HasPrefix(lines[1], "delete token: ") {
		t.Errorf("the second line is %q, want the delete token", lines[1])
	}
	for _, want := range []string{"45 functions", "curl ", "/export/proftext", "-X DELETE"} {
		if !strings.Contains(a.Text(), want) {
			t.Errorf("the answer does not say %q:\n%s", want, a.Bytes)
		}
	}
}

// Of a profile with nothing in it, the answer says so, and why.
func TestUploadOfNothing(t *testing.T) {
	l := webtest.Start(t, nil)
	header := bytes.Clone(webtest.File(t, "ir_c.profraw")[:16])
	nothing := append(binary.LittleEndian.AppendUint64(header[:8], 8), make([]byte, 13*8)...)
	for name, data := range map[string][]byte{"empty.profraw": nil, "nothing.profraw": nothing} {
		a := l.Do("PUT", "/"+name, bytes.NewReader(data), "Accept", "*/*")
		if text := a.Text(); a.StatusCode != http.StatusCreated || !strings.Contains(text, "warning: nothing was recorded") ||
			!strings.Contains(text, "LLVM_PROFILE_FILE") || strings.Contains(text, "hottest") {
			t.Errorf("%s: %s\n%s", name, a.Status, text)
		}
		link, _, _ := strings.Cut(a.Text(), "\n")
		text := l.OK(strings.TrimPrefix(link, l.URL), webtest.Terminal...).Text()
		if !strings.Contains(text, "what to do: let it exit normally") || strings.Contains(text, "all functions") {
			t.Errorf("%s: a terminal reads\n%s", name, text)
		}
	}
}

func TestUploadPacked(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	var gz, zipped, tarred bytes.Buffer
	g := gzip.NewWriter(&gz)
	g.Write(raw)
	g.Close()
	z := zip.NewWriter(&zipped)
	f, _ := z.Create("run/ir_c.profraw")
	f.Write(raw)
	z.Close()
	ta := tar.NewWriter(&tarred)
	ta.WriteHeader(&tar.Header{Name: "ir_c.profraw", Size: int64(len(raw)), Mode: 0o644})
	ta.Write(raw)
	ta.Close()
	for name, data := range map[string][]byte{
		"a.profraw.gz": gz.Bytes(), "a.zip": zipped.Bytes(), "a.tar": tarred.Bytes(),
	} {
		p := l.Put(name, data)
		if p["total"] != json.Number("1079558") {
			t.Errorf("%s: total %v", name, p["total"])
		}
		if got := l.OK("/api/v1/profiles/" + p["id"].(string) + "/original"); !bytes.Equal(got.Bytes, raw) {
			t.Errorf("%s: the original is not the unpacked file", name)
		}
	}
}

func TestUploadMultipart(t *testing.T) {
	l := webtest.Start(t, nil)
	raw, text := string(webtest.File(t, "ir_c.profraw")), string(webtest.File(t, "same_name_hashes.proftext"))

	// Two runs of one program are one profile; fields may come after files.
	body, ct := webtest.Form(t, "file:a.profraw", raw, "file:b.profraw", raw, "name", "two runs", "label", "n=2")
	a := l.Do("POST", "/api/v1/profiles", body, "Content-Type", ct)
	if a.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s", a.Status, a.Bytes)
	}
	p := a.Object(t)
	if p["total"] != json.Number("2159116") || p["name"] != "two runs" || len(p["inputs"].([]any)) != 2 {
		t.Errorf("total %v, name %v, inputs %v", p["total"], p["name"], p["inputs"])
	}

	// group=auto makes a list: the raws together, the text apart.
	body, ct = webtest.Form(t, "group", "auto", "file:a.profraw", raw, "file:b.profraw", raw, "file:c.proftext", text)
	a = l.Do("POST", "/api/v1/profiles", body, "Content-Type", ct)
	if a.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s", a.Status, a.Bytes)
	}
	list := a.Object(t)
	items := list["items"].([]any)
	if len(items) != 2 || list["total"] != json.Number("2") {
		t.Fatalf("group=auto made %d profiles, want 2: %s", len(items), a.Bytes)
	}
	for _, item := range items {
		if item.(map[string]any)["delete_token"] == nil {
			t.Error("a profile of the list has no delete token")
		}
	}
}

func TestUploadRawPost(t *testing.T) {
	l := webtest.Start(t, nil)
	a := l.Do("POST", "/api/v1/profiles?filename=x.profraw", bytes.NewReader(webtest.File(t, "ir_c.profraw")),
		"Content-Type", "application/x-www-form-urlencoded")
	if p := a.Object(t); a.StatusCode != http.StatusCreated || p["name"] != "x.profraw" {
		t.Errorf("%s: %s", a.Status, a.Bytes)
	}
}

func TestUploadForm(t *testing.T) {
	l := webtest.Start(t, nil)
	body, ct := webtest.Form(t, "file:a.profraw", string(webtest.File(t, "ir_c.profraw")), "file:", "", "name", "",
		"visibility", "unlisted")
	a := l.Do("POST", "/upload", body, "Content-Type", ct, "Accept", "text/html,*/*;q=0.8", "Sec-Fetch-Site",
		"same-origin")
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s: %s", a.Status, a.Bytes)
	}
	page := a.Header.Get("Location")
	id := strings.TrimPrefix(page, "/p/")
	var cookie *http.Cookie
	for _, c := range a.Cookies() {
		if strings.Contains(c.Name, "token") {
			cookie = c
		}
	}
	if cookie == nil || !cookie.HttpOnly || cookie.SameSite != http.SameSiteStrictMode || cookie.Path != page {
		t.Fatalf("the delete token's cookie is %v", cookie)
	}
	if ok, err := l.Catalog.CheckDeleteToken(t.Context(), id, cookie.Value); !ok || err != nil {
		t.Errorf("the cookie holds no delete token: %v", err)
	}
	if e, err := l.Catalog.Entry(t.Context(), id); err != nil || e.Visibility != catalog.Unlisted {
		t.Errorf("entry %+v, %v", e, err)
	}
	// Deleting by the form of the page.
	gone := l.Do("POST", page+"/delete", strings.NewReader("token=wrong"), "Content-Type",
		"application/x-www-form-urlencoded", "Accept", "text/html")
	if gone.StatusCode != http.StatusForbidden || !strings.HasPrefix(gone.Header.Get("Content-Type"), "text/html") {
		t.Errorf("a wrong token: %s", gone.Status)
	}
	gone = l.Do("POST", page+"/delete", strings.NewReader("token="+cookie.Value), "Content-Type",
		"application/x-www-form-urlencoded", "Accept", "text/html")
	if gone.StatusCode != http.StatusSeeOther {
		t.Errorf("the right token: %s: %s", gone.Status, gone.Bytes)
	}
	if gone = l.Get(page, "Accept", "text/html"); gone.StatusCode != http.StatusGone {
		t.Errorf("afterwards: %s", gone.Status)
	}
}

func TestUploadErrors(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	profiles := "/api/v1/profiles"
	tests := []struct {
		name   string
		answer *webtest.Answer
		status int
		kind   string
		detail string
	}{
		{
			"unknown field", l.Do("PUT", profiles+"/a?nmae=x", bytes.NewReader(raw)), 400, "bad_parameter",
			"known parameters: name, label",
		},
		{"bad label", l.Do("PUT", profiles+"/a?label=x", bytes.NewReader(raw)), 400, "bad_parameter", "KEY=VALUE"},
		{
			"a label with two values", l.Do("PUT", profiles+"/a?label=k=1&label=k=2", bytes.NewReader(raw)), 400,
			"bad_parameter", "k has two values",
		},
		{
			"bad visibility", l.Do("PUT", profiles+"/a?visibility=secret", bytes.NewReader(raw)), 400, "bad_parameter",
			"listed, unlisted",
		},
		{"bad group", l.Do("PUT", profiles+"/a?group=two", bytes.NewReader(raw)), 400, "bad_parameter", "one, auto"},
		{"bad wait", l.Do("PUT", profiles+"/a?wait=forever", bytes.NewReader(raw)), 400, "bad_parameter", "such as 30s"},
		{"bad expires", l.Do("PUT", profiles+"/a?expires=-3h", bytes.NewReader(raw)), 400, "bad_parameter", "7d"},
		{
			"no file", l.Do("POST", profiles, strings.NewReader("--x--\r\n"), "Content-Type",
				"multipart/form-data; boundary=x"), 400, "bad_request", "part called file",
		},
		{
			"bad multipart", l.Do("POST", profiles, strings.NewReader("nothing"), "Content-Type", "multipart/form-data"), 400,
			"bad_request", "",
		},
		{
			"torn multipart", l.Do("POST", profiles,
				strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nab"), "Content-Type",
				"multipart/form-data; boundary=x"), 400, "incomplete_upload", "",
		},
		{
			"too large, said", l.Do("PUT", profiles+"/a", bytes.NewReader(make([]byte, 1<<20+1))), 413, "too_large",
			"at most 1048576 bytes, found 1048577",
		},
		{
			"too large, unsaid", l.Do("PUT", profiles+"/a", io.MultiReader(bytes.NewReader(make([]byte, 1<<20+1)))), 413,
			"too_large", "1048576 bytes",
		},
		{
			"from another site", l.Do("POST", profiles, bytes.NewReader(raw), "Sec-Fetch-Site", "cross-site"), 403,
			"cross_origin", "",
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			p := webtest.Problem(t, test.answer, test.status, test.kind)
			if !strings.Contains(p["detail"].(string), test.detail) {
				t.Errorf("detail %q does not say %q", p["detail"], test.detail)
			}
		})
	}
	if list := l.OK(profiles).Object(t); list["total"] != json.Number("0") {
		t.Errorf("refused uploads left %v profiles", list["total"])
	}
}

// An upload whose client goes away leaves nothing.
func TestUploadCutOff(t *testing.T) {
	l := webtest.Start(t, nil)
	conn, err := net.Dial("tcp", strings.TrimPrefix(l.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "PUT /a.profraw HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nabc")
	conn.(*net.TCPConn).CloseWrite()
	answer, _ := io.ReadAll(conn)
	if !strings.Contains(string(answer), "incomplete_upload") {
		t.Errorf("answered %q", answer)
	}
	if list := l.OK("/api/v1/profiles").Object(t); list["total"] != json.Number("0") {
		t.Errorf("it left %v profiles", list["total"])
	}
}

func TestUploadBroken(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	a := l.Do("PUT", "/api/v1/profiles/cut.profraw", bytes.NewReader(raw[:1000]))
	p := a.Object(t)
	if a.StatusCode != http.StatusUnprocessableEntity || a.Header.Get("Content-Type") != "application/problem+json" {
		t.Fatalf("%s, %s: %s", a.Status, a.Header.Get("Content-Type"), a.Bytes)
	}
	id, _ := p["id"].(string)
	finding, _ := p["finding"].(map[string]any)
	if id == "" || finding == nil || a.Header.Get("Location") != l.URL+"/p/"+id || p["kind"] != finding["kind"] ||
		p["offset"] == nil {
		t.Fatalf("the problem is %s", a.Bytes)
	}
	// It is kept, with its finding.
	kept := l.OK("/api/v1/profiles/" + id).Object(t)
	if kept["status"] != "failed" || len(kept["findings"].([]any)) == 0 {
		t.Errorf("kept as %v with %v", kept["status"], kept["findings"])
	}
	list := l.OK("/api/v1/profiles/" + id + "/diagnostics").Object(t)
	if got := list["items"].([]any)[0].(map[string]any)["message"]; got != finding["message"] {
		t.Errorf("diagnostics say %v, want %v", got, finding["message"])
	}
	anatomy := l.OK("/api/v1/profiles/" + id + "/anatomy").Object(t)
	if sections := anatomy["items"].([]any)[0].(map[string]any)["sections"].([]any); len(sections) == 0 {
		t.Error("the anatomy has no sections, though the header can be read")
	}
	if got := l.OK("/api/v1/profiles/" + id + "/original"); !bytes.Equal(got.Bytes, raw[:1000]) {
		t.Error("the original has other bytes")
	}
	for _, path := range []string{"/functions", "/functions/0123456789abcdef", "/export/proftext"} {
		webtest.Problem(t, l.Get("/api/v1/profiles/"+id+path), http.StatusUnprocessableEntity, p["kind"].(string))
	}
}

func TestUploadToken(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) { c.UploadToken = "sesame" })
	raw := webtest.File(t, "ir_c.profraw")
	for _, auth := range []string{"", "Bearer wrong", "Basic sesame"} {
		a := l.Do("PUT", "/a.profraw", bytes.NewReader(raw), "Authorization", auth)
		webtest.Problem(t, a, http.StatusUnauthorized, "unauthorized")
		if a.Header.Get("WWW-Authenticate") == "" {
			t.Error("no WWW-Authenticate")
		}
	}
	body, ct := webtest.Form(t, "file:a.profraw", string(raw), "upload_token", "sesame") // too late
	webtest.Problem(t, l.Do("POST", "/api/v1/profiles", body, "Content-Type", ct), http.StatusUnauthorized, "unauthorized")
	body, ct = webtest.Form(t, "upload_token", "sesame", "file:a.profraw", string(raw))
	if a := l.Do("POST", "/api/v1/profiles", body, "Content-Type", ct); a.StatusCode != http.StatusCreated {
		t.Errorf("with the token as a field: %s: %s", a.Status, a.Bytes)
	}
	first := l.Put("a.profraw", raw, "Authorization", "Bearer sesame")
	second := l.Put("a.profraw", raw, "Authorization", "bearer sesame")
	// Either token deletes.
	if a := l.Do("DELETE", "/api/v1/profiles/"+first["id"].(string), nil, "Authorization",
		"Bearer sesame"); a.StatusCode != http.StatusNoContent {
		t.Errorf("deleting with the upload token: %s", a.Status)
	}
	if a := l.Do("DELETE", "/api/v1/profiles/"+second["id"].(string), nil, "X-Delete-Token",
		second["delete_token"].(string)); a.StatusCode != http.StatusNoContent {
		t.Errorf("deleting with the delete token: %s", a.Status)
	}
}

func TestDelete(t *testing.T) {
	l := webtest.Start(t, nil)
	p := l.Put("a.profraw", webtest.File(t, "ir_c.profraw"))
	path := "/api/v1/profiles/" + p["id"].(string)
	webtest.Problem(t, l.Do("DELETE", path, nil), http.StatusUnauthorized, "unauthorized")
	webtest.Problem(t, l.Do("DELETE", path, nil, "X-Delete-Token", "aaaaaaaaaaaaaaaaaaaaaaaaaa"), http.StatusForbidden,
		"forbidden")
	l.OK(path)
	if a := l.Do("DELETE", path, nil, "X-Delete-Token",
		p["delete_token"].(string)); a.StatusCode != http.StatusNoContent || len(a.Bytes) > 0 {
		t.Fatalf("%s: %s", a.Status, a.Bytes)
	}
	for _, sub := range []string{"", "/functions", "/anatomy", "/original", "/export/proftext"} {
		gone := webtest.Problem(t, l.Get(path+sub), http.StatusGone, "deleted")
		if !strings.Contains(gone["detail"].(string), time.Now().UTC().Format("2006-")) {
			t.Errorf("detail %q has no date", gone["detail"])
		}
	}
	webtest.Problem(t, l.Do("DELETE", path, nil, "X-Delete-Token", p["delete_token"].(string)), http.StatusGone, "deleted")
	webtest.Problem(t, l.Get("/api/v1/profiles/aaaaaaaaaaaaaaaaaaaaaaaaaa"), http.StatusNotFound, "not_found")
}

func TestAddFiles(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	p := l.Put("a.profraw", raw)
	path := "/api/v1/profiles/" + p["id"].(string)
	before := l.OK(path).Header.Get("ETag")
	webtest.Problem(t, l.Do("POST", path+"/files?filename=b.profraw", bytes.NewReader(raw)), http.StatusUnauthorized,
		"unauthorized")
	webtest.Problem(t, l.Do("POST", path+"/files?filename=b.profraw", bytes.NewReader(raw), "X-Delete-Token", "wrong"),
		http.StatusForbidden, "forbidden")
	a := l.Do("POST", path+"/files?filename=b.profraw", bytes.NewReader(raw), "X-Delete-Token", p["delete_token"].(string))
	if a.StatusCode != http.StatusCreated {
		t.Fatalf("%s: %s", a.Status, a.Bytes)
	}
	after := a.Object(t)
	if after["id"] != p["id"] || after["total"] != json.Number("2159116") || after["delete_token"] != nil {
		t.Errorf("id %v, total %v, token %v", after["id"], after["total"], after["delete_token"])
	}
	if again := l.OK(path); again.Header.Get("ETag") == before || again.Object(t)["total"] != json.Number("2159116") {
		t.Errorf("the profile still answers as before: %s", again.Bytes)
	}
	z := l.OK(path + "/original")
	archive, err := zip.NewReader(bytes.NewReader(z.Bytes), int64(len(z.Bytes)))
	if err != nil || len(archive.File) != 2 {
		t.Fatalf("the originals are %d files, %v", len(archive.File), err)
	}
	if one := l.OK(path + "/original?file=b.profraw"); !bytes.Equal(one.Bytes, raw) {
		t.Error("file=b.profraw is another file")
	}
	webtest.Problem(t, l.Get(path+"/original?file=c"), http.StatusNotFound, "not_found")
}

func TestUploadStillDecoding(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	a := l.Do("PUT", "/api/v1/profiles/a.profraw?wait=1ms", bytes.NewReader(webtest.File(t, "ir_c.profraw")))
	if a.StatusCode != http.StatusAccepted {
		t.Fatalf("%s: %s", a.Status, a.Bytes)
	}
	p := a.Object(t)
	progress, _ := p["progress"].(map[string]any)
	if p["pending"] != true || progress["stage"] != "recognised" || progress["queued"] != json.Number("1") ||
		a.Header.Get("Location") == "" {
		t.Errorf("the answer is %s", a.Bytes)
	}
	path := "/api/v1/profiles/" + p["id"].(string)
	if again := l.OK(path); again.Header.Get("ETag") != "" || again.Object(t)["status"] != "received" {
		t.Errorf("a profile that is not ready: ETag %q, %s", again.Header.Get("ETag"), again.Bytes)
	}
	notReady := l.Get(path + "/functions")
	webtest.Problem(t, notReady, http.StatusConflict, "not_ready")
	if notReady.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	webtest.Problem(t, l.Get(path+"/export/proftext"), http.StatusConflict, "not_ready")
}

// A server that stops answers those who wait for decoding.
func TestUploadWhileStopping(t *testing.T) {
	stopping, stop := context.WithCancel(t.Context())
	l, _ := webtest.Idle(t, func(c *site.Config) { c.Stopping = stopping })
	stop()
	a := l.Do("PUT", "/a.profraw?wait=5m", bytes.NewReader(webtest.File(t, "ir_c.profraw")))
	if a.StatusCode != http.StatusAccepted {
		t.Errorf("%s: %s", a.Status, a.Bytes)
	}
}

// A file's name is decoded from the address once, whichever way it is written.
func TestFileNamesInAddresses(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	for address, want := range map[string]string{
		"100%25.profraw": "100%.profraw", "a%2541.profraw": "a%41.profraw", "x%20y.profraw": "x y.profraw",
		"dir%2Fb%25.profraw": "b%.profraw", "%C3%BC.profraw": "ü.profraw",
	} {
		if got := l.Put(address, raw)["name"]; got != want {
			t.Errorf("%s is called %q, want %q", address, got, want)
		}
	}
}

// An archive without a name is called by the first profile in it, whatever comes before.
func TestArchiveIsNamedByItsProfile(t *testing.T) {
	l := webtest.Start(t, nil)
	raw := webtest.File(t, "ir_c.profraw")
	var tarred bytes.Buffer
	ta := tar.NewWriter(&tarred)
	for _, f := range []struct {
		name string
		data []byte
	}{
		{"run/README.md", []byte("# What this is\n\nTwo runs.\n")}, {"run/first.profraw", raw}, {"run/second.profraw", raw},
	} {
		ta.WriteHeader(&tar.Header{Name: f.name, Mode: 0o644, Size: int64(len(f.data))})
		ta.Write(f.data)
	}
	ta.Close()
	id := strings.TrimSpace(strings.SplitN(l.Do("PUT", "/runs.tar", &tarred, "Accept", "*/*").Text(), "\n", 2)[0])
	object := l.OK("/api/v1/profiles/" + id[strings.LastIndex(id, "/")+1:]).Object(t)
	if object["name"] != "first.profraw and 2 more" {
		t.Errorf("it is called %q", object["name"])
	}
}

// The answer to an upload says which sources have text, as an object and for a terminal; one
// that comes later with its whole path is matched by it.
func TestUploadMatchesSources(t *testing.T) {
	l := webtest.Start(t, nil)
	fields := []string{"group", "one"}
	files := webtest.Files(t, filepath.Join(webtest.Root(), "decode/covmap/testdata/clang-22/kinds"), "kinds.covmapping",
		"kinds.profdata", "src/own.c")
	for i := 0; i < len(files); i += 2 {
		fields = append(fields, "file:"+path.Base(files[i].(string)), string(files[i+1].([]byte)))
	}
	upload := func(accept string) *webtest.Answer {
		body, ct := webtest.Form(t, fields...)
		return l.Do("POST", "/api/v1/profiles?wait=1m", body, "Content-Type", ct, "Accept", accept)
	}
	p := upload("application/json").Object(t)
	if s := p["sources"].(map[string]any); fmt.Sprintf("%v %v", s["mapped"], s["with_text"]) != "3 1" ||
		!strings.Contains(fmt.Sprint(s["missing"]), "own_test.c") {
		t.Errorf("%v", s)
	}
	if text := upload("text/plain").Text(); !strings.Contains(text, "\n  matched: 1 of 3 sources; missing ") {
		t.Errorf("%s", text)
	}
	missing := p["sources"].(map[string]any)["missing"].([]any)[0].(string)
	body, ct := webtest.Form(t, "file:"+missing, "int a;\n", "file:/elsewhere/of/"+path.Base(missing), "int b;\n")
	at := webtest.API(p["id"].(string)) + "/sources"
	added := l.Do("POST", at, body, "Content-Type", ct, "X-Delete-Token", p["delete_token"].(string)).Object(t)
	if fmt.Sprintf("%v %v", added["with_text"], added["left_out"]) != "2 1" {
		t.Errorf("%v", added)
	}
	if text := l.OK(at + "?file=" + url.QueryEscape(missing)).Text(); text != "int a;\n" {
		t.Errorf("%q", text)
	}
}
