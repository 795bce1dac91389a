package dcpiweb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// dcpiOracle is what the fixture's own decoder made of the database.
type dcpiOracle struct {
	Events   map[string]map[string]dcpiOracleTable
	Combined map[string]struct {
		WithSizes       dcpiOracleTable `json:"with_sizes"`
		WithoutSizes    dcpiOracleTable `json:"without_sizes"`
		HotInstructions [][2]any        `json:"hot_instructions"`
	}
	Diff map[string]struct {
		Before, After string
		Rows          [][4]any
	}
}

type dcpiOracleTable struct {
	Total float64
	Rows  []struct {
		Procedure any
		Samples   float64
		Percent   float64
		Cum       float64 `json:"cum_percent"`
	}
}

func (want *dcpiOracleTable) check(t *testing.T, l *webtest.Server, path, event string) {
	t.Helper()
	var got struct {
		Items   []map[string]any
		Columns []struct{ Total float64 }
	}
	if err := json.Unmarshal(l.OK(path).Bytes, &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Items) != len(want.Rows) || got.Columns[0].Total != want.Total {
		t.Fatalf("%s: %d rows of %v, not %d of %v", path, len(got.Items), got.Columns, len(want.Rows), want.Total)
	}
	percent := func(share any) float64 { return math.Round(share.(float64)*1e6) / 1e4 }
	for i, w := range want.Rows {
		row := got.Items[i]
		if row["procedure"] != w.Procedure || row[event] != w.Samples || percent(row[event+"_share"]) != w.Percent ||
			percent(row["cum_share"]) != w.Cum {
			t.Errorf("%s: row %d is %v; want %+v", path, i, row, w)
		}
	}
}

// The tables that the API gives of a database are those of another decoder.
func TestTablesOfADatabase(t *testing.T) {
	b, err := os.ReadFile(filepath.Join(filepath.Join(webtest.Root(), "decode/dcpi/testdata"), "db", "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want dcpiOracle
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	l := webtest.Start(t, nil)
	sized := webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nmS", "app.nm"))
	bare := l.Put("db.tar?wait=5m", webtest.DCPIArchive(t, "tar"))
	later := webtest.API(bare["id"].(string))
	nm, err := os.ReadFile(filepath.Join(filepath.Join(webtest.Root(), "decode/dcpi/testdata"), "db", "app.nm"))
	if err != nil {
		t.Fatal(err)
	}
	body, ct := webtest.Form(t, "file:app.nm", string(nm))
	if a := l.Do("POST", later+"/files?wait=5m", body, "Content-Type", ct, "X-Delete-Token",
		bare["delete_token"].(string)); a.StatusCode != 200 && a.StatusCode != 201 {
		t.Fatalf("%s: %s", a.Status, a.Text())
	}
	for event, c := range want.Combined {
		c.WithSizes.check(t, l, sized+"/procedures?event="+event, event)
		c.WithoutSizes.check(t, l, later+"/procedures?event="+event, event)
		for epoch, table := range want.Events[event] {
			table.check(t, l, fmt.Sprintf("%s/procedures?event=%s&epoch=%s", sized, event, epoch), event)
		}
		items := l.OK(sized + "/samples?limit=10&event=" + event).Object(t)["items"].([]any)
		for i, hot := range c.HotInstructions {
			if row := items[i].(map[string]any); row["address"] != hot[0] || fmt.Sprint(row[event]) != fmt.Sprint(hot[1]) {
				t.Errorf("%s: address %d is %v, not %v", event, i, row, hot)
			}
		}
		d := want.Diff[event]
		items = l.OK(fmt.Sprintf("%s/diff?event=%s&a=%s&b=%s", sized, event, d.Before, d.After)).Object(t)["items"].([]any)
		if len(items) != len(d.Rows) {
			t.Fatalf("%s: %d differences, not %d", event, len(items), len(d.Rows))
		}
		for i, w := range d.Rows {
			row := items[i].(map[string]any)
			if got := [4]any{row["procedure"], row["before"], row["after"], row["delta"]}; fmt.Sprint(got) != fmt.Sprint(w) {
				t.Errorf("%s: difference %d is %v, not %v", event, i, row, w)
			}
		}
	}
}

// Answers about samples are what the document promises.
func TestOpenAPIAnswersOfSamples(t *testing.T) {
	doc := webtest.Document(t)
	l := webtest.Start(t, nil)
	const one = "/api/v1/profiles/{id}"
	cat, err := os.ReadFile(filepath.Join(filepath.Join(webtest.Root(), "decode/dcpi/testdata"), "cat", "dump0.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{
		webtest.PutDCPI(l, "db.zip", webtest.DCPIArchive(t, "zip", "app.nmS")), webtest.PutDCPI(l, "dump0.txt", cat),
	} {
		webtest.Validate(t, doc, one, l.OK(at))
		for _, table := range []string{"images", "procedures", "samples", "epochs", "platforms", "diff", "heat"} {
			for _, query := range []string{
				"", "?unit=events&counts=string", "?unit=seconds", "?by=epoch", "?by=platform&limit=2", "?format=csv",
				"?format=text", "?format=ndjson",
				"?event=none", "?image=none", "?epoch=none", "?by=x", "?shift=0x10", "?shift=x", "?nothing=1",
			} {
				webtest.Validate(t, doc, one+"/"+table, l.Get(at+"/"+table+query))
			}
			if table == "heat" {
				continue
			}
			for _, format := range []string{"csv", "json", "ndjson"} {
				webtest.Validate(t, doc, one+"/export/{format}", l.OK(at+"/export/"+format+"?table="+table))
			}
		}
		for _, format := range []string{"csv", "json?table=dcpi-profiles", "sqlite", "csv?table=samples&event=x"} {
			webtest.Validate(t, doc, one+"/export/{format}", l.Get(at+"/export/"+format))
		}
		for _, format := range []string{"pprof", "folded", "dcpi", "dcpi-json", "proftext"} {
			a := l.Get(at + "/export/" + format)
			if webtest.Validate(t, doc, one+"/export/{format}", a); a.StatusCode != 200 &&
				(format == "pprof" || format == "folded") {
				t.Errorf("%s: %s", format, a.Status)
			}
		}
		for _, path := range []string{
			"/procedures?sort=-none", "/samples?sort=none", "/diff?a=1", "/diff?sort=x", "/procedures?re=(", "/heat?cell=0",
			"/samples?to=x",
		} {
			if a := l.Get(at + path); a.StatusCode != 400 {
				t.Errorf("%s: %s", path, a.Status)
			}
		}
	}
	other := l.Do("PUT", "/api/v1/profiles/a.profraw?wait=5m",
		bytes.NewReader(webtest.File(t, "ir_c.profraw"))).Object(t)["id"].(string)
	for _, table := range []string{"images", "procedures", "samples", "epochs", "platforms", "diff", "heat"} {
		a := l.Get("/api/v1/profiles/" + other + "/" + table)
		if webtest.Validate(t, doc, one+"/"+table, a); a.StatusCode != 404 {
			t.Errorf("%s of counters: %s", table, a.Status)
		}
	}
}

// Every file of the test data through an upload: good ones are ready, bad ones
// fail with a kind that is right.
func TestUploadsOfSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, folder := range []string{"hand", "bad", "cat"} {
		paths, err := filepath.Glob(filepath.Join(filepath.Join(webtest.Root(), "decode/dcpi/testdata"), folder, "*.json"))
		if err != nil || len(paths) == 0 {
			t.Fatal(folder, err)
		}
		for _, path := range paths {
			var want struct {
				Error struct {
					Kinds []string `json:"kinds_ok"`
				}
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(b, &want); err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(path, ".json")
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			a := l.Do("PUT", "/api/v1/profiles/"+filepath.Base(name)+"?wait=5m", bytes.NewReader(data))
			if folder != "bad" {
				if a.StatusCode != 201 {
					t.Errorf("%s: %s %s", name, a.Status, a.Text())
					continue
				}
				at := "/api/v1/profiles/" + a.Object(t)["id"].(string)
				l.OK(at + "/procedures")
				continue
			}
			kind, _ := a.Object(t)["kind"].(string)
			right := kind == "unrecognized_format" && filepath.Base(name) == "not_a_profile.prof" // a script
			for _, k := range want.Error.Kinds {
				right = right || k == kind
			}
			if a.StatusCode != 422 || !right {
				t.Errorf("%s: %s, %q; want one of %v", name, a.Status, kind, want.Error.Kinds)
			}
		}
	}
}
