package query

import (
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"proflens/names"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// named is a profile of n rows with names.
func named(t *testing.T, n int) (*stored.Profile, *btree.Table) {
	t.Helper()
	image, err := stored.Image(`CREATE TABLE meta(key TEXT, value); CREATE TABLE file(id INTEGER PRIMARY KEY, a, b, c, d, e, f);
		CREATE TABLE section(id INTEGER PRIMARY KEY, a, b, c, d, e); CREATE TABLE finding(id INTEGER PRIMARY KEY, a, b, c, d, e, f, g, h, i, j, k, l, m);
		CREATE TABLE binary_id(id INTEGER PRIMARY KEY, a); CREATE TABLE thing(id INTEGER PRIMARY KEY, name)`, stored.Pages)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "profile.db")
	err = stored.WriteFile(t.Context(), path, image, false, func(w *stored.Writer) error {
		if err := w.Meta(func(m *stored.MetaWriter) {
			m.Number("schema", stored.SchemaVersion)
			m.Word("file_id",
				t.Name())
		}); err != nil {
			return err
		}
		return w.Rows("thing", n, func(r *stored.Record, i int) { r.Name(nameOf(i)) })
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := stored.OpenWith(path, stored.NewCache(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	p.Budget = time.Minute // however slow the machine is
	t.Cleanup(func() { p.Close() })
	table, err := p.Table("thing")
	if err != nil {
		t.Fatal(err)
	}
	return p, table
}

// nameOf makes names of any length, none among them.
func nameOf(i int) []byte {
	switch {
	case i%7 == 0:
		return nil
	case i%3 == 0:
		return fmt.Appendf(nil, "a.c;_ZN4n%03d4nameEi", i%1000)
	}
	return fmt.Appendf(nil, "name%d", i*i)
}

// Packed names are those of the rows, and a search of them finds what one of rows does.
func TestPackedNames(t *testing.T) {
	for _, n := range []int{0, 1, PackedBatch, PackedBatch + 70} {
		p, table := named(t, n)
		batches, err := packed(t.Context(), p, table, n, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			if got := batches[i/PackedBatch].At(i % PackedBatch); string(got) != string(nameOf(i)) {
				t.Fatalf("%d of %d: %q, want %q", i, n, got, nameOf(i))
			}
		}
		if none, _, err := pack(t.Context(), n, 3,
			func(from, to int) (*names.Lines, error) { return readNames(table, from+1, to, 1, 3) }); n > 1 &&
			(none != nil || err != nil) {
			t.Errorf("more than the most: %d batches, %v", len(none), err)
		}
		match := func(name []byte) bool { return len(name) > 0 && name[len(name)-1] == '4' }
		found, err := (&Names{Regexp: "4$"}).Match(t.Context(), p, table, n, 1, nil)
		if err != nil || !found.Whole() {
			t.Fatalf("%+v, %v", found, err)
		}
		rows := NewBitset(n)
		if err := searchRows(table, 0, n, 1, match, func(i int) { rows.Set(uint32(i)) }); n > 0 && err != nil {
			t.Fatal(err)
		}
		for i := range uint32(n) {
			if want := match(nameOf(int(i))); found.Matching.Has(i) != want || rows.Has(i) != want {
				t.Errorf("%q: %t packed, %t in rows, want %t", nameOf(int(i)), found.Matching.Has(i), rows.Has(i), want)
			}
		}
	}
}

// Searches find the same whether names are demangled ahead or not.
func TestDemangleAhead(t *testing.T) {
	const n = PackedBatch + 70
	p, table := named(t, n)
	queries := []Names{
		{Text: "name(int)"}, {Text: "NAME 7"}, {Regexp: `::name\(int\)$`}, {Regexp: "^a"}, {Text: "3", Regexp: "^n[0-9]+::"},
		{Text: "_ZN4", Path: "a.c;"},
	}
	var before []*Found
	for _, q := range queries {
		found, err := q.Match(t.Context(), p, table, n, 1, nil)
		if err != nil || !found.Whole() {
			t.Fatalf("%+v: %+v, %v", q, found, err)
		}
		before = append(before, found)
	}
	if err := DemangleAhead(t.Context(), p, table, n, 1); err != nil {
		t.Fatal(err)
	}
	if full, ok := stored.Kept[packedNames](p, demangledKey(table, 1)); !ok || len(full) != 2 ||
		string(full[0].At(3)) != "n003::name(int)" {
		t.Fatalf("%d batches demangled", len(full))
	}
	for i, q := range queries {
		stored.Drop(p, CacheKey("names", table.Root(), 1, q))
		found, err := q.Match(t.Context(), p, table, n, 1, nil)
		if err != nil || !slices.Equal(found.Matching, before[i].Matching) {
			t.Errorf("%+v finds other rows, %v", q, err)
		}
		if len(found.Matching.IDs()) == 0 {
			t.Errorf("%+v finds nothing", q)
		}
	}
}

// Names that take too much memory are looked at row by row, and another way to write them is
// sought in both ways.
func TestNamesThatAreNotPacked(t *testing.T) {
	const n = 700
	backwards := func(name []byte) []byte {
		other := slices.Clone(name)
		slices.Reverse(other)
		return other
	}
	queries := []Names{
		{Text: "name1"}, {Text: "1eman"}, {Regexp: "^4.*eman$"}, {Text: "_ZN4", Path: "a.c;"}, {Regexp: "^$"},
	}
	packed := map[string]Bitset{}
	for _, whole := range []bool{true, false} {
		p, table := named(t, n)
		if !whole {
			_, err := stored.Cached(t.Context(), p, CacheKey("packed names", table.Root(), 1),
				func() (packedNames, int64, error) { return nil, 0, nil })
			if err != nil {
				t.Fatal(err)
			}
			if err := DemangleAhead(t.Context(), p, table, n, 1); err != nil {
				t.Fatal(err)
			}
			if _, ok := stored.Kept[packedNames](p, demangledKey(table, 1)); ok {
				t.Error("names that are not packed are demangled ahead")
			}
		}
		for _, q := range queries {
			for _, other := range []func([]byte) []byte{nil, backwards} {
				key := fmt.Sprint(q, other != nil)
				stored.Drop(p, CacheKey("names", table.Root(), 1, q))
				found, err := q.Match(t.Context(), p, table, n, 1, other)
				if err != nil || !found.Whole() {
					t.Fatalf("%s: %+v, %v", key, found, err)
				}
				if whole {
					packed[key] = found.Matching
				} else if !slices.Equal(found.Matching, packed[key]) {
					t.Errorf("%s: %d rows, and of packed names %d", key, found.Matching.Count(), packed[key].Count())
				}
			}
		}
	}
	for _, q := range queries[1:3] {
		if plain, both := packed[fmt.Sprint(q, false)], packed[fmt.Sprint(q, true)]; plain.Count() > 0 || both.Count() == 0 {
			t.Errorf("%+v finds %d, and with names backwards %d", q, plain.Count(), both.Count())
		}
	}
}
