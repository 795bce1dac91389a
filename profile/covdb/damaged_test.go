package covdb_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"testing"

	"proflens/profile/covdb"
	"proflens/profile/profiletest"
	"proflens/profile/table"
)

// A row that is of a function, file or object that there is not is damage, and is never followed; the last that
// there is is none.
func TestDamagedRows(t *testing.T) {
	for _, from := range []struct {
		files  []string
		damage map[string]bool
	}{
		{[]string{"clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"}, map[string]bool{
			"coverage_decision SET function = function": false, "coverage_decision SET function = 0": true,
			"coverage_decision SET function = 1": false, "coverage_decision SET function = 10000": true,
			"coverage_decision SET file = 0":                                        true,
			"coverage_decision SET file = (SELECT count(*) + 1 FROM coverage_file)": true,
			"coverage_decision SET file = (SELECT count(*) FROM coverage_file)":     false,
			"coverage_decision SET number = -1":                                     true,
			"coverage_function SET shown = 1000":                                    true,
			"coverage_function SET shown = length(name)":                            false,
			"coverage_function SET file = 0":                                        false,
			"coverage_function SET file = (SELECT count(*) + 1 FROM coverage_file)": true,
			"coverage_function SET file = (SELECT count(*) FROM coverage_file)":     false,
			"coverage_function SET object = 0":                                      true,
			"coverage_function SET object = 1":                                      false,
			"coverage_function SET object = 2":                                      true,
		}},
		{[]string{"joined/stale.profdata", "joined/stale.exe"}, map[string]bool{
			"coverage_misfit SET object = 0": false, "coverage_misfit SET object = 1": false,
			"coverage_misfit SET object = 2": true,
		}},
	} {
		var paths []string
		for _, path := range from.files {
			paths = append(paths, testdata+path)
		}
		whole, err := os.ReadFile(profiletest.Path(t, decoded(t, paths...)))
		if err != nil {
			t.Fatal(err)
		}
		for statement, want := range from.damage {
			path := filepath.Join(t.TempDir(), "damaged.db")
			if err := os.WriteFile(path, whole, 0o600); err != nil {
				t.Fatal(err)
			}
			db, err := sql.Open("sqlite", path)
			if err == nil {
				_, err = db.Exec("UPDATE " + statement)
				db.Close()
			}
			if err != nil {
				t.Fatal(statement, err)
			}
			if err := asked(t, path); (err != nil) != want {
				t.Errorf("%s: %v", statement, err)
			}
		}
	}
}

// asked is the error of what reads decisions, functions and misfits of a profile's file.
func asked(t *testing.T, path string) error {
	p, err := covdb.Of(profiletest.At(t, path))
	if err != nil {
		return err
	}
	find, err := p.FindDecisions(t.Context(), covdb.DecisionQuery{})
	if err == nil {
		_, err = find(t.Context(), table.Query{})
	}
	if err != nil {
		return err
	}
	if _, err = p.FindMisfits(t.Context(), ""); err != nil {
		return err
	}
	for i := range p.Overview.Files {
		if _, err := p.FileAt(i); err != nil {
			return err
		}
	}
	q := covdb.FunctionQuery{}
	q.Limit = 100
	_, err = p.Functions(t.Context(), q)
	return err
}
