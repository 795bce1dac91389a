//go:build long

// Package family makes a family of profiles from the outside: lists of ships. Its sources in
// testdata stand where a family's do, and are the model of one. The test shows which files of
// the program a family touches, and that all of them are lists.
package family

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// added are the lines that the family adds to files of the program, each behind another.
var added = []struct{ file, after, line string }{
	{"decode/suites.go", `	"proflens/decode/sampleprof"`, `	"proflens/decode/ships"`},
	{"decode/suites.go", "	sampleprof.Suite,", "	ships.Suite,"},
	{"profile/families.go", `	"proflens/profile/sampledb"`, `	"proflens/profile/shipsdb"`},
	{"profile/families.go", "	&covdb.Family,", "	&shipsdb.Family,"},
	{"profile/tables/tables.go", `	"proflens/profile/sampledb"`, `	"proflens/profile/shipsdb"`},
	{"profile/tables/tables.go", "var registry = slices.Concat(",
		"	entries(shipsdb.Family.Name, shipsdb.Of, nil, []opened[*shipsdb.Profile]{{" +
			`"ships", "ships, heaviest first", ` + "declared(shipsdb.Ships, (*shipsdb.Profile).FindShips)}}),"},
	{"builds/measures/families.go", "package measures", "\nimport \"proflens/profile/shipsdb\""},
	{"builds/measures/families.go", "	dcpi,",
		`	{Name: shipsdb.Family.Name, Needs: "a list of ships", Figures: shipsdb.Figures},`},
	{"handlers/server.go", `	"proflens/handlers/sampleweb"`, `	"proflens/handlers/shipsweb"`},
	{"handlers/server.go", "		memprofweb.Family(s.Site),", "		shipsweb.Family(s.Site),"},
}

// lists is where those of ships are.
const lists = "testdata/decode/ships/testdata/"

// Most files that a family may touch, and lines that it may add to each.
const (
	mostFiles = 8
	mostLines = 2
)

// TestAFamilyAddsLinesToListsAlone builds the program with one more family, and asks it for
// all that profiles of any family have.
func TestAFamilyAddsLinesToListsAlone(t *testing.T) {
	root := t.TempDir()
	copyProgram(t, root)
	addOwn(t, root)
	addLines(t, root)
	run(t, root, "go", "test", "-run", "TestImportsFollowThePlan", ".")
	run(t, root, "go", "build", "-trimpath", "-buildvcs=false", "-o", "proflens.exe", ".")
	program := filepath.Join(root, "proflens.exe")
	fleet, err := filepath.Abs(lists + "fleet.ships")
	if err != nil {
		t.Fatal(err)
	}
	want(t, run(t, root, program, "inspect", fleet), "list of ships", "Cutty Sark 963")
	const csv = "id,name,weight\r\n2,Vasa,1210\r\n1,Cutty Sark,963\r\n3,Mary Rose,500\r\n"
	if got := run(t, root, program, "export", "-f", "csv", fleet); got != csv {
		t.Errorf("csv: %q", got)
	}
	run(t, root, program, "export", "-f", "sqlite", "-o", "ships.db", fleet)

	s := serve(t, program)
	a, b := s.upload(t, "fleet.ships"), s.upload(t, "refitted.ships")
	page, api := "/p/"+a, "/api/v1/profiles/"+a
	want(t, s.get(t, "/", "text/html"), ".ships", "lists of ships")
	want(t, s.get(t, page, "text/html"), ">Overview<", "Tons", "/ships", "list of ships: 2 673 tons.")
	want(t, s.get(t, page, "text/plain"), "heaviest ships", "2673")
	rows := s.get(t, page+"/ships?sort=name&weight=600..", "text/html")
	if want(t, rows, "Cutty Sark", "Vasa"); strings.Index(rows, "Cutty Sark") > strings.Index(rows, "Vasa") {
		t.Error("the page is not sorted by name")
	}
	if strings.Contains(rows, "Mary Rose") {
		t.Error("the page has a ship that the filter leaves out")
	}
	want(t, s.get(t, api, ""), `"kinds":["ships"]`, `"ships":{"ships":3,"weight":2673}`)
	want(t, s.get(t, api+"/ships?sort=weight&limit=1", ""), `"name":"Mary Rose"`, `"weight":500`, `"total":3`)
	for _, path := range []string{"/ships?format=csv", "/export/csv", "/export/csv?table=ships"} {
		if got := s.get(t, api+path, ""); got != csv {
			t.Errorf("%s: %q", path, got)
		}
	}
	want(t, s.get(t, "/compare/"+a+"..."+b, "text/html"), "Cutty Sark", "Victory", "Mary Rose")
	want(t, s.get(t, "/api/v1/compare/"+a+"..."+b, ""), `"family":"ships"`, `"state":"only_test"`)

	var document struct {
		Paths      map[string]any
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal([]byte(s.get(t, "/api/v1/openapi.json", "")), &document); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Ship", "ShipList", "ShipFigures"} {
		if document.Components.Schemas[name] == nil {
			t.Errorf("the document of the API has no %s", name)
		}
	}
	if document.Paths["/api/v1/profiles/{id}/ships"] == nil {
		t.Error("the document of the API has no route of ships")
	}
}

// copyProgram links the files that git lists into a folder.
func copyProgram(t *testing.T, root string) {
	top := strings.TrimSpace(run(t, ".", "git", "rev-parse", "--show-toplevel"))
	for name := range strings.SplitSeq(strings.TrimRight(run(t, top, "git", "ls-files", "-z"), "\x00"), "\x00") {
		to := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			t.Fatal(err)
		}
		from := filepath.Join(top, name)
		if os.Link(from, to) == nil {
			continue
		}
		data, err := os.ReadFile(from) // on another disk
		if err == nil {
			err = os.WriteFile(to, data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// addOwn adds the family's own files, none of which is there.
func addOwn(t *testing.T, root string) {
	if err := os.CopyFS(root, os.DirFS("testdata")); err != nil {
		t.Fatal(err)
	}
}

// addLines adds those of the lists.
func addLines(t *testing.T, root string) {
	lines := map[string]int{}
	for _, a := range added {
		path := filepath.Join(root, a.file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		before, behind, ok := strings.Cut(string(data), a.after+"\n")
		if !ok || strings.Contains(behind, "\n"+a.after+"\n") {
			t.Fatalf("%s has not one line %q", a.file, a.after)
		}
		os.Remove(path) // it is a link
		if err := os.WriteFile(path, []byte(before+a.after+"\n"+a.line+"\n"+behind), 0o644); err != nil {
			t.Fatal(err)
		}
		if lines[a.file]++; lines[a.file] > mostLines {
			t.Errorf("%s takes more than %d lines: it is no list", a.file, mostLines)
		}
	}
	if len(lines) > mostFiles {
		t.Errorf("a family touches %d files of the program, more than %d", len(lines), mostFiles)
	}
}

// run runs a command in a folder, and returns what it prints.
func run(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	var stderr bytes.Buffer
	cmd.Dir, cmd.Stderr = dir, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// want wants words in an answer.
func want(t *testing.T, answer string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(answer, word) {
			t.Errorf("%q is missing in:\n%s", word, answer)
		}
	}
}

// server is the program as it serves; its address.
type server string

func serve(t *testing.T, program string) server {
	cmd := exec.Command(program, "serve", "-addr", "localhost:0", "-data", filepath.Join(t.TempDir(), "data"))
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait()
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, at, ok := strings.Cut(lines.Text(), "serves on "); ok {
			address, _, _ := strings.Cut(at, "/,")
			go io.Copy(io.Discard, out)
			return server(address)
		}
	}
	t.Fatal("the server did not start")
	return ""
}

// upload sends a file as curl -T does, and returns the ID of its profile, once it is ready.
func (s server) upload(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(lists + name)
	if err != nil {
		t.Fatal(err)
	}
	var profile struct{ ID, Status string }
	answer := s.ask(t, http.MethodPut, "/api/v1/profiles/"+name+"?wait=60s", "", data)
	if err := json.Unmarshal([]byte(answer), &profile); err != nil || profile.Status != "ready" {
		t.Fatal(err, answer)
	}
	return profile.ID
}

func (s server) get(t *testing.T, path, accept string) string {
	t.Helper()
	return s.ask(t, http.MethodGet, path, accept, nil)
}

// ask asks for an answer without a fault.
func (s server) ask(t *testing.T, method, path, accept string, body []byte) string {
	t.Helper()
	r, err := http.NewRequest(method, string(s)+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Accept", accept)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode >= http.StatusBadRequest {
		t.Fatalf("%s %s: %s %v\n%s", method, path, answer.Status, err, text)
	}
	return string(text)
}
