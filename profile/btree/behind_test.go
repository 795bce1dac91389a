package btree

import (
	"database/sql"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
)

// writeParts writes parts of a table, each by a goroutine of its own, and returns what
// closing the table says.
func writeParts(t *testing.T, path string, parts [][]thing) error {
	t.Helper()
	w, err := Append(path)
	if err != nil {
		t.Fatal(err)
	}
	first, err := w.Table("thing")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i, last := 0, first; i < len(parts); i++ {
		if i > 0 {
			last = last.Behind()
		}
		into := last
		wg.Go(func() {
			var r Record
			for _, th := range parts[i] {
				r.Reset()
				r.Null()
				r.Int(th.number)
				r.Text([]byte(th.name))
				r.Real(th.ratio)
				r.Null()
				r.Blob(th.vector)
				if err := into.Insert(th.id, &r); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if err := first.Close(); err != nil {
		w.Discard()
		return err
	}
	return w.Close(false)
}

// A table whose parts are written at once is the one that a single writer leaves, also
// where parts are empty or fit a page together.
func TestPartsOfATable(t *testing.T) {
	for _, pageSize := range []int{512, 4096} {
		for _, sizes := range [][]int{{0, 0}, {0, 1, 0}, {1, 0}, {1, 1}, {0, 700}, {700, 0, 0, 900}, {400, 300, 1, 500}} {
			n := 0
			for _, size := range sizes {
				n += size
			}
			all := things(n, rand.New(rand.NewPCG(3, uint64(n))))
			var parts [][]thing
			rest := all
			for _, size := range sizes {
				parts, rest = append(parts, rest[:size]), rest[size:]
			}
			path := newDatabase(t, pageSize)
			if err := writeParts(t, path, parts); err != nil {
				t.Fatal(err)
			}
			db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			var check string
			if err := db.QueryRow("PRAGMA integrity_check").Scan(&check); err != nil || check != "ok" {
				t.Errorf("%v: integrity_check: %v %s", sizes, err, check)
			}
			r, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			table, err := r.Table("thing")
			if err != nil {
				t.Fatal(err)
			}
			i, c := 0, table.Cursor()
			for ok := c.Find(minRow); ok; ok = c.Next() {
				row, err := c.Row()
				if err != nil {
					t.Fatal(err)
				}
				if got := read(t, row); !same(got, all[i]) {
					t.Fatalf("%v: row %d: %v", sizes, i, got.id)
				}
				i++
			}
			if c.Err() != nil || i != n {
				t.Errorf("%v: %d rows, %v", sizes, i, c.Err())
			}
		}
	}
}

func TestPartsOutOfOrder(t *testing.T) {
	all := things(20, rand.New(rand.NewPCG(1, 1)))
	err := writeParts(t, newDatabase(t, 512), [][]thing{all[10:], {}, all[:10]})
	if err == nil || !strings.Contains(err.Error(), "behind row") {
		t.Errorf("parts in the wrong order: %v", err)
	}
}
