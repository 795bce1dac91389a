package instrdb_test

import (
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"testing"

	"proflens/decode/instrprof"
	"proflens/profile"
)

// parted is a source that can be read in parts.
type parted struct {
	*synthetic
	fail []error // by part, after its last record
}

func (p parted) Parts(n int) []iter.Seq2[*instrprof.Function, error] {
	parts := make([]iter.Seq2[*instrprof.Function, error], n)
	for i := range parts {
		part := *p.synthetic
		part.functions = p.functions[i*len(p.functions)/n : (i+1)*len(p.functions)/n]
		if i < len(p.fail) {
			part.fail = p.fail[i]
		}
		parts[i] = part.Functions()
	}
	return parts
}

// tablesOf are the rows of a stored profile, by table.
func tablesOf(t *testing.T, src instrprof.Source) map[string][]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.db")
	if _, err := profile.Write(t.Context(), path, profile.Input{Profile: partOf(src)}, nil); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	tables := map[string][]string{}
	for _, name := range []string{
		"meta", "summary", "summary_entry", "histogram", "curve", "path_node", "function", "running_total", "value_site",
		"name", "permutation",
	} {
		rows, err := db.Query("SELECT * FROM " + name)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			t.Fatal(err)
		}
		values, at := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			at[i] = &values[i]
		}
		for rows.Next() {
			if err := rows.Scan(at...); err != nil {
				t.Fatal(err)
			}
			if row := fmt.Sprintf("%q", values); name != "meta" || values[0] != "file_id" {
				tables[name] = append(tables[name], row)
			}
		}
		if rows.Err() != nil || len(tables[name]) == 0 {
			t.Fatalf("%s: %d rows, %v", name, len(tables[name]), rows.Err())
		}
	}
	return tables
}

// What is read in parts, by several goroutines, is stored as what is read in one go.
func TestASourceInParts(t *testing.T) {
	whole := awkward(5_001, 9)
	whole.info.Records = 5_001
	want, got := tablesOf(t, whole), tablesOf(t, parted{whole, nil})
	for name, rows := range want {
		if len(got[name]) != len(rows) {
			t.Errorf("%s: %d rows, want %d", name, len(got[name]), len(rows))
			continue
		}
		for i, row := range rows {
			if got[name][i] != row {
				t.Errorf("%s, row %d: %.200s, want %.200s", name, i, got[name][i], row)
				break
			}
		}
	}
}

// The error of the first part that has one is that of the whole.
func TestASourceInPartsThatFails(t *testing.T) {
	src := typical(5_000, 1)
	for want, fail := range map[string][]error{
		"second": {nil, errors.New("second")},
		"first":  {errors.New("first"), errors.New("second")},
	} {
		p := parted{src, fail}
		p.synthetic.fail = errors.New(want) // where there is one core
		_, err := profile.Write(t.Context(), filepath.Join(t.TempDir(), "profile.db"), profile.Input{Profile: partOf(p)},
			nil)
		if err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
