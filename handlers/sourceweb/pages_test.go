package sourceweb_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/analyze/sources"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

func TestMain(m *testing.M) { webtest.Main(m) }

// put uploads files of the program shapes as one profile, and gives its id and token.
func put(t *testing.T, l *webtest.Server, names ...string) (id, token string) {
	t.Helper()
	fields := []string{"group", "one"}
	files := webtest.Files(t, filepath.Join(webtest.Root(), "decode/llvm/testdata/shapes"), names...)
	for i := 0; i < len(files); i += 2 {
		fields = append(fields, "file:"+files[i].(string), string(files[i+1].([]byte)))
	}
	body, ct := webtest.Form(t, fields...)
	p := l.Do("POST", "/api/v1/profiles?wait=1m", body, "Content-Type", ct).Object(t)
	id, ok := p["id"].(string)
	if !ok {
		t.Fatal(p)
	}
	token, _ = p["delete_token"].(string)
	return id, token
}

// Every function of an IR profile is declared where llvm-symbolizer says, and the tree of
// files and the filter by path follow.
func TestFunctionsHaveTheLineOfTheDebugInfo(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	id, _ := put(t, l, "ir.profraw", "ir.exe")
	at := webtest.API(id)
	list := l.OK(at + "/functions?sort=file")
	webtest.Validate(t, doc, "/api/v1/profiles/{id}/functions", list)
	places := map[string]string{}
	before := ""
	for _, item := range list.Object(t)["items"].([]any) {
		f := item.(map[string]any)
		places[fmt.Sprint(f["name"])] = fmt.Sprint(f["file"], " ", f["line"])
		if file := fmt.Sprint(f["file"]); file < before {
			t.Errorf("%s stands behind %s", file, before)
		} else {
			before = file
		}
	}
	golden := string(webtest.Files(t, filepath.Join(webtest.Root(), "decode/llvm/testdata/shapes"),
		"ir.golden")[1].([]byte))
	for line := range strings.Lines(golden) {
		name, place, _ := strings.Cut(strings.TrimSpace(line), " ")
		if places[name] != place {
			t.Errorf("%s is at %s, want %s", name, places[name], place)
		}
	}
	if counts := l.OK(at).Object(t)["counts"].(map[string]any); fmt.Sprint(counts["placed"]) != fmt.Sprint(len(places)) ||
		len(places) != 11 {
		t.Errorf("%v of %d", counts["placed"], len(places))
	}
	if n := webtest.Number(t, l.OK(at+"/functions?path=/src/shapes/lib/").Object(t), "total"); n != 6 {
		t.Errorf("%d functions in lib", n)
	}
	if text := l.OK(at + "/coverage?format=csv").Text(); !strings.Contains(text, "/src/shapes/lib/shapes.h") {
		t.Error(text)
	}
	page := webtest.Text(l.Page(webtest.Page(id)+"/functions", http.StatusOK))
	if !strings.Contains(page, "lib/shapes.cpp:9") {
		t.Error("the list has no places")
	}
}

// What each family has by line is on the page of the file, in the API and in the export;
// and a line has what is there.
func TestFilesAndLines(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	for _, tt := range []struct {
		files            []string
		file, line, api  string // of lines, as CSV
		table, head, has string
	}{
		{
			[]string{"ir.profraw", "ir.exe"}, "/src/shapes/main.cpp", "12", "/src/shapes/main.cpp,12,1,12", "function-lines",
			"Functions", "add (int, int)",
		},
		{
			[]string{"heap.memprofraw", "heap.exe.gz"}, "/src/shapes/main.cpp", "22", "/src/shapes/main.cpp,22,128,8,128",
			"heap-lines", "Bytes", "main",
		},
		{
			[]string{"samples.txt", "plain.exe"}, "/src/shapes/lib/shapes.cpp", "11", "/src/shapes/lib/shapes.cpp,11,1050",
			"sample-lines", "cycles", "0x401240",
		},
	} {
		id, token := put(t, l, tt.files...)
		at, page := webtest.API(id), webtest.Page(id)
		webtest.Validate(t, doc, "/api/v1/profiles/{id}/files", l.OK(at+"/files"))
		webtest.Validate(t, doc, "/api/v1/profiles/{id}/lines", l.OK(at+"/lines?file="+tt.file))
		for _, path := range []string{
			"/lines?format=csv&file=" + tt.file, "/lines?format=csv", "/export/csv?table=" + tt.table,
		} {
			if text := l.OK(at + path).Text(); !strings.Contains(text, tt.api+"\r\n") {
				t.Errorf("%s: %s", path, text)
			}
		}
		list := l.Page(page+"/files", http.StatusOK)
		if text := webtest.Text(list); !strings.Contains(text, tt.head) || !strings.Contains(text, "Files") ||
			!strings.Contains(text, "Share") || !strings.Contains(text, "%") {
			t.Error(text)
		}
		name, program := l.OK(at).Object(t)["name"].(string), tt.files[1]
		if !strings.HasPrefix(name, strings.TrimSuffix(program, ".gz")) ||
			tt.head == "Functions" && name != "ir.exe, 1 run, IR" {
			t.Errorf("%v is called %s", tt.files, name)
		}
		shown := l.Page(page+"/files"+tt.file+"?sel="+tt.line, http.StatusOK)
		if text := webtest.Said(webtest.ByTestID(t, shown, "inspector")); !strings.Contains(text, tt.has) {
			t.Errorf("at the line is %s", text)
		}
		if !webtest.HasTestID(shown, "notext") {
			t.Error("nothing asks for the text")
		}
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		f, _ := w.Create("shapes-1.0" + strings.TrimPrefix(tt.file, "/src/shapes"))
		text := strings.Repeat("return 0;\n", 60)
		f.Write([]byte(text))
		w.Close()
		if a := l.Do("POST", at+"/sources?filename=a.zip", &b, "X-Delete-Token", token); a.StatusCode != http.StatusOK {
			t.Fatal(a.Text())
		}
		shown = l.Page(page+"/files"+tt.file, http.StatusOK)
		if text := webtest.Text(webtest.ByTestID(t, shown, "lines")); !strings.Contains(text, "return 0;") ||
			webtest.HasTestID(shown, "notext") {
			t.Error("the page has no text")
		}
		if n := len(webtest.All(webtest.ByTestID(t, l.Page(page+"/files"+tt.file+"?show=figures", http.StatusOK), "lines"),
			webtest.Tag("tr"))); n > 10 {
			t.Errorf("%d rows have figures", n)
		}
		webtest.Problem(t, l.Do("GET", at+"/lines?file=none.c", nil), http.StatusNotFound, "not_found")
		webtest.Problem(t, l.Do("GET", at+"/files?sort=nothing", nil), http.StatusBadRequest, "bad_parameter")
	}
}

// Beside the counts of coverage stand the bytes of the heap in the same profile; a file
// that only the heap has is shown too, and a path need not be whole.
func TestFiguresBesideCoverage(t *testing.T) {
	l := webtest.Start(t, nil)
	id, _ := put(t, l, "cov.exe.gz", "cov.profraw", "heap.exe.gz", "heap.memprofraw")
	page := webtest.Page(id)
	source := l.Page(page+"/files/src/shapes/main.cpp?sel=22", http.StatusOK)
	row := ""
	for _, tr := range webtest.All(webtest.ByTestID(t, source, "lines"), webtest.Tag("tr")) {
		if webtest.Attr(tr, "aria-selected") == "true" {
			row = webtest.Said(tr)
		}
	}
	if !strings.Contains(row, "128 bytes") || !strings.Contains(row, "22 8 ") {
		t.Errorf("line 22 says %q", row)
	}
	if text := webtest.Said(webtest.ByTestID(t, source, "inspector")); !strings.Contains(text, "Ran 8 times") ||
		!strings.Contains(text, "Bytes through main") {
		t.Errorf("beside it is %q", text)
	}
	alone, _ := put(t, l, "heap.exe.gz", "heap.memprofraw")
	for _, item := range l.OK(webtest.API(alone) + "/files").Object(t)["items"].([]any) {
		name := fmt.Sprint(item.(map[string]any)["file"])
		if strings.HasPrefix(name, "/src/shapes/") {
			continue
		}
		if !webtest.HasTestID(l.Page(page+"/files"+name, http.StatusOK), "source") {
			t.Errorf("%s has no page beside coverage", name)
		}
	}
	if at := l.Do("GET", webtest.Page(alone)+"/files/shapes/main.cpp?sel=22",
		nil).Header.Get("Location"); !strings.HasPrefix(at, webtest.Page(alone)+"/files?") ||
		!strings.Contains(at, "shapes%2Fmain.cpp") && !strings.Contains(at, "shapes/main.cpp") {
		t.Errorf("the end of a path leads to %q", at)
	}
	webtest.Problem(t, l.Do("GET", page+"/files/none.cpp", nil, "Accept", "application/json"), http.StatusNotFound,
		"not_found")
}

// An indexed heap has GUIDs and lines below a function's first: beside its program they are
// the same lines as of the raw file.
func TestIndexedHeapHasTheLinesOfItsProgram(t *testing.T) {
	l := webtest.Start(t, nil)
	raw, _ := put(t, l, "heap.memprofraw", "heap.exe.gz")
	want := l.OK(webtest.API(raw) + "/lines?format=csv").Text()
	for _, files := range [][]string{{"heap.profdata", "heap.exe.gz"}, {"heap.exe.gz", "heap.profdata"}} {
		indexed, _ := put(t, l, files...)
		if got := l.OK(webtest.API(indexed) + "/lines?format=csv").Text(); got != want {
			t.Errorf("indexed:\n%s\nraw:\n%s", got, want)
		}
		if text := l.OK(webtest.API(indexed)).Text(); strings.Contains(text, "left_out") {
			t.Error(text)
		}
	}
	alone, _ := put(t, l, "heap.profdata")
	webtest.Problem(t, l.Do("GET", webtest.API(alone)+"/files", nil), http.StatusNotFound, "not_found")
}

// Files stand in their directories, which open and close; a filter and a choice make them
// one list.
func TestFilesByDirectory(t *testing.T) {
	l := webtest.Start(t, nil)
	id, _ := put(t, l, "ir.profraw", "ir.exe")
	files := func(query string) string {
		return webtest.Said(webtest.ByTestID(t, l.Page(webtest.Page(id)+"/files"+query, http.StatusOK), "files-table"))
	}
	if text := files(""); !strings.Contains(text, "lib/ ") || !strings.Contains(text, " shapes.cpp ") {
		t.Errorf("the tree is %q", text)
	}
	if text := files("?open=-"); strings.Contains(text, "shapes.cpp") || !strings.Contains(text, "/src/shapes/") {
		t.Errorf("the closed tree is %q", text)
	}
	for _, query := range []string{"?show=list", "?q=shapes.cpp"} {
		if text := files(query); !strings.Contains(text, "/src/shapes/lib/ shapes.cpp") &&
			!strings.Contains(text, "/src/shapes/lib/shapes.cpp") {
			t.Errorf("%s is %q", query, text)
		}
	}
}

// Each sampled address has the line that it was compiled from.
func TestSamplesHaveTheirLine(t *testing.T) {
	doc, l := webtest.Document(t), webtest.Start(t, nil)
	id, _ := put(t, l, "samples.txt", "plain.exe")
	list := l.OK(webtest.API(id) + "/samples")
	webtest.Validate(t, doc, "/api/v1/profiles/{id}/samples", list)
	for _, item := range list.Object(t)["items"].([]any) {
		if r := item.(map[string]any); r["address"] == "0x401240" {
			if fmt.Sprint(r["file"], r["line"]) != "/src/shapes/lib/shapes.cpp11" {
				t.Error(r)
			}
			return
		}
	}
	t.Error("0x401240 is missing")
}

// Links lead from functions, frames and addresses to their line; a profile without lines
// says so.
func TestLinksToLines(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, tt := range []struct {
		files      []string
		page, link string
	}{
		{[]string{"ir.profraw", "ir.exe"}, "/functions", "/files/src/shapes/main.cpp?sel=18#L18"},
		{[]string{"heap.memprofraw", "heap.exe.gz"}, "/sites?by=context", "/files/src/shapes/main.cpp?sel=22#L22"},
		{[]string{"samples.txt", "plain.exe"}, "/addresses", "/files/src/shapes/lib/shapes.cpp?sel=11#L11"},
		{[]string{"samples.txt", "plain.exe"}, "/procedures", "/files/src/shapes/main.cpp?sel=18#L18"},
	} {
		id, _ := put(t, l, tt.files...)
		found := false
		for _, a := range webtest.All(l.Page(webtest.Page(id)+tt.page, http.StatusOK), webtest.Tag("a")) {
			found = found || webtest.Attr(a, "href") == webtest.Page(id)+tt.link
		}
		if !found {
			t.Errorf("%s does not link to %s", tt.page, tt.link)
		}
	}
	id, _ := put(t, l, "samples.txt")
	webtest.Problem(t, l.Do("GET", webtest.API(id)+"/files", nil), http.StatusNotFound, "not_found")
}

// Lines of a text are told apart as everywhere: a line may end as on Windows, and a text
// ends where a byte of zero stands.
func TestLinesOfWindows(t *testing.T) {
	l := webtest.Start(t, nil)
	id, token := put(t, l, "ir.profraw", "ir.exe")
	line := "int x; //" + strings.Repeat("-", 200) // a byte of zero further in front is of no text
	text := strings.Repeat(line+"\r\n", 60) + "\x00int y;\r\n"
	if a := l.Do("POST", webtest.API(id)+"/sources?filename=main.cpp", strings.NewReader(text), "X-Delete-Token",
		token); a.StatusCode != http.StatusOK {
		t.Fatal(a.Text())
	}
	page := l.Page(webtest.Page(id)+"/files/src/shapes/main.cpp", http.StatusOK)
	var lines []string
	for _, code := range webtest.All(webtest.ByTestID(t, page, "lines"), webtest.Tag("code")) {
		lines = append(lines, webtest.Text(code))
	}
	if len(lines) != 60 || slices.ContainsFunc(lines, func(shown string) bool { return shown != line }) {
		t.Errorf("%d lines are %q", len(lines), lines)
	}
}

// A file, each of its lines and the one that is selected lead to another host, or the page
// says why not.
func TestSourcesElsewhere(t *testing.T) {
	template, err := sources.ParseTemplate("https://code.example/{commit}/{path}#L{line}")
	if err != nil {
		t.Fatal(err)
	}
	l := webtest.Start(t, func(c *site.Config) { c.SourceURL = template })
	with := func(labels ...string) (path string) {
		fields := []string{"group", "one"}
		for _, label := range labels {
			fields = append(fields, "label", label)
		}
		files := webtest.Files(t, filepath.Join(webtest.Root(), "decode/llvm/testdata/shapes"), "ir.profraw", "ir.exe")
		for i := 0; i < len(files); i += 2 {
			fields = append(fields, "file:"+files[i].(string), string(files[i+1].([]byte)))
		}
		body, ct := webtest.Form(t, fields...)
		return webtest.Page(l.Do("POST", "/api/v1/profiles?wait=1m", body, "Content-Type", ct).Object(t)["id"].(string)) +
			"/files/src/shapes/lib/shapes.cpp"
	}
	hrefs := func(page *html.Node) (list []string) {
		for _, a := range webtest.All(page, webtest.Tag("a")) {
			if href := webtest.Attr(a, "href"); strings.HasPrefix(href, "http") {
				list = append(list, href)
			}
		}
		return list
	}
	for _, tt := range []struct{ label, file, line string }{
		{"x=y", "https://code.example/1f2e/lib/shapes.cpp", "#L9"}, // below what main.cpp shares with it
		{"source_root=/src", "https://code.example/1f2e/shapes/lib/shapes.cpp", "#L9"},
		{"source_url=http://other.example/{line}/{path}", "http://other.example/1/lib/shapes.cpp", ""},
	} {
		page := l.Page(with("commit=1f2e", tt.label)+"?sel=9", http.StatusOK)
		if all := hrefs(page); len(all) < 3 || all[0] != tt.file {
			t.Errorf("%s: the file leads to %q", tt.label, all)
		}
		line := strings.Replace(tt.file, "/1/", "/9/", 1) + tt.line
		if inside := hrefs(webtest.ByTestID(t, page, "inspector")); !slices.Equal(inside, []string{line}) ||
			!slices.Contains(hrefs(webtest.ByTestID(t, page, "lines")), line) {
			t.Errorf("%s: line 9 leads to %q", tt.label, inside)
		}
	}
	page := l.Page(with("x=y"), http.StatusOK)
	if said := webtest.Said(webtest.ByTestID(t, page,
		"source-why")); said != "No link to code.example: the profile needs the label commit." || len(hrefs(page)) > 0 {
		t.Errorf("without a commit it says %q", said)
	}
}

// A program that is another's gives no function a line, and the profile says so; one
// without debug info is no error.
func TestProgramsWithoutLines(t *testing.T) {
	l := webtest.Start(t, nil)
	id, _ := put(t, l, "ir.profraw", "plain.exe")
	if text := l.OK(webtest.API(id)).Text(); !strings.Contains(text, "lines.build_id") {
		t.Error(text)
	}
}
