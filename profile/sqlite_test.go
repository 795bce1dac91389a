package profile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"proflens/docs/pages"
	"proflens/profile"
	"proflens/profile/profiletest"
)

// examples are a profile of each family, by name.
var examples = map[string][]string{
	"instr":   {"instrdb/testdata/fe_vp.profdata"},
	"memprof": {"memprofdb/testdata/mem_cold_v4.profdata"},
	"mip":     {"../decode/mip/testdata/merged/counts.mipmap", "../decode/mip/testdata/merged/counts.0.mipraw"},
	"coverage": {
		"../decode/covmap/testdata/clang-22/rules/rules.profdata", "../decode/covmap/testdata/clang-22/rules/rules.exe",
	},
	"dcpi":   {"../decode/dcpi/testdata/cat/dump0.txt"},
	"sample": {"../decode/sampleprof/testdata/text/small.ext.afdo"},
}

// docs/pages/sqlite.md documents every table and view, and its examples run.
func TestSQLiteManual(t *testing.T) {
	text, err := os.ReadFile("../docs/pages/sqlite.md")
	if err != nil {
		t.Fatal(err)
	}
	read, ok := pages.Named("sqlite")
	if !ok {
		t.Fatal("there is no such page")
	}
	page := read.HTML
	_, queries, _ := strings.Cut(string(text), "## Examples")
	var asked []string
	for _, block := range strings.Split(queries, "\n\n") {
		if strings.HasPrefix(block, "    SELECT") {
			asked = append(asked, block)
		}
	}
	for family, paths := range examples {
		_, p := profiletest.Open(t, paths...)
		db := profiletest.SQLite(t, p)
		for _, name := range profiletest.Texts(t, db, `SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')`) {
			if !strings.Contains(page, "<code>"+name+"</code>") {
				t.Errorf("%s: the page does not mention %s", family, name)
			}
			for _, column := range profiletest.Texts(t, db, `SELECT name FROM pragma_table_info(?)`, name) {
				if !strings.Contains(page, "<code>"+column+"</code>") {
					t.Errorf("%s: the page does not mention %s.%s", family, name, column)
				}
			}
		}
		asked = slices.DeleteFunc(asked, func(query string) bool {
			rows, err := db.Query(query)
			if err != nil {
				return false // of another family's tables
			}
			rows.Close()
			return true
		})
	}
	for _, query := range asked {
		t.Errorf("an example runs on no profile:\n%s", query)
	}
}

func TestSQLiteStopsWithTheContext(t *testing.T) {
	p, _ := profiletest.Open(t, examples["instr"]...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	path := filepath.Join(t.TempDir(), "out.db")
	if err := profile.WriteSQLite(ctx, p, path); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if err := profile.WriteSQLite(t.Context(), p, path); !errors.Is(err, os.ErrExist) {
		t.Errorf("written over what is there: %v", err)
	}
}
