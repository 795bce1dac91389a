package btree

import (
	"database/sql"
	"strings"
	"testing"
)

// The rows of these benchmarks have the columns of a profile's function table,
// so that the two ways of writing and reading them compare where it counts.
const (
	benchRows    = 100_000
	benchColumns = 16
	benchTable   = `CREATE TABLE function(id INTEGER PRIMARY KEY, ordinal INTEGER, name TEXT, name_ref INTEGER, func_hash INTEGER,
		a INTEGER, b INTEGER, c INTEGER, d INTEGER, e INTEGER, f INTEGER, g INTEGER, h INTEGER, i INTEGER, j INTEGER, counters BLOB)`
)

var (
	benchName     = []byte("_ZN4llvm12SelectionDAG7getNodeEjRKNS_5SDLocENS_3EVTENS_8ArrayRefINS_7SDValueEEENS_11SDNodeFlagsE")
	benchCounters = []byte("\x01\x80\x02\x00\x93\x80\x01\x00\x12\x85\x02\x00")
)

func benchDatabase(b *testing.B) string {
	b.Helper()
	path := b.TempDir() + "/bench.db"
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=page_size(16384)")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(benchTable); err != nil {
		b.Fatal(err)
	}
	return path
}

func appendBench(b *testing.B, path string) {
	b.Helper()
	w, err := Append(path)
	if err != nil {
		b.Fatal(err)
	}
	t, err := w.Table("function")
	if err != nil {
		b.Fatal(err)
	}
	var r Record
	for row := range int64(benchRows) {
		r.Reset()
		r.Null()
		r.Int(row)
		r.Text(benchName)
		for column := range int64(benchColumns - 4) {
			r.Int(row * column * 7919)
		}
		r.Blob(benchCounters)
		if err := t.Insert(row, &r); err != nil {
			b.Fatal(err)
		}
	}
	if err := t.Close(); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(false); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkWriteByPage(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		path := benchDatabase(b)
		b.StartTimer()
		appendBench(b, path)
	}
	b.ReportMetric(float64(b.N)*benchRows/b.Elapsed().Seconds(), "rows/s")
}

// BenchmarkWriteByInsert is the way that the package is measured against: one
// transaction, no journal, 200 rows a statement.
func BenchmarkWriteByInsert(b *testing.B) {
	const batch = 200
	row := "(?" + strings.Repeat(",?", benchColumns-1) + ")"
	statement := "INSERT INTO function VALUES " + row + strings.Repeat(","+row, batch-1)
	for b.Loop() {
		b.StopTimer()
		path := benchDatabase(b)
		b.StartTimer()
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=locking_mode(EXCLUSIVE)")
		if err != nil {
			b.Fatal(err)
		}
		tx, err := db.Begin()
		if err != nil {
			b.Fatal(err)
		}
		insert, err := tx.Prepare(statement)
		if err != nil {
			b.Fatal(err)
		}
		args := make([]any, 0, batch*benchColumns)
		for row := range int64(benchRows) {
			args = append(args, row, row, string(benchName))
			for column := range int64(benchColumns - 4) {
				args = append(args, row*column*7919)
			}
			args = append(args, benchCounters)
			if len(args) == cap(args) {
				if _, err := insert.Exec(args...); err != nil {
					b.Fatal(err)
				}
				args = args[:0]
			}
		}
		if err := tx.Commit(); err != nil {
			b.Fatal(err)
		}
		db.Close()
	}
	b.ReportMetric(float64(b.N)*benchRows/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkReadByPage(b *testing.B) {
	path := benchDatabase(b)
	appendBench(b, path)
	r, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	t, err := r.Table("function")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		sum, rows := int64(0), 0
		c := t.Cursor()
		for ok := c.Find(0); ok; ok = c.Next() {
			row, err := c.Row()
			if err != nil {
				b.Fatal(err)
			}
			sum += row.Int(5)
			rows++
		}
		if c.Err() != nil || rows != benchRows {
			b.Fatalf("%d rows, %v", rows, c.Err())
		}
	}
	b.ReportMetric(float64(b.N)*benchRows/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkReadBySelect(b *testing.B) {
	path := benchDatabase(b)
	appendBench(b, path)
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	for b.Loop() {
		rows, err := db.Query("SELECT a FROM function")
		if err != nil {
			b.Fatal(err)
		}
		sum, n := int64(0), 0
		for rows.Next() {
			var v int64
			if err := rows.Scan(&v); err != nil {
				b.Fatal(err)
			}
			sum += v
			n++
		}
		if rows.Err() != nil || n != benchRows {
			b.Fatalf("%d rows, %v", n, rows.Err())
		}
		rows.Close()
	}
	b.ReportMetric(float64(b.N)*benchRows/b.Elapsed().Seconds(), "rows/s")
}
