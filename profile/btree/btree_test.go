package btree

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"proflens/internal/memtest"
)

// newDatabase lets SQLite make a database with two empty tables.
func newDatabase(t testing.TB, pageSize int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{
		fmt.Sprintf("PRAGMA page_size=%d", pageSize),
		"CREATE TABLE thing(id INTEGER PRIMARY KEY, number INTEGER, name TEXT, ratio REAL, absent, vector BLOB)",
		"CREATE TABLE other(id INTEGER PRIMARY KEY, number INTEGER)",
		"CREATE TABLE small(note TEXT)",
		"INSERT INTO small VALUES('kept')",
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

type thing struct {
	id     int64
	number int64
	name   string
	vector []byte
	ratio  float64
}

func things(n int, rng *rand.Rand) []thing {
	extremes := []int64{0, 1, 2, -1, 127, 128, -128, -129, 1<<15 - 1, 1 << 15, -1 << 15, 1<<23 - 1, 1 << 23, -1 << 23,
		1<<31 - 1, 1 << 31, -1 << 31, 1<<47 - 1, 1 << 47, -1 << 47, math.MaxInt64, math.MinInt64}
	all := make([]thing, n)
	id := int64(math.MinInt64)
	for i := range all {
		id += 1 + rng.Int64N(math.MaxInt64/int64(n+1))
		size := rng.IntN(60)
		switch rng.IntN(40) {
		case 0:
			size = rng.IntN(5000)
		case 1:
			size = rng.IntN(100_000)
		}
		vector := make([]byte, size)
		for j := range vector {
			vector[j] = byte(rng.Uint32())
		}
		all[i] = thing{id, extremes[i%len(extremes)], fmt.Sprintf("thing %d", i), vector, rng.NormFloat64()}
	}
	return all
}

func write(t testing.TB, path string, all []thing) {
	t.Helper()
	w, err := Append(path)
	if err != nil {
		t.Fatal(err)
	}
	tw, err := w.Table("thing")
	if err != nil {
		t.Fatal(err)
	}
	ow, err := w.Table("other")
	if err != nil {
		t.Fatal(err)
	}
	var r Record
	for i, th := range all {
		r.Reset()
		r.Null()
		r.Int(th.number)
		r.Text([]byte(th.name))
		r.Real(th.ratio)
		r.Null()
		r.Blob(th.vector)
		if err := tw.Insert(th.id, &r); err != nil {
			t.Fatal(err)
		}
		r.Reset()
		r.Null()
		r.Int(int64(i))
		if err := ow.Insert(int64(i), &r); err != nil {
			t.Fatal(err)
		}
	}
	for _, tw := range []*TableWriter{tw, ow} {
		if err := tw.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(true); err != nil {
		t.Fatal(err)
	}
}

// TestSQLiteReadsWhatWasWritten has SQLite check the file and read every row.
func TestSQLiteReadsWhatWasWritten(t *testing.T) {
	for _, pageSize := range []int{512, 4096, 65536} {
		for _, n := range []int{0, 1, 2, 40, 3000} {
			t.Run(fmt.Sprintf("page %d rows %d", pageSize, n), func(t *testing.T) {
				path := newDatabase(t, pageSize)
				all := things(n, rand.New(rand.NewPCG(uint64(pageSize), uint64(n))))
				write(t, path, all)
				db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
				if err != nil {
					t.Fatal(err)
				}
				defer db.Close()
				var check, note string
				if err := db.QueryRow("PRAGMA integrity_check").Scan(&check); err != nil || check != "ok" {
					t.Fatalf("integrity_check: %v %s", err, check)
				}
				if err := db.QueryRow("SELECT note FROM small").Scan(&note); err != nil || note != "kept" {
					t.Errorf("the row that was there: %q, %v", note, err)
				}
				var others int
				if err := db.QueryRow("SELECT count(*) FROM other WHERE id = number").Scan(&others); err != nil || others != n {
					t.Errorf("%d rows in the other table, %v; want %d", others, err, n)
				}
				rows, err := db.Query("SELECT id, number, name, vector, ratio FROM thing WHERE absent IS NULL ORDER BY id")
				if err != nil {
					t.Fatal(err)
				}
				defer rows.Close()
				i := 0
				for ; rows.Next(); i++ {
					var th thing
					if err := rows.Scan(&th.id, &th.number, &th.name, &th.vector, &th.ratio); err != nil {
						t.Fatal(err)
					}
					if !same(th, all[i]) {
						t.Fatalf("row %d: got %v, want %v", i, th.id, all[i].id)
					}
				}
				if err := rows.Err(); err != nil || i != n {
					t.Fatalf("%d rows, %v", i, err)
				}
			})
		}
	}
}

func same(a, b thing) bool {
	return a.id == b.id && a.number == b.number && a.name == b.name && bytes.Equal(a.vector, b.vector) &&
		a.ratio == b.ratio
}

func read(t *testing.T, row *Row) thing {
	t.Helper()
	name, vector := row.Bytes(2), row.Bytes(5)
	if err := row.Err(); err != nil {
		t.Fatal(err)
	}
	if !row.IsNull(4) || row.IsNull(3) || row.Int(2) != 0 || row.Int(77) != 0 || !row.IsNull(77) {
		t.Errorf("row %d: wrong types", row.ID)
	}
	return thing{row.ID, row.Int(1), string(name), bytes.Clone(vector), row.Real(3)}
}

func TestReaderReadsWhatWasWritten(t *testing.T) {
	for _, pageSize := range []int{512, 8192} {
		path := newDatabase(t, pageSize)
		rng := rand.New(rand.NewPCG(7, uint64(pageSize)))
		all := things(3000, rng)
		write(t, path, all)
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		table, err := r.Table("thing")
		if err != nil {
			t.Fatal(err)
		}
		c := table.Cursor()
		i := 0
		for ok := c.Find(minRow); ok; ok = c.Next() {
			row, err := c.Row()
			if err != nil {
				t.Fatal(err)
			}
			if got := read(t, row); !same(got, all[i]) {
				t.Fatalf("row %d: %v", i, got.id)
			}
			i++
		}
		if c.Err() != nil || i != len(all) {
			t.Fatalf("walked %d rows, %v", i, c.Err())
		}
		for range 2000 {
			i := rng.IntN(len(all))
			id := all[i].id
			if rng.IntN(2) == 0 && (i == 0 || all[i-1].id < id-1) {
				id-- // the next one is found
			}
			if !c.Find(id) {
				t.Fatalf("row %d not found: %v", i, c.Err())
			}
			row, err := c.Row()
			if err != nil || !same(read(t, row), all[i]) {
				t.Fatalf("found another row than %d: %v", i, err)
			}
		}
		if c.Find(all[len(all)-1].id+1) || c.Err() != nil {
			t.Errorf("found a row past the last: %v", c.Err())
		}
	}
}

// TestReaderReadsSQLitesOwn reads a table that SQLite filled and fragmented.
func TestReaderReadsSQLitesOwn(t *testing.T) {
	path := newDatabase(t, 1024)
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<5000)
		INSERT INTO thing SELECT (i*7919)%5003, i, 'name '||i, 0.5, NULL, randomblob(i%2000) FROM n;
		DELETE FROM thing WHERE id%3=0`); err != nil {
		t.Fatal(err)
	}
	var want, sum int64
	if err := db.QueryRow("SELECT count(*), sum(number+length(vector)) FROM thing").Scan(&want, &sum); err != nil {
		t.Fatal(err)
	}
	db.Close()
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	table, _ := r.Table("thing")
	c := table.Cursor()
	for ok := c.Find(minRow); ok; ok = c.Next() {
		row, err := c.Row()
		if err != nil {
			t.Fatal(err)
		}
		v := row.Bytes(5)
		if err := row.Err(); err != nil {
			t.Fatal(err)
		}
		want--
		sum -= row.Int(1) + int64(len(v))
	}
	if c.Err() != nil || want != 0 || sum != 0 {
		t.Errorf("%d rows and %d too few, %v", want, sum, c.Err())
	}
}

func TestInsertRefusesFallingIDs(t *testing.T) {
	w, err := Append(newDatabase(t, 4096))
	if err != nil {
		t.Fatal(err)
	}
	defer w.Discard()
	tw, err := w.Table("other")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Table("other"); err == nil {
		t.Error("a table was opened twice")
	}
	var r Record
	if err := tw.Insert(5, &r); err != nil {
		t.Fatal(err)
	}
	if err := tw.Insert(5, &r); err == nil {
		t.Error("row 5 went in twice")
	}
}

func TestOpenRefusesWhatIsNoDatabase(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	for _, content := range []string{"", "SQLite format 3\x00", string(make([]byte, 4096))} {
		path := filepath.Join(dir, "bad")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(path); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%d bytes: %v", len(content), err)
		}
	}
}

// walk reads everything there is and must end without a panic.
func walk(path string) (rows int, err error) {
	r, err := Open(path)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	for _, name := range []string{"thing", "other"} {
		table, err := r.Table(name)
		if err != nil {
			return rows, err
		}
		c := table.Cursor()
		for ok := c.Find(minRow); ok; ok = c.Next() {
			row, err := c.Row()
			if err != nil {
				return rows, err
			}
			for i := range 7 {
				row.Int(i)
				row.Real(i)
				row.Bytes(i)
			}
			if err := row.Err(); err != nil {
				return rows, err
			}
			rows++
		}
		if c.Err() != nil {
			return rows, c.Err()
		}
	}
	return rows, nil
}

// TestDamage flips bytes and cuts: an error or fewer rows, never a panic, and
// every error is ErrCorrupt.
func TestDamage(t *testing.T) {
	path := newDatabase(t, 512)
	write(t, path, things(200, rand.New(rand.NewPCG(1, 2))))
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	bad := filepath.Join(t.TempDir(), "bad.db")
	for range 400 {
		b := bytes.Clone(good)
		for range 1 + rng.IntN(4) {
			at := rng.IntN(len(b))
			if rng.IntN(2) == 0 {
				at = at / 512 * 512 // headers hurt most
				at += rng.IntN(16)
			}
			b[at] = byte(rng.Uint32())
		}
		if rng.IntN(10) == 0 {
			b = b[:rng.IntN(len(b))]
		}
		if err := os.WriteFile(bad, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := walk(bad); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatalf("error of another kind: %v", err)
		}
	}
}

func FuzzReader(f *testing.F) {
	path := newDatabase(f, 512)
	write(f, path, things(30, rand.New(rand.NewPCG(1, 2))))
	good, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good[:min(len(good), 16<<10)])
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		path := filepath.Join(t.TempDir(), "fuzz.db")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := walk(path); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("error of another kind: %v", err)
		}
	})
}

// Numbers stand behind long columns too, and a row of many columns has its header on pages
// of its own where pages are small.
func TestNumbersBehindLongColumns(t *testing.T) {
	for _, pageSize := range []int{512, 4096} {
		path := newDatabase(t, pageSize)
		w, err := Append(path)
		if err != nil {
			t.Fatal(err)
		}
		table, err := w.Table("other")
		if err != nil {
			t.Fatal(err)
		}
		var r Record
		r.Null()
		r.Text(bytes.Repeat([]byte("a"), 5000))
		for i := range maxColumns - 3 {
			r.Int(1 << 40 * int64(i%2))
		}
		r.Real(0.5)
		if err := table.Insert(1, &r); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(table.Close(), w.Close(true)); err != nil {
			t.Fatal(err)
		}
		file, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		other, err := file.Table("other")
		if err != nil {
			t.Fatal(err)
		}
		c := other.Cursor()
		if !c.Find(1) {
			t.Fatal(c.Err())
		}
		row, err := c.Row()
		if err != nil {
			t.Fatal(err)
		}
		for i := range maxColumns - 3 {
			if got := row.Int(i + 2); got != 1<<40*int64(i%2) {
				t.Errorf("pages of %d: column %d is %d", pageSize, i+2, got)
			}
		}
		if got := row.Real(maxColumns - 1); got != 0.5 {
			t.Errorf("pages of %d: the last is %v", pageSize, got)
		}
	}
}
