package sampledb_test

import (
	"fmt"
	"slices"
	"testing"

	"proflens/decode/sampleprof"
	"proflens/profile/profiletest"
	"proflens/profile/sampledb"
)

// What stands in vectors is in an exported database as rows, each callee below what it was inlined into.
func TestSampleRows(t *testing.T) {
	found := map[string]int{}
	for _, path := range []string{"llvm-22/nested.afdo", "llvm-22/contexts_text.ext.afdo", "llvm-22/vtables.ext.afdo"} {
		p := open(t, testdata+"/"+path)
		_, decoded := profiletest.Open(t, testdata+"/"+path)
		db := profiletest.SQLite(t, decoded)
		want := map[string][]string{}
		add := func(table string, numbers ...any) {
			row := ""
			for i, n := range numbers {
				if i > 0 {
					row += "|"
				}
				if u, ok := n.(uint64); ok {
					n = int64(u)
				}
				row += fmt.Sprint(n)
			}
			want["sample_"+table] = append(want["sample_"+table], row)
			found[table]++
		}
		err := p.Each(t.Context(), func(e *sampledb.Entry) error {
			for depth, f := range e.Context {
				add("context", e.ID, depth, f.Name+1, f.Loc.Offset, f.Loc.Discriminator)
			}
			node := -1
			var walk func(parent int, at sampleprof.Loc, f *sampleprof.Function)
			walk = func(parent int, at sampleprof.Loc, f *sampleprof.Function) {
				node++
				id := node
				add("inlined", e.ID, id, parent, at.Offset, at.Discriminator, f.Name+1, f.Total, f.Head, f.Checksum)
				for _, b := range f.Body {
					add("line", e.ID, id, b.Offset, b.Discriminator, b.Count)
					for _, c := range b.Targets {
						add("target", e.ID, id, b.Offset, b.Discriminator, c.Name+1, c.Count)
					}
				}
				for _, v := range f.VTables {
					add("vtable", e.ID, id, v.Offset, v.Discriminator, v.Type+1, v.Count)
				}
				for _, s := range f.Sites {
					walk(id, s.Loc, s.Callee)
				}
			}
			walk(-1, sampleprof.Loc{}, e.Function)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, rows := range want {
			if got := profiletest.Texts(t, db, "SELECT * FROM "+name+" ORDER BY rowid"); !slices.Equal(got, rows) {
				t.Errorf("%s: %s has %q, want %q", path, name, got, rows)
			}
		}
	}
	if len(found) != 5 {
		t.Errorf("the examples have rows of %v alone", found)
	}
}
