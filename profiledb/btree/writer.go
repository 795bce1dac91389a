package btree

import (
	"encoding/binary"
	"fmt"
	"os"

	"proflens/panics"
)

// Writer appends rows to the empty tables of a database that SQLite has made
// and closed. Until Close the file is not a valid database.
type Writer struct {
	layout
	f     *os.File
	roots map[string]uint32
	next  uint32 // the next page's number
	buf   []byte // pages not yet written, the last of them next-1
	err   error

	full    chan pages  // to the goroutine that writes
	free    chan []byte // back from it
	written chan error  // its first error, once full is closed
}

// pages are consecutive pages and where they belong in the file.
type pages struct {
	b  []byte
	at int64
}

// bufferSize is how much is gathered before it is written, by a goroutine of
// its own while the next pages fill.
const bufferSize = 1 << 20

// Append opens a database to write to its tables.
func Append(path string) (*Writer, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	r, err := readFile(f)
	if err != nil {
		return nil, err
	}
	w := &Writer{
		layout: r.layout, f: f, roots: r.roots, next: r.pages + 1, buf: make([]byte, 0, bufferSize),
		full: make(chan pages), free: make(chan []byte, 1), written: make(chan error, 1),
	}
	w.free <- make([]byte, 0, bufferSize)
	go w.write()
	return w, nil
}

// write writes what comes and gives the buffers back, after an error too.
func (w *Writer) write() {
	var first error
	for p := range w.full {
		if first == nil {
			first = panics.Do(func() error {
				_, err := w.f.WriteAt(p.b, p.at)
				return err
			})
		}
		w.free <- p.b[:0]
	}
	w.written <- first
}

// Size is how many bytes the file has by now.
func (w *Writer) Size() uint64 { return uint64(w.next-1) * uint64(w.pageSize) }

// page adds a page to the end of the file and returns its number.
func (w *Writer) page(b []byte) uint32 {
	if w.usable(w.next) != w.next {
		w.push(make([]byte, w.pageSize))
	}
	w.push(b)
	return w.next - 1
}

// usable is no, or the page after it where no is the lock page.
func (w *Writer) usable(no uint32) uint32 {
	if no == w.lockPage() {
		return no + 1
	}
	return no
}

func (w *Writer) push(b []byte) {
	if len(w.buf)+len(b) > cap(w.buf) {
		w.flush()
	}
	w.buf = append(w.buf, b...)
	w.next++
	if w.next == 0 && w.err == nil {
		w.err = fmt.Errorf("database file: more than 2^32 pages")
	}
}

func (w *Writer) flush() {
	w.full <- pages{w.buf, int64(w.next-1)*int64(w.pageSize) - int64(len(w.buf))}
	w.buf = <-w.free
}

// stop ends the goroutine that writes.
func (w *Writer) stop() error {
	close(w.full)
	return <-w.written
}

func (w *Writer) writeAt(b []byte, at int64) {
	if _, err := w.f.WriteAt(b, at); err != nil && w.err == nil {
		w.err = err
	}
}

// Close completes the database, makes it durable if it is to be, and closes
// it. The tables must be closed before. An error leaves a file of no use.
func (w *Writer) Close(durable bool) error {
	w.flush()
	if err := w.stop(); w.err == nil {
		w.err = err
	}
	// The size in pages, §1.3.8. It counts because the change counter before
	// it still equals the version-valid-for number that SQLite wrote.
	w.writeAt(binary.BigEndian.AppendUint32(nil, w.next-1), 28)
	if w.err == nil && durable {
		w.err = w.f.Sync()
	}
	if err := w.f.Close(); w.err == nil {
		w.err = err
	}
	return w.err
}

// Discard closes the file without completing it.
func (w *Writer) Discard() {
	_ = w.stop()
	w.f.Close()
}

// Table begins to write a table, which must be empty.
func (w *Writer) Table(name string) (*TableWriter, error) {
	root := w.roots[name]
	if root == 0 {
		return nil, fmt.Errorf("no table %q to write to", name)
	}
	delete(w.roots, name) // written once
	t := &TableWriter{w: w, root: root, leaf: make([]byte, w.pageSize)}
	t.clear()
	return t, nil
}

// TableWriter writes the rows of one table. Rows of several tables may take turns.
type TableWriter struct {
	w        *Writer
	root     uint32
	leaf     []byte // the page being filled: cell pointers from the front, cells from the back
	cells    int
	content  int // where the cells begin
	last     int64
	rows     int64
	children []child
	scratch  []byte
}

// child is a page and the largest row id in it.
type child struct {
	page uint32
	last int64
}

const leafHeader, interiorHeader = 8, 12

func (t *TableWriter) clear() { t.cells, t.content = 0, len(t.leaf) }

// Rows is how many rows were inserted.
func (t *TableWriter) Rows() int64 { return t.rows }

// Insert adds a row, whose id must be above that of the row before.
func (t *TableWriter) Insert(rowid int64, r *Record) error {
	if t.rows > 0 && rowid <= t.last {
		return fmt.Errorf("row %d after row %d", rowid, t.last)
	}
	whole := r.Size()
	local := t.w.local(whole)
	cell := appendVarint(t.scratch[:0], uint64(whole))
	cell = appendVarint(cell, uint64(rowid))
	size := len(cell) + local
	if local < whole {
		size += 4
	}
	if leafHeader+2*(t.cells+1)+size > t.content {
		t.children = append(t.children, child{t.w.page(t.finishLeaf()), t.last})
		t.clear()
	}
	t.content -= size
	binary.BigEndian.PutUint16(t.leaf[leafHeader+2*t.cells:], uint16(t.content))
	at := t.content + copy(t.leaf[t.content:], cell)
	if local == whole {
		r.appendTo(t.leaf[:at])
	} else {
		payload := r.appendTo(nil)
		at += copy(t.leaf[at:], payload[:local])
		binary.BigEndian.PutUint32(t.leaf[at:], t.overflow(payload[local:]))
	}
	t.cells++
	t.rows++
	t.last, t.scratch = rowid, cell
	return t.w.err
}

// overflow writes the rest of a payload as a chain of pages (§1.7) and returns
// the first.
func (t *TableWriter) overflow(rest []byte) uint32 {
	page := make([]byte, t.w.pageSize)
	var first uint32
	for len(rest) > 0 {
		n := copy(page[4:], rest)
		clear(page[4+n:])
		rest = rest[n:]
		var next uint32 // 0 ends the chain
		if len(rest) > 0 {
			next = t.w.usable(t.w.usable(t.w.next) + 1)
		}
		binary.BigEndian.PutUint32(page, next)
		if no := t.w.page(page); first == 0 {
			first = no
		}
	}
	return first
}

func (t *TableWriter) finishLeaf() []byte {
	clear(t.leaf[leafHeader+2*t.cells : t.content])
	putHeader(t.leaf, leafPage, t.cells, t.content)
	return t.leaf
}

// putHeader writes the first 8 bytes of a page's header (§1.6).
func putHeader(page []byte, kind byte, cells, content int) {
	page[0] = kind
	binary.BigEndian.PutUint16(page[1:], 0) // no free block
	binary.BigEndian.PutUint16(page[3:], uint16(cells))
	binary.BigEndian.PutUint16(page[5:], uint16(content)) // 65536 is written as 0
	page[7] = 0                                           // no fragments
}

// Close writes the last leaf and the interior pages, the root last. Leaves are
// few enough to keep their list: 16 bytes for some fifty rows.
func (t *TableWriter) Close() error {
	if len(t.children) == 0 {
		t.w.writeAt(t.finishLeaf(), int64(t.root-1)*int64(t.w.pageSize))
		return t.w.err
	}
	t.children = append(t.children, child{t.w.page(t.finishLeaf()), t.last})
	// A cell takes at most 4 + 9 bytes and 2 for its pointer.
	fanout := (t.w.pageSize-interiorHeader)/15 + 1
	level := t.children
	for len(level) > fanout {
		var above []child
		pages := (len(level) + fanout - 1) / fanout
		for i := range pages { // evenly, since a page without a cell is not allowed
			part := level[i*len(level)/pages : (i+1)*len(level)/pages]
			above = append(above, child{t.w.page(interior(t.leaf, part)), part[len(part)-1].last})
		}
		level = above
	}
	t.w.writeAt(interior(t.leaf, level), int64(t.root-1)*int64(t.w.pageSize))
	return t.w.err
}

// interior fills page with pointers to children, the last as its right-most.
func interior(page []byte, children []child) []byte {
	clear(page)
	right := len(children) - 1
	content := len(page)
	var cell [13]byte
	for i, c := range children[:right] {
		b := binary.BigEndian.AppendUint32(cell[:0], c.page)
		b = appendVarint(b, uint64(c.last))
		content -= len(b)
		copy(page[content:], b)
		binary.BigEndian.PutUint16(page[interiorHeader+2*i:], uint16(content))
	}
	putHeader(page, interiorPage, right, content)
	binary.BigEndian.PutUint32(page[8:], children[right].page)
	return page
}
