package btree

import (
	"encoding/binary"
	"fmt"
)

// Table begins to write a table, which must be empty.
func (w *Writer) Table(name string) (*TableWriter, error) {
	w.mu.Lock()
	root := w.roots[name]
	delete(w.roots, name) // written once
	w.mu.Unlock()
	if root == 0 {
		return nil, fmt.Errorf("no table %q to write to", name)
	}
	return newTableWriter(w, root), nil
}

// TableWriter writes the rows of one table. Rows of several tables may take turns.
type TableWriter struct {
	w        *Writer
	root     uint32
	leaf     []byte // the page being filled: cell pointers from the front, cells from the back
	cells    int
	content  int // where the cells begin
	first    int64
	last     int64
	rows     int64
	children []child
	run      []byte // leaves that have no numbers yet; see leavesInRun
	scratch  []byte
	behind   *TableWriter // what follows; see Behind
}

// child is a page and the largest row id in it.
type child struct {
	page uint32
	last int64
}

const leafHeader, interiorHeader = 8, 12

// leavesInRun is how many leaves of a table stand one behind the other, whoever else
// writes: they are read together.
const leavesInRun = 16

func newTableWriter(w *Writer, root uint32) *TableWriter {
	t := &TableWriter{w: w, root: root, leaf: make([]byte, w.pageSize)}
	t.clear()
	return t
}

// Behind returns a writer of those rows of the table that come behind all of t's, for
// another goroutine. Close of the first writer of a table closes all of them.
func (t *TableWriter) Behind() *TableWriter {
	t.behind = newTableWriter(t.w, t.root)
	return t.behind
}

func (t *TableWriter) clear() { t.cells, t.content = 0, len(t.leaf) }

// Rows is how many rows were inserted.
func (t *TableWriter) Rows() int64 { return t.rows }

// Insert adds a row, whose id must be above that of the row before.
func (t *TableWriter) Insert(rowid int64, r *Record) error {
	if t.rows == 0 {
		t.first = rowid
	} else if rowid <= t.last {
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
		if err := t.turnLeaf(); err != nil {
			return err
		}
	}
	t.content -= size
	binary.BigEndian.PutUint16(t.leaf[leafHeader+2*t.cells:], uint16(t.content))
	at := t.content + copy(t.leaf[t.content:], cell)
	if local == whole {
		r.appendTo(t.leaf[:at])
	} else {
		payload := r.appendTo(nil)
		at += copy(t.leaf[at:], payload[:local])
		first, err := t.w.overflow(payload[local:])
		if err != nil {
			return err
		}
		binary.BigEndian.PutUint32(t.leaf[at:], first)
	}
	t.cells++
	t.rows++
	t.last, t.scratch = rowid, cell
	return nil
}

// overflow writes the rest of a payload as a chain of pages (§1.7) and returns
// the first.
func (w *Writer) overflow(rest []byte) (uint32, error) {
	page := make([]byte, w.pageSize)
	var first uint32
	w.mu.Lock() // each page names the next
	defer w.mu.Unlock()
	for len(rest) > 0 {
		n := copy(page[4:], rest)
		clear(page[4+n:])
		rest = rest[n:]
		var next uint32 // 0 ends the chain
		if len(rest) > 0 {
			next = w.usable(w.usable(w.next) + 1)
		}
		binary.BigEndian.PutUint32(page, next)
		if no := w.add(page); first == 0 {
			first = no
		}
	}
	return first, w.err
}

// turnLeaf puts the leaf to its run and begins another.
func (t *TableWriter) turnLeaf() (err error) {
	t.run = append(t.run, t.finishLeaf()...)
	t.children = append(t.children, child{last: t.last})
	t.clear()
	if len(t.run) == leavesInRun*t.w.pageSize {
		err = t.writeRun()
	}
	return err
}

// writeRun writes the leaves that have no numbers yet.
func (t *TableWriter) writeRun() error {
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	first := len(t.children) - len(t.run)/t.w.pageSize
	for i := range t.children[first:] {
		t.children[first+i].page = t.w.add(t.run[i*t.w.pageSize:][:t.w.pageSize])
	}
	t.run = t.run[:0]
	return t.w.err
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

// Close writes the last leaves and the interior pages, the root last. Leaves are
// few enough to keep their list: 16 bytes for some fifty rows.
func (t *TableWriter) Close() error {
	parts, err := t.parts()
	if err != nil {
		return err
	}
	if len(parts) == 1 && len(parts[0].children) == 0 {
		return t.w.writeRoot(parts[0].finishLeaf(), t.root)
	}
	var level []child
	for _, part := range parts {
		if err := part.turnLeaf(); err != nil {
			return err
		}
		if err := part.writeRun(); err != nil {
			return err
		}
		level = append(level, part.children...)
	}
	// A cell takes at most 4 + 9 bytes and 2 for its pointer.
	fanout := (t.w.pageSize-interiorHeader)/15 + 1
	for len(level) > fanout {
		var above []child
		pages := (len(level) + fanout - 1) / fanout
		for i := range pages { // evenly, since a page without a cell is not allowed
			part := level[i*len(level)/pages : (i+1)*len(level)/pages]
			no, err := t.w.page(interior(t.leaf, part))
			if err != nil {
				return err
			}
			above = append(above, child{no, part[len(part)-1].last})
		}
		level = above
	}
	return t.w.writeRoot(interior(t.leaf, level), t.root)
}

// parts are the writers of the table that have rows, the first in any case.
func (t *TableWriter) parts() ([]*TableWriter, error) {
	parts := []*TableWriter{t}
	for part := t.behind; part != nil; part = part.behind {
		before := parts[len(parts)-1]
		switch {
		case part.rows == 0:
		case before.rows == 0:
			parts[0] = part
		case part.first <= before.last:
			return nil, fmt.Errorf("row %d behind row %d", part.first, before.last)
		default:
			parts = append(parts, part)
		}
	}
	return parts, nil
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
