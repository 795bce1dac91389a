package btree

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"os"
)

// Reader reads the tables of a database that nobody writes to. It keeps no
// page: the operating system does. It is safe for concurrent use.
type Reader struct {
	layout
	f      io.ReaderAt
	length int64
	close  func() error
	pages  uint32
	roots  map[string]uint32
}

// Open opens a database and reads its schema. The error wraps [ErrCorrupt]
// when the file is none.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return readFile(f)
}

// readFile reads an opened file, which it closes when it is no database.
func readFile(f *os.File) (*Reader, error) {
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, err
	}
	return OpenAt(f, info.Size(), f.Close)
}

// OpenAt opens a database of so many bytes wherever it lies. close is called once: by
// Close, or when the database cannot be opened. Errors are those of Open and f's own.
func OpenAt(f io.ReaderAt, length int64, close func() error) (*Reader, error) {
	r, err := newReader(f, length, close)
	if err != nil {
		close()
		return nil, err
	}
	return r, nil
}

// OpenBytes opens a database in memory, which must not change. The error wraps
// [ErrCorrupt] when it is none.
func OpenBytes(image []byte) (*Reader, error) {
	return newReader(bytes.NewReader(image), int64(len(image)), func() error { return nil })
}

// Content is the whole file.
func (r *Reader) Content() *io.SectionReader { return io.NewSectionReader(r.f, 0, r.length) }

// Close closes the file.
func (r *Reader) Close() error { return r.close() }

// fileHeader is the size of the database header on page 1 (§1.3).
const fileHeader = 100

func newReader(f io.ReaderAt, length int64, close func() error) (*Reader, error) {
	var h [fileHeader]byte
	if _, err := f.ReadAt(h[:], 0); err != nil {
		if err == io.EOF {
			return nil, corrupt("%d bytes of header expected", fileHeader)
		}
		return nil, err
	}
	if !bytes.HasPrefix(h[:], []byte("SQLite format 3\x00")) {
		return nil, corrupt("not an SQLite database")
	}
	size := int(binary.BigEndian.Uint16(h[16:]))
	if size == 1 {
		size = 1 << 16
	}
	if size < 512 || bits.OnesCount(uint(size)) != 1 {
		return nil, corrupt("page size %d", size)
	}
	if h[20] != 0 {
		return nil, corrupt("%d reserved bytes a page, expected none", h[20])
	}
	if encoding := binary.BigEndian.Uint32(h[56:]); encoding != 1 {
		return nil, corrupt("text encoding %d, expected UTF-8 (1)", encoding)
	}
	r := &Reader{layout: layoutOf(size), f: f, length: length, close: close, pages: binary.BigEndian.Uint32(h[28:])}
	if need := int64(r.pages) * int64(size); length < need {
		return nil, corrupt("%d bytes, expected %d", length, need)
	}
	return r, r.readSchema()
}

// readSchema finds the root page of every table in sqlite_schema, the table
// whose root is page 1 (§2.6).
func (r *Reader) readSchema() error {
	r.roots = map[string]uint32{}
	schema := Table{r: r, root: 1}
	c := schema.Cursor()
	for ok := c.Find(minRow); ok; ok = c.Next() {
		row, err := c.Row()
		if err != nil {
			return err
		}
		kind, name := row.Bytes(0), row.Bytes(1)
		if row.err != nil {
			return row.err
		}
		if string(kind) == "table" {
			r.roots[string(name)] = uint32(row.Int(3))
		}
	}
	return c.Err()
}

// Table finds a table by name.
func (r *Reader) Table(name string) (*Table, error) {
	root := r.roots[name]
	if root == 0 {
		return nil, corrupt("no table %q", name)
	}
	return &Table{r: r, root: root}, nil
}

// readPage reads page no into b.
func (r *Reader) readPage(no uint32, b []byte) error {
	if no == 0 || no > r.pages {
		return corrupt("page %d of %d", no, r.pages)
	}
	return r.readPages(no, b[:r.pageSize])
}

// readPages reads pages from no on, which must be there.
func (r *Reader) readPages(no uint32, b []byte) error {
	if _, err := r.f.ReadAt(b, int64(no-1)*int64(r.pageSize)); err != nil {
		if err == io.EOF {
			return corrupt("the file ends inside page %d", no)
		}
		return err
	}
	return nil
}

// Table is a table of an open database.
type Table struct {
	r    *Reader
	root uint32
}

// Root is the page that the table begins with, and no other table of the file.
func (t *Table) Root() uint32 { return t.root }

// Cursor returns a cursor over the table, to be positioned with Find. It holds
// a page for each level of the tree and is for one goroutine.
func (t *Table) Cursor() *Cursor { return &Cursor{t: t} }
