package handlers_test

import (
	"bytes"
	"database/sql"
	"encoding/csv"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"proflens/handlers/webtest"

	"github.com/google/pprof/profile"

	_ "modernc.org/sqlite"
)

// Every table of a profile can be had whole, in every format, with the columns
// of its objects.
func TestTableExports(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	for _, name := range []string{
		"", "functions", "values", "values-memop", "values-vtable", "coverage", "coverage-namespace", "traces", "order",
		"binary-ids",
	} {
		list := l.OK(path + "/export/json?table=" + name).Object(t)
		items := list["items"].([]any)
		if total := list["total"].(json.Number); list["next_cursor"] != nil || total.String() != strconv.Itoa(len(items)) {
			t.Errorf("%s: %d items of %v, cursor %v", name, len(items), total, list["next_cursor"])
		}
		lines := strings.Split(strings.TrimSpace(string(l.OK(path+"/export/ndjson?table="+name).Bytes)), "\n")
		if len(lines) != len(items)+1 || !strings.Contains(lines[len(items)], `"_end":true`) {
			t.Errorf("%s: %d lines for %d items", name, len(lines), len(items))
		}
		a := l.OK(path + "/export/csv?table=" + name)
		rows, err := csv.NewReader(bytes.NewReader(a.Bytes)).ReadAll()
		if err != nil || len(rows) != len(items)+1 {
			t.Errorf("%s: %d rows, %v", name, len(rows), err)
		}
		if len(items) == 0 {
			continue
		}
		for _, column := range rows[0] {
			if _, ok := items[0].(map[string]any)[column]; !ok && column != "name_hex" {
				t.Errorf("%s: the objects lack the column %s", name, column)
			}
		}
	}
	if got := l.OK(path + "/export/csv").Header.Get("Content-Disposition"); got != `attachment; filename=ir_c.profraw-functions.csv` {
		t.Errorf("Content-Disposition: %s", got)
	}
}

func TestTableExportParameters(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	for query, says := range map[string]string{
		"csv?table=samples":          "its tables: functions, values",
		"csv?cols=nonsense":          "rank, fid",
		"json?limit=5":               "unknown parameter",
		"csv?table=values&class=hot": "unknown parameter",
		"sqlite?table=functions":     "unknown parameter",
	} {
		p := webtest.Problem(t, l.Get(path+"/export/"+query), http.StatusBadRequest, "bad_parameter")
		if !strings.Contains(p["detail"].(string), says) {
			t.Errorf("%s: %v", query, p["detail"])
		}
	}
	rows := strings.Split(strings.TrimSpace(string(l.OK(path+"/export/csv?class=hot&cols=rank,class&sort=-rank").Bytes)),
		"\r\n")
	if rows[0] != "rank,class" || len(rows) < 2 {
		t.Fatalf("rows are %q", rows)
	}
	for _, row := range rows[1:] {
		if !strings.HasSuffix(row, ",hot") {
			t.Errorf("a hot function is %q", row)
		}
	}
}

func TestSQLiteExport(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	a := l.OK(path + "/export/sqlite")
	if a.Header.Get("Content-Type") != "application/vnd.sqlite3" ||
		a.Header.Get("Content-Disposition") != "attachment; filename=ir_c.db" {
		t.Errorf("header %v", a.Header)
	}
	file := filepath.Join(t.TempDir(), "p.db")
	if err := os.WriteFile(file, a.Bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var check string
	var functions int
	if err := db.QueryRow(`PRAGMA integrity_check`).Scan(&check); err != nil || check != "ok" {
		t.Fatal(check, err)
	}
	if err := db.QueryRow(`SELECT count(DISTINCT function) FROM counter`).Scan(&functions); err != nil || functions == 0 {
		t.Errorf("%d functions with counters, %v", functions, err)
	}
	for range 500 { // the server clears up once its answer is whole
		if left, err := os.ReadDir(l.Catalog.StagingDir()); err != nil || len(left) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the export is left in staging")
}

func TestPprofExport(t *testing.T) {
	l, path := webtest.StartWith(t, "ir_c.profraw")
	a := l.OK(path + "/export/pprof")
	if got := a.Header.Get("Content-Disposition"); got != "attachment; filename=ir_c.pb.gz" {
		t.Errorf("Content-Disposition: %s", got)
	}
	p, err := profile.ParseData(a.Bytes)
	if err != nil || len(p.Sample) == 0 || p.CheckValid() != nil {
		t.Errorf("%v, %v", p, err)
	}
}
