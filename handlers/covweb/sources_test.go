package covweb_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/analyze/coverage/coveragetest"
	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// ruled is a server with the profile of rules.c, its address in the API and its token.
func ruled(t *testing.T) (l *webtest.Server, at, token string) {
	t.Helper()
	l = webtest.Start(t, nil)
	fields := []string{"group", "one"}
	files := webtest.Files(t, filepath.Join(webtest.Root(), "decode/covmap/testdata"), "clang-22/rules/rules.profdata",
		"clang-22/rules/rules.exe")
	for i := 0; i < len(files); i += 2 {
		fields = append(fields, "file:"+files[i].(string), string(files[i+1].([]byte)))
	}
	body, ct := webtest.Form(t, fields...)
	p := l.Do("POST", "/api/v1/profiles?wait=1m", body, "Content-Type", ct).Object(t)
	return l, webtest.API(p["id"].(string)), p["delete_token"].(string)
}

// rulesText has as many lines as rules.c, each long enough for its regions.
func rulesText() string {
	return strings.Repeat("return "+strings.Repeat("x", 200)+";\n", 200)
}

func zipOf(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, text := range files {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The text of sources is taken from files and archives, by the end of their paths, from
// those who own the profile; pages show it, and ask for it where it is missing or of
// another version.
func TestSources(t *testing.T) {
	l, at, token := ruled(t)
	page := strings.Replace(at, "/api/v1/profiles/", "/p/", 1) + "/files/rules/rules.c"
	if text := l.OK(page, "Accept", "text/html").Text(); !strings.Contains(text, "No source text for this file.") ||
		!strings.Contains(text, "0 of ") {
		t.Error("the page does not ask for the text")
	}
	post := func(body []byte, headers ...string) *webtest.Answer {
		return l.Do("POST", at+"/sources?filename=a.zip", bytes.NewReader(body), headers...)
	}
	archive := zipOf(t, map[string]string{
		"repo-1.0/rules/rules.c": rulesText(), "repo-1.0/README": "read me", "repo-1.0/other/rules.c.orig": "x",
	})
	webtest.Problem(t, post(archive), http.StatusUnauthorized, "unauthorized")
	webtest.Problem(t, post(archive, "X-Delete-Token", "wrong"), http.StatusForbidden, "forbidden")
	webtest.Problem(t, post(zipOf(t, map[string]string{"README": "x"}), "X-Delete-Token", token),
		http.StatusUnprocessableEntity, "incompatible")
	kept := post(archive, "X-Delete-Token", token).Object(t)
	if missing := kept["missing"].([]any); fmt.Sprintf("%v %v", kept["with_text"], kept["left_out"]) != "1 2" ||
		fmt.Sprint(len(missing)+1) != fmt.Sprint(kept["mapped"]) || strings.Contains(fmt.Sprint(missing), "rules.c") {
		t.Errorf("%v", kept)
	}
	whole := l.Page(page, http.StatusOK)
	if text := l.OK(page, "Accept", "text/html").Text(); strings.Contains(text, "No source text") ||
		strings.Contains(text, "another version") || !strings.Contains(text, "xxxx") {
		t.Error("the page has no text")
	}
	list := l.OK(at + "/sources").Object(t)
	if fmt.Sprint(list["with_text"]) != "1" {
		t.Errorf("%v", list)
	}
	if text := l.OK(at + "/sources?file=rules/rules.c").Text(); text != rulesText() {
		t.Errorf("%d bytes", len(text))
	}
	if a := l.Do("POST", at+"/sources?filename=rules.c", strings.NewReader("int short;\n"), "X-Delete-Token",
		token); a.StatusCode != http.StatusOK {
		t.Errorf("%d, %s", a.StatusCode, a.Text())
	}
	// Of a text that ends before the mapping does, its lines are shown, and all counts: the
	// figures are of the source that was compiled, and which line is not there is said.
	short := l.Page(page, http.StatusOK)
	if said := webtest.Said(short); !strings.Contains(said, "This text is of another version. Line ") ||
		!strings.Contains(said, " of it has no place for what the program counts there.") {
		t.Error("text of another version is not marked")
	}
	if got, want := countsIn(t, short), countsIn(t, whole); want == 0 || got != want {
		t.Errorf("%d lines have a count, of the whole text %d", got, want)
	}
	if a := l.Do("DELETE", at+"/sources", nil, "X-Delete-Token", token); a.StatusCode != http.StatusNoContent {
		t.Errorf("%d", a.StatusCode)
	}
	if fmt.Sprint(l.OK(at + "/sources").Object(t)["with_text"]) != "0" {
		t.Error("the text is still there")
	}
}

// countsIn is how many lines of a page have a count.
func countsIn(t *testing.T, page *html.Node) (n int) {
	t.Helper()
	for _, cell := range webtest.All(webtest.ByTestID(t, page, "lines"), webtest.Tag("td")) {
		if webtest.Attr(cell, "class") == "src-count" && strings.TrimSpace(webtest.Text(cell)) != "" {
			n++
		}
	}
	return n
}

// A diff is answered at once, and by the page that keeps it.
func TestChangedLines(t *testing.T) {
	l, at, token := ruled(t)
	page := strings.Replace(at, "/api/v1/profiles/", "/p/", 1) + "/changed"
	var patch strings.Builder
	patch.WriteString("--- a/rules/rules.c\n+++ b/rules/rules.c\n@@ -0,0 +1,60 @@\n")
	for range 60 {
		patch.WriteString("+<line>\n")
	}
	patch.WriteString("--- a/x.c\n+++ b/x.c\n@@ -0,0 +1 @@\n+int x;\n")
	ask := func(format string) string {
		a := l.Do("POST", at+"/changed"+format, strings.NewReader(patch.String()))
		if a.StatusCode != http.StatusOK {
			t.Fatalf("%d, %s", a.StatusCode, a.Text())
		}
		return a.Text()
	}
	text, markdown := ask("?format=text"), ask("?format=markdown")
	says, _, _ := strings.Cut(text, "\n")
	if !strings.Contains(says, "changed lines covered") || !strings.Contains(markdown, says) ||
		!strings.Contains(text, "x.c: not in the program's coverage mapping") {
		t.Errorf("%s\n%s", text, markdown)
	}
	if !strings.Contains(ask(""), `"unmapped"`) {
		t.Error("no JSON")
	}
	webtest.Problem(t, l.Do("POST", at+"/changed", strings.NewReader("garbage\n")), http.StatusUnprocessableEntity,
		"malformed")
	asked := strings.Replace(at, "/api/v1/profiles", "/p", 1) + "/changed?format=text"
	if a := l.Get(asked); a.StatusCode != http.StatusBadRequest || !strings.Contains(a.Text(),
		"give a unified diff: git diff main | curl --data-binary @- ") {
		t.Errorf("without a diff: %d %s", a.StatusCode, a.Text())
	}
	webtest.Problem(t, l.Do("POST", at+"/changed?format=pdf", strings.NewReader(patch.String())), http.StatusBadRequest,
		"bad_parameter")

	send := func(token string) *webtest.Answer {
		var b bytes.Buffer
		w := multipart.NewWriter(&b)
		w.WriteField("token", token)
		f, _ := w.CreateFormFile("file", "a.diff")
		f.Write([]byte(patch.String()))
		w.Close()
		return l.Do("POST", page, &b, "Content-Type", w.FormDataContentType(), "Accept", "text/html")
	}
	if a := send("wrong"); a.StatusCode != http.StatusForbidden {
		t.Errorf("%d", a.StatusCode)
	}
	kept := send(token)
	if kept.StatusCode != http.StatusSeeOther {
		t.Fatal(kept.StatusCode)
	}
	shown := l.OK(kept.Header.Get("Location"), "Accept", "text/html")
	if html := shown.Text(); !strings.Contains(html, "&lt;line&gt;") ||
		!strings.Contains(html, "changed lines covered") || !strings.Contains(html, "not in the coverage mapping") {
		t.Errorf("%d", shown.StatusCode)
	}
	if a := l.Get(page+"?diff=0123456789abcdef", "Accept", "text/html"); a.StatusCode != http.StatusNotFound {
		t.Errorf("%d", a.StatusCode)
	}
}

// A diff that adds a whole file has on its page what llvm-cov shows of each line, and is asked for lines of one
// kind; what is beyond the room of a page is said.
func TestChangedLinesAreLLVMs(t *testing.T) {
	l, at, token := ruled(t)
	dir, _ := coveragetest.Unpack(t)
	lines := shown(t, filepath.Join(dir, "clang-22/rules/rules.oracle.show.txt"), "", true)["rules/rules.c"]
	var patch strings.Builder
	hunk := func(from, to int) {
		fmt.Fprintf(&patch, "@@ -0,0 +%d,%d @@ part\n", from, to-from+1)
		for _, line := range lines[from-1 : to] {
			fmt.Fprintf(&patch, "+%s\n", line.text)
		}
	}
	patch.WriteString("--- a/rules/rules.c\n+++ b/rules/rules.c\n")
	hunk(1, 12)
	hunk(63, len(lines))
	kept := func(diff string) string {
		body, form := webtest.Form(t, "token", token, "file:a.diff", diff)
		a := l.Do("POST", webtest.Page(strings.TrimPrefix(at, webtest.API("")))+"/changed", body, "Content-Type", form,
			"Accept", "text/html")
		return a.Header.Get("Location")
	}
	path, signs := kept(patch.String()), map[string]string{"○": "0", "◐": "", "●": ""}
	object := l.OK(path + "&format=json").Object(t)
	files := l.Page(path, http.StatusOK)
	covered, partly, missed, none := 0, 0, 0, 0
	for _, tr := range webtest.All(webtest.ByTestID(t, files, "changed-file"), webtest.Tag("tr")) {
		cells := webtest.All(tr, webtest.Tag("td"))
		if len(cells) < 5 {
			continue
		}
		number, _ := strconv.Atoi(webtest.Said(cells[1]))
		line := &lines[number-1]
		count := strings.TrimSpace(webtest.Said(cells[2]))
		sign, _, _ := strings.Cut(count, " ")
		if n := strings.TrimSpace(strings.TrimPrefix(count, sign)); n != line.count && count != line.count ||
			webtest.Said(cells[0]) != "" || webtest.Said(cells[3]) != "+" {
			t.Errorf("line %d has %q of %q, want %q", number, count, webtest.Said(tr), line.count)
		}
		if want, ok := signs[sign]; ok && want != "" && want != line.count {
			t.Errorf("line %d has %q, want %q", number, count, line.count)
		}
		switch {
		case line.count == "":
			none++
		case line.count == "0":
			missed++
		case sign == "◐":
			partly++
		default:
			covered++
		}
	}
	want := strings.ReplaceAll(fmt.Sprintf("%d covered, %d partly, %d not. %s no code.", covered, partly, missed,
		humanize.Plural(none, "added line holds", "added lines hold")), humanize.NumberSpace, " ")
	if said := webtest.Said(files); !strings.Contains(said, want) || covered == 0 || partly == 0 || missed == 0 {
		t.Errorf("the page does not say %q: %v", want, object["says"])
	}
	hunks := func(path string) string {
		var heads []string
		page := webtest.ByTestID(t, l.Page(path, http.StatusOK), "changed-file")
		for _, tr := range webtest.All(page, webtest.Tag("tr")) {
			if webtest.Attr(tr, "class") == "changed-hunk" {
				head, _, _ := strings.Cut(strings.TrimPrefix(webtest.Said(tr), "@@ -0,0 +"), " ")
				heads = append(heads, head)
			}
		}
		if said := webtest.Said(page); strings.Contains(said, "more hunk") {
			heads = append(heads, said[strings.Index(said, "more hunk")-2:])
		}
		return strings.Join(heads, " ")
	}
	second := fmt.Sprintf("63,%d", len(lines)-62)
	for query, want := range map[string]string{
		"": "1,12 " + second, "&show=uncovered": second, "&show=partly": second, "&file=rules/rules.c": "1,12 " + second,
	} {
		if got := hunks(path + query); got != want {
			t.Errorf("%s: the hunks %q, want %q", query, got, want)
		}
	}
	const most = 2000
	long := fmt.Sprintf("--- a/rules/rules.c\n+++ b/rules/rules.c\n@@ -1,%d +0,0 @@\n%s@@ -3000 +7 @@\n-x\n+%s\n", most,
		strings.Repeat("-gone\n", most), lines[6].text)
	if got := hunks(kept(long)); !strings.HasSuffix(got, " 1 more hunk, in the JSON.") {
		t.Errorf("of a long diff there are %q", got)
	}
}

// What clang embeds of the sources in the program is shown without being asked for. Text that
// is given wins, as long as it is there.
func TestEmbeddedSources(t *testing.T) {
	l := webtest.Start(t, nil)
	fields := []string{"group", "one"}
	files := webtest.Files(t, filepath.Join(webtest.Root(), "decode/symbol/testdata/embedded"), "clang-22.exe",
		"clang-22.profdata")
	for i := 0; i < len(files); i += 2 {
		fields = append(fields, "file:"+files[i].(string), string(files[i+1].([]byte)))
	}
	body, ct := webtest.Form(t, fields...)
	p := l.Do("POST", "/api/v1/profiles?wait=1m", body, "Content-Type", ct).Object(t)
	if s := p["sources"].(map[string]any); fmt.Sprintf("%v %v", s["with_text"], s["missing"]) != "3 []" {
		t.Errorf("%v", s)
	}
	id, token := p["id"].(string), p["delete_token"].(string)
	at, name := webtest.API(id)+"/sources", "/src/half/app/twice.c"
	text := func() string { return l.OK(at + "?file=" + name).Text() }
	embedded := text()
	if !strings.HasPrefix(embedded, "/* Größe") {
		t.Errorf("%q", embedded)
	}
	said := func() string { return webtest.Said(l.Page("/p/"+id+"/files"+name, http.StatusOK)) }
	if s := said(); !strings.Contains(s, "source embedded in the program") || !strings.Contains(s, "Größe") {
		t.Errorf("%s", s)
	}
	if a := l.Do("POST", at+"?filename=twice.c", strings.NewReader("int given;\n"), "X-Delete-Token",
		token); a.StatusCode != http.StatusOK || text() != "int given;\n" {
		t.Errorf("%d, %q", a.StatusCode, text())
	}
	if s := said(); strings.Contains(s, "embedded in the program") {
		t.Errorf("%s", s)
	}
	l.Do("DELETE", at, nil, "X-Delete-Token", token)
	if text() != embedded {
		t.Errorf("%q", text())
	}
}
