package sampleweb_test

import (
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// The lines of a function stand beside their text; what the compiler made up has no line,
// and comes before them.
func TestLinesOfFunctionWithText(t *testing.T) {
	l := webtest.Start(t, nil)
	fields := []string{"group", "one"}
	files := webtest.Files(t, filepath.Join(webtest.Root(), "decode/sampleprof/testdata"), "llvm-22/line.ext.afdo",
		"programs/lines.elf")
	for i := 0; i < len(files); i += 2 {
		fields = append(fields, "file:"+files[i].(string), string(files[i+1].([]byte)))
	}
	body, ct := webtest.Form(t, fields...)
	answer := l.Do("POST", "/api/v1/profiles?wait=1m", body, "Content-Type", ct).Object(t)
	id, token := answer["id"].(string), answer["delete_token"].(string)
	at := webtest.Page(id) + "/functions/9a49cc3e55a0498b" // Grid::walk, declared on line 21
	offsets := func() int {
		return len(webtest.All(webtest.ByTestID(t, l.Page(at+"?rows=offsets", http.StatusOK), "lines"), webtest.Tag("tr")))
	}
	places := offsets()
	bare := webtest.Text(webtest.ByTestID(t, l.Page(at, http.StatusOK), "lines"))
	if !strings.Contains(bare, "none") || strings.Contains(bare, "line 22") {
		t.Errorf("without text: %s", bare)
	}
	var text strings.Builder
	for range 27 { // the last line with samples is the last of the text
		text.WriteString("// a line\r\n")
	}
	if a := l.Do("POST", webtest.API(id)+"/sources?filename=main.cpp", strings.NewReader(text.String()), "X-Delete-Token",
		token); a.StatusCode != http.StatusOK {
		t.Fatal(a.Text())
	}
	table := webtest.ByTestID(t, l.Page(at, http.StatusOK), "lines")
	rows := webtest.All(table, webtest.Tag("tr"))[1:]
	if first := webtest.Text(rows[0]); !strings.Contains(first, "none") {
		t.Errorf("the first row is %q", first)
	}
	if declared := webtest.Text(rows[1]); !strings.Contains(declared, "// a line") || !strings.Contains(declared, "21") {
		t.Errorf("the second row is %q", declared)
	}
	var lines []string
	for _, row := range rows[1:] {
		if cells := webtest.All(row, webtest.Tag("td")); strings.Contains(webtest.Text(cells[6]), "// a line") {
			lines = append(lines, webtest.Text(cells[0])+" "+webtest.Text(cells[2]))
		}
	}
	if got := strings.Join(lines, "|"); got != "21 225|22 |23 239|24 239|25 119|26 125|27 211" {
		t.Errorf("beside the text are %q", got)
	}
	if n := offsets(); n != places || n < 10 {
		t.Errorf("with text there are %d offsets, %d without", n-1, places-1)
	}
	// The page of its file adds up the places of a line.
	for _, line := range strings.Split("21 225|23 239|24 239|25 119|26 353|27 211", "|") {
		number, count, _ := strings.Cut(line, " ")
		of := words(webtest.Said(webtest.ByTestID(t, l.Page(webtest.Page(id)+"/files?file=p/main.cpp&sel="+number,
			http.StatusOK), "line-group")))
		if !strings.HasPrefix(of, "Samples of ") || !strings.Contains(of, "walk (int, int, int) "+count) {
			t.Errorf("line %s has %q, want %s", number, of, count)
		}
	}
	// Lines without samples between those that have some are there with the text, and not without.
	run := webtest.Page(id) + "/functions/d875a60614c3ae29" // vm::run, declared on line 14
	numbers := func() (list []string) {
		for _, row := range webtest.All(webtest.ByTestID(t, l.Page(run, http.StatusOK), "lines"), webtest.Tag("tr"))[1:] {
			list = append(list, webtest.Text(webtest.All(row, webtest.Tag("td"))[0]))
		}
		return list
	}
	without := numbers()
	if a := l.Do("POST", webtest.API(id)+"/sources?filename=vm.cpp", strings.NewReader(strings.Repeat(text.String(), 4)),
		"X-Delete-Token", token); a.StatusCode != http.StatusOK {
		t.Fatal(a.Text())
	}
	with := numbers()
	last, _ := strconv.Atoi(without[len(without)-1])
	want := []string{"none"}
	for n := 14; n <= last; n++ {
		want = append(want, strconv.Itoa(n))
	}
	if !slices.Equal(with, want) || len(without) >= len(with) || without[0] != "none" || slices.Contains(without, "15") {
		t.Errorf("the lines are %q with their text, and %q without", with, without)
	}
	for _, rows := range []string{"source", "offsets"} {
		l.Page(at+"?rows="+rows, http.StatusOK)
	}
	webtest.Problem(t, l.Do("GET", at+"?rows=both", nil, "Accept", "application/json"), http.StatusBadRequest,
		"bad_parameter")
}
