package stored_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"proflens/analyze"
	"proflens/decode/model"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// schema has what every profile's file has to have to be opened, and tables to
// write to.
const schema = `CREATE TABLE meta(key TEXT, value); CREATE TABLE file(id INTEGER PRIMARY KEY, a, b, c, d, e, f);
	CREATE TABLE section(id INTEGER PRIMARY KEY, a, b, c, d, e);
	CREATE TABLE finding(id INTEGER PRIMARY KEY, a, b, c, d, e, f, g, h, i, j, k, l, m);
	CREATE TABLE binary_id(id INTEGER PRIMARY KEY, a); CREATE TABLE thing(id INTEGER PRIMARY KEY, a, b, c);
	CREATE TABLE ids(id INTEGER PRIMARY KEY, ids BLOB);
	CREATE TABLE embedded_source(id INTEGER PRIMARY KEY, name, text BLOB);`

// wrote writes a file and opens it.
func wrote(t *testing.T, fill func(w *stored.Writer) error) *stored.Profile {
	t.Helper()
	image, err := stored.Image(schema, stored.Pages)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "file.db")
	err = stored.WriteFile(t.Context(), path, image, false, func(w *stored.Writer) error {
		if err := meta(w); err != nil {
			return err
		}
		return fill(w)
	})
	if err != nil {
		t.Fatal(err)
	}
	p, err := stored.OpenWith(path, stored.NewCache(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// about is what the file says of itself.
var about = model.Info{
	Format: "raw", Version: 8, PointerSize: 4, BigEndian: true, Profiles: 3, Describe: "a profile",
	Words: []string{"IR", "CS"}, Families: []model.Family{"instr", "memprof"},
	Partial:   []model.Partial{{File: "cut", Records: 1, Promised: 2}, {File: "other", End: 9}},
	BinaryIDs: [][]byte{{1, 0}, {2}},
}

func meta(w *stored.Writer) error {
	return w.Meta(func(m *stored.MetaWriter) {
		m.Number("schema", stored.SchemaVersion)
		m.Word("file_id", "an id")
		m.Number("largest", math.MaxUint64)
		m.Yes("yes", true)
		m.Yes("no", false)
		m.Word("word", "first")
		m.Word("word", "second")
		m.Word("format", string(about.Format))
		m.Number("version", about.Version)
		m.Number("pointer_size", uint64(about.PointerSize))
		m.Yes("big_endian", about.BigEndian)
		m.Number("profiles", uint64(about.Profiles))
		m.Word("describe", about.Describe)
		for _, word := range about.Words {
			m.Word("flag", word)
		}
		for _, family := range about.Families {
			m.Word("family", string(family))
			m.Word("part", string(family))
		}
		for i := range about.Partial {
			text, err := json.Marshal(&about.Partial[i])
			if err != nil {
				panic(err)
			}
			m.Word("partial", string(text))
		}
	})
}

func TestMetaWritten(t *testing.T) {
	m := wrote(t, func(*stored.Writer) error { return nil }).Meta()
	if m.Number("largest") != math.MaxUint64 || m.Int("largest") != -1 {
		t.Errorf("%d, as a count in memory %d", m.Number("largest"), m.Int("largest"))
	}
	if m.Number("yes") != 1 || m.Number("no") != 0 || m.Word("word") != "first" ||
		!slices.Equal(m.Words("word"), []string{"first", "second"}) {
		t.Errorf("%d, %d, %v", m.Number("yes"), m.Number("no"), m.Words("word"))
	}
}

// A file is whole or not there: neither a fault while it is filled, nor a context
// that ends, leaves anything behind or harms what stood there.
func TestWriteFileWholeOrNotAtAll(t *testing.T) {
	image, err := stored.Image(schema, stored.Pages)
	if err != nil {
		t.Fatal(err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	fault := errors.New("a fault of the part")
	many := func(w *stored.Writer) error {
		return w.Rows("thing", 100, func(r *stored.Record, i int) { r.Ints(i, i, i) })
	}
	for name, test := range map[string]struct {
		ctx  context.Context
		fill func(w *stored.Writer) error
		want error
	}{
		"a fault":          {t.Context(), func(w *stored.Writer) error { return errors.Join(many(w), fault) }, fault},
		"an ended context": {gone, many, context.Canceled},
		"no such table":    {t.Context(), func(w *stored.Writer) error { return w.Permutation("nothing", nil) }, nil},
		"rows in disorder": {t.Context(), func(w *stored.Writer) error {
			return w.Table("thing", func(r *stored.Record, add func(int64)) {
				for _, id := range []int64{2, 1, 3} {
					r.Ints(1, 2, 3)
					add(id)
				}
			})
		}, nil},
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, "file.db")
		if err := os.WriteFile(path, []byte("what stood there"), 0o600); err != nil {
			t.Fatal(err)
		}
		err := stored.WriteFile(test.ctx, path, image, true, test.fill)
		if err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
		entries, _ := os.ReadDir(dir)
		data, _ := os.ReadFile(path)
		if len(entries) != 1 || string(data) != "what stood there" {
			t.Errorf("%s leaves %v, and %d bytes of what stood there", name, entries, len(data))
		}
	}
	path := filepath.Join(t.TempDir(), "no", "such", "folder.db")
	if err := stored.WriteFile(t.Context(), path, image, true, many); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if err := stored.WriteFile(t.Context(), filepath.Join(t.TempDir(), "x.db"), []byte("no database"), false,
		many); !errors.Is(err, stored.ErrDamaged) {
		t.Error(err)
	}
}

func TestColumnsComeBack(t *testing.T) {
	known := uint64(7)
	p := wrote(t, func(w *stored.Writer) error {
		return w.Table("thing", func(r *stored.Record, add func(int64)) {
			for id, row := range []func(){
				func() { r.Texts("a", "", "long \xff") },
				func() { r.Uints(0, 1<<63, math.MaxUint64) },
				func() { r.Known(nil); r.Known(&known); r.Flag(true) },
				func() { r.Name(nil); r.Name([]byte("f\x00g")); r.Name([]byte("\xff")) },
				func() { r.BlobOrNull(nil); r.BlobOrNull([]byte{0}); r.Flag(false) },
				func() { r.Sum(analyze.Sum{Lo: 3, Hi: 4}); r.Blob([]byte{0x01, 0x80, 0x01}) },
			} {
				row()
				add(int64(id) + 1)
			}
		})
	})
	rows := 0
	err := p.Walk("thing", func(row *stored.Row) {
		rows++
		switch row.ID {
		case 1:
			if row.String(1) != "a" || row.String(2) != "" || row.String(3) != "long \xff" || row.IsNull(2) {
				t.Errorf("%q, %q, %q", row.String(1), row.String(2), row.String(3))
			}
		case 2:
			if row.Uint(1) != 0 || row.Uint(2) != 1<<63 || row.Uint(3) != math.MaxUint64 {
				t.Errorf("%d, %d, %d", row.Uint(1), row.Uint(2), row.Uint(3))
			}
		case 3:
			if !row.IsNull(1) || row.Uint(2) != 7 || row.Int(3) != 1 {
				t.Errorf("%v, %d, %d", row.IsNull(1), row.Uint(2), row.Int(3))
			}
		case 4:
			if !row.IsNull(1) || string(row.Blob(2)) != "f\x00g" || string(row.Blob(3)) != "\xff" {
				t.Errorf("%q, %q", row.Blob(2), row.Blob(3))
			}
		case 5:
			if !row.IsNull(1) || len(row.Blob(2)) != 1 || row.Int(3) != 0 {
				t.Errorf("%q", row.Blob(2))
			}
		case 6:
			if row.Uint(1) != 3 || row.Uint(2) != 4 || !slices.Equal(row.Vector(3), []uint64{1, 128}) {
				t.Errorf("%d, %d, %v", row.Uint(1), row.Uint(2), row.Vector(3))
			}
		}
	})
	if err != nil || rows != 6 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// The text of a source comes back, of a long one as much as was asked for.
func TestEmbedded(t *testing.T) {
	long := bytes.Repeat([]byte("int x;\n"), 5000)
	p := wrote(t, func(w *stored.Writer) error {
		return w.WriteEmbedded([]model.SourceText{{Name: "a.c", Text: []byte("int y;")}, {Name: "b.c", Text: long}})
	})
	if names, err := p.EmbeddedNames(); err != nil || !slices.Equal(names, []string{"a.c", "b.c"}) {
		t.Errorf("%v, %v", names, err)
	}
	for index, want := range []string{"int y;", string(long[:9000])} {
		if got, err := p.Embedded(index, 9000); err != nil || string(got) != want {
			t.Errorf("%d: %d bytes, %v", index, len(got), err)
		}
	}
	if _, err := p.Embedded(2, 1); err == nil {
		t.Error("a third is found")
	}
	for _, fill := range []func(r *stored.Record){
		func(r *stored.Record) { r.Blob([]byte("no deflate")) }, func(r *stored.Record) { r.Uint(7) },
	} {
		damaged := wrote(t, func(w *stored.Writer) error {
			return w.Rows("embedded_source", 1, func(r *stored.Record, _ int) { r.Text([]byte("a.c")); fill(r) })
		})
		if text, err := damaged.Embedded(0, 100); !errors.Is(err, stored.ErrDamaged) {
			t.Errorf("%q, %v", text, err)
		}
	}
}

// The first fault of a row ends the walk, and is its error.
func TestWalkEndsWithItsFirstFault(t *testing.T) {
	p := wrote(t, func(w *stored.Writer) error {
		return w.Rows("thing", 3, func(r *stored.Record, i int) { r.Blob([]byte{0x80}) })
	})
	rows := 0
	if err := p.Walk("thing", func(row *stored.Row) { rows++; row.Vector(1) }); !errors.Is(err, stored.ErrDamaged) ||
		rows != 1 {
		t.Errorf("%d rows, %v", rows, err)
	}
	fault, rows := errors.New("a fault"), 0
	err := p.Walk("thing", func(row *stored.Row) { rows++; row.Fail(fault); row.Fail(errors.New("another")) })
	if !errors.Is(err, fault) || rows != 1 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestReadVector(t *testing.T) {
	for packed, want := range map[string][]uint64{
		"":     nil,
		"\x00": {0}, "\x7f": {127}, "\x80\x01": {128}, "\x01\x02\x03": {1, 2, 3},
		"\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01": {math.MaxUint64},
	} {
		if got, err := stored.ReadVector(nil, []byte(packed)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%x: %v, %v", packed, got, err)
		}
		if got := stored.VectorSize([]byte(packed+"\x05"), uint64(len(want))); got != len(packed) {
			t.Errorf("%x: %d numbers take %d bytes", packed, len(want), got)
		}
	}
	for _, packed := range []string{
		"\x80", "\x01\xff", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01",
	} {
		if _, err := stored.ReadVector(nil, []byte(packed)); !errors.Is(err, stored.ErrDamaged) {
			t.Errorf("%x: %v", packed, err)
		}
	}
	if got, err := stored.ReadVector([]uint64{9}, []byte{1}); err != nil || !slices.Equal(got, []uint64{9, 1}) {
		t.Errorf("%v, %v", got, err)
	}
}

// A permutation comes back whole, also over several rows; one of another length
// is damage.
func TestPermutations(t *testing.T) {
	for _, n := range []int{0, 1, 16383, 16384, 16385, 40000} {
		ids := make([]uint32, n)
		for i := range ids {
			ids[i] = uint32(n - i)
		}
		p := wrote(t, func(w *stored.Writer) error { return w.Permutation("ids", ids) })
		got, err := p.Permutation("ids", n)
		if err != nil || !slices.Equal(got, ids) {
			t.Errorf("%d ids: %d, %v", n, len(got), err)
		}
		for _, other := range []int{n - 1, n + 1} {
			if other < 0 {
				continue
			}
			if _, err := p.Permutation("ids", other); !errors.Is(err, stored.ErrDamaged) {
				t.Errorf("%d ids where %d are expected: %v", n, other, err)
			}
		}
	}
}

// rowsFrom has a table of rows whose ids count from 1, but for one that is left
// out.
func rowsFrom(t *testing.T, n, without int) *btree.Table {
	t.Helper()
	p := wrote(t, func(w *stored.Writer) error {
		return w.Table("thing", func(r *stored.Record, add func(int64)) {
			for id := 1; id <= n; id++ {
				if id == without {
					continue
				}
				r.Ints(2*id, 0, 0)
				add(int64(id))
			}
		})
	})
	table, err := p.Table("thing")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// Every row is visited once, in parallel, whatever the range.
func TestEachRowOf(t *testing.T) {
	const n = 5000
	table := rowsFrom(t, n, 0)
	for _, r := range [][2]int{{1, n}, {1, 1}, {n, n}, {2, n - 1}, {1, 1024}, {1, 1025}, {100, 4000}} {
		seen := make([]atomic.Int32, n+1)
		err := stored.EachRowOf(t.Context(), table, "rows", r[0], r[1], func(row *btree.Row) error {
			seen[row.Int(1)/2].Add(1)
			return nil
		})
		if err != nil {
			t.Errorf("%v: %v", r, err)
		}
		for id := 1; id <= n; id++ {
			want := int32(0)
			if id >= r[0] && id <= r[1] {
				want = 1
			}
			if got := seen[id].Load(); got != want {
				t.Fatalf("%v: row %d was visited %d times", r, id, got)
			}
		}
	}
	fault := errors.New("a fault of the visitor")
	if err := stored.EachRowOf(t.Context(), table, "rows", 1, n,
		func(row *btree.Row) error { return fault }); !errors.Is(err, fault) {
		t.Error(err)
	}
	if err := stored.EachRowOf(t.Context(), table, "rows", 1, n+1, func(*btree.Row) error { return nil }); !errors.Is(
		err, stored.ErrDamaged) {
		t.Errorf("past the last row: %v", err)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	visited := atomic.Int32{}
	if err := stored.EachRowOf(gone, table, "rows", 1, n,
		func(*btree.Row) error { visited.Add(1); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("%d rows of a reader who has left: %v", visited.Load(), err)
	}
}

func TestRowsThatAreMissingAreDamage(t *testing.T) {
	table := rowsFrom(t, 10, 5)
	if err := stored.EachRowOf(t.Context(), table, "rows", 1, 10, func(*btree.Row) error { return nil }); !errors.Is(
		err, stored.ErrDamaged) {
		t.Error(err)
	}
	c := table.Cursor()
	if row, err := stored.Find(c, 4); err != nil || row.Int(1) != 8 {
		t.Errorf("%v, %v", row, err)
	}
	if _, err := stored.Next(c, 5); !errors.Is(err, stored.ErrDamaged) {
		t.Errorf("the row after: %v", err)
	}
	for _, id := range []int{0, 5, 11} {
		if _, err := stored.Find(table.Cursor(), id); !errors.Is(err, stored.ErrDamaged) {
			t.Errorf("row %d: %v", id, err)
		}
	}
	last := table.Cursor()
	if _, err := stored.Find(last, 10); err != nil {
		t.Fatal(err)
	}
	if _, err := stored.Next(last, 11); !errors.Is(err, stored.ErrDamaged) {
		t.Errorf("the row after the last: %v", err)
	}
	for id, there := range map[int64]bool{4: true, 5: false, 6: true, 11: false, -1: false} {
		row, err := stored.Lookup(table.Cursor(), id)
		if err != nil || (row != nil) != there {
			t.Errorf("looking up %d: %v, %v", id, row, err)
		}
	}
}

// Rows are picked in the order of their ids, and what is wrong with a row is said rather than what
// a visitor makes of it.
func TestPick(t *testing.T) {
	table, ids := rowsFrom(t, 10, 5), []int{7, 2, 10}
	var seen []int64
	err := stored.Pick(t.Context(), table, len(ids), func(i int) int { return ids[i] }, func(i int, row *btree.Row) error {
		seen = append(seen, row.Int(1)/2)
		return nil
	})
	if err != nil || !slices.Equal(seen, []int64{7, 2, 10}) {
		t.Errorf("%v, %v", seen, err)
	}
	visitors, own := errors.New("the visitor's"), errors.New("the row's")
	fail := func(_ int, row *btree.Row) error {
		row.Fail(own)
		row.Fail(visitors)
		return visitors
	}
	for id, want := range map[int]error{4: own, 5: stored.ErrDamaged} {
		if err := stored.Pick(t.Context(), table, 1, func(int) int { return id }, fail); !errors.Is(err, want) {
			t.Errorf("row %d: %v, want %v", id, err, want)
		}
	}
	row, err := stored.Find(table.Cursor(), 4)
	if err != nil || row.Err() != nil {
		t.Errorf("the fault of another row: %v, %v", err, row.Err())
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := stored.Pick(gone, table, 1, func(int) int { return 1 }, fail); !errors.Is(err, context.Canceled) {
		t.Errorf("a reader who has left: %v", err)
	}
}

// Who waits is told what is read, and how far that is.
func TestEachRowOfReports(t *testing.T) {
	const n = 3 * stored.CheckEvery
	table := rowsFrom(t, n, 0)
	var p stored.Progress
	if step := p.Now(); step != (stored.Step{}) {
		t.Errorf("before the first step: %+v", step)
	}
	if err := stored.EachRowOf(stored.Watched(t.Context(), &p), table, "rows", 1, n,
		func(*btree.Row) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if step := p.Now(); step.Doing != "Reading rows" || step.Of != n || step.Done < stored.CheckEvery || step.Done > n {
		t.Errorf("%+v", step)
	}
}

// Rows that are written in parts are those that are written one after another.
func TestRowsInParts(t *testing.T) {
	for _, n := range []int{0, 1, 9_999, 10_000, 50_001} {
		p := wrote(t, func(w *stored.Writer) error {
			return w.RowsInParts("thing", n, func(from int) func(r *stored.Record, i int) {
				next := from
				return func(r *stored.Record, i int) {
					r.Ints(i, next, from)
					next++
				}
			})
		})
		var id int64
		if err := p.Walk("thing", func(row *stored.Row) {
			if id++; row.ID != id || row.Int(1) != id-1 || row.Int(2) != id-1 || row.Int(3) >= id {
				t.Fatalf("row %d of %d: %d, %d, %d", row.ID, n, row.Int(1), row.Int(2), row.Int(3))
			}
		}); err != nil || id != int64(n) {
			t.Errorf("%d of %d rows, %v", id, n, err)
		}
	}
}
