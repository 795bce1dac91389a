package btree

import (
	"encoding/binary"
	"math"
)

// minRow is the smallest row id.
const minRow = math.MinInt64

// maxDepth bounds the levels of a tree: with more than two children a page,
// 2^32 pages have fewer.
const maxDepth = 24

// Cursor walks a table by row id.
type Cursor struct {
	t     *Table
	stack []level // from the root; the last is the leaf once positioned
	depth int
	row   Row
	last  int64 // id of the row before, while walking
	began bool
	err   error
	pages pageReader
}

// level is a page on the way down and the position in it.
type level struct {
	page   uint32
	buf    []byte
	header int // where the page's header begins: behind the file's on page 1
	leaf   bool
	cells  int
	cell   int // of the child or row; for an interior page, cells is the right-most child
}

// Err returns the error that ended Find or Next, nil at the end of the table.
func (c *Cursor) Err() error { return c.err }

// Find moves to the first row whose id is at least rowid. It reports whether
// there is one. Pages still held from the last Find are not read again.
func (c *Cursor) Find(rowid int64) bool {
	c.err, c.began = nil, false
	page := c.t.root
	for c.depth = 0; ; {
		l := c.load(c.depth, page)
		if l == nil {
			return false
		}
		c.depth++
		low, high := 0, l.cells
		for low < high {
			mid := int(uint(low+high) >> 1)
			id, ok := c.cellID(l, mid)
			if !ok {
				return false
			}
			if id < rowid {
				low = mid + 1
			} else {
				high = mid
			}
		}
		l.cell = low
		if l.leaf {
			if low == l.cells { // possible when keys are loose: the row is in the next leaf
				l.cell--
				return c.Next()
			}
			return c.settle()
		}
		if page = c.child(l); page == 0 {
			return false
		}
	}
}

// Next moves to the next row and reports whether there is one.
func (c *Cursor) Next() bool {
	if c.err != nil || c.depth == 0 {
		return false
	}
	l := &c.stack[c.depth-1]
	if l.cell++; l.cell < l.cells {
		return c.settle()
	}
	up := c.depth - 2
	for ; up >= 0 && c.stack[up].cell >= c.stack[up].cells; up-- {
	}
	if up < 0 {
		c.depth = 0
		return false
	}
	c.stack[up].cell++
	for c.depth = up + 1; ; {
		page := c.child(&c.stack[c.depth-1])
		if page == 0 {
			return false
		}
		l := c.load(c.depth, page)
		if l == nil {
			return false
		}
		c.depth++
		l.cell = 0
		if l.leaf {
			if l.cells == 0 {
				return c.fail(corrupt("page %d: an empty leaf", page))
			}
			return c.settle()
		}
	}
}

// settle takes up the row at the cursor. Ids must rise, which also ends a walk
// over pages that form a circle.
func (c *Cursor) settle() bool {
	l := &c.stack[c.depth-1]
	if l.cells == 0 {
		c.depth = 0
		return false
	}
	b, ok := c.cellBytes(l, l.cell)
	if !ok {
		return false
	}
	if err := c.row.parse(c.t.r, b); err != nil {
		return c.fail(err)
	}
	if c.began && c.row.ID <= c.last {
		return c.fail(corrupt("page %d: row %d after row %d", l.page, c.row.ID, c.last))
	}
	c.began, c.last = true, c.row.ID
	return true
}

// Row returns the row at the cursor, valid until the cursor moves.
func (c *Cursor) Row() (*Row, error) { return &c.row, c.row.header() }

func (c *Cursor) fail(err error) bool {
	c.err, c.depth = err, 0
	for i := range c.stack {
		c.stack[i].page = 0 // what is held may be half read
	}
	c.pages = pageReader{}
	return false
}

// load brings a page into the cursor at a depth and reads its header.
func (c *Cursor) load(depth int, page uint32) *level {
	if depth == maxDepth {
		c.fail(corrupt("the table's tree is deeper than %d pages", maxDepth))
		return nil
	}
	if depth == len(c.stack) {
		c.stack = append(c.stack, level{buf: make([]byte, c.t.r.pageSize)})
	}
	l := &c.stack[depth]
	if l.page == page {
		return l
	}
	l.page = 0
	if err := c.pages.read(c.t.r, page, l.buf); err != nil {
		c.fail(err)
		return nil
	}
	l.header = 0
	if page == 1 {
		l.header = fileHeader
	}
	h := l.buf[l.header:]
	l.leaf = h[0] == leafPage
	l.cells = int(binary.BigEndian.Uint16(h[3:]))
	if !l.leaf && h[0] != interiorPage {
		c.fail(corrupt("page %d: type %d, expected %d or %d", page, h[0], leafPage, interiorPage))
		return nil
	}
	if l.pointers()+2*l.cells > len(l.buf) {
		c.fail(corrupt("page %d: %d cells do not fit", page, l.cells))
		return nil
	}
	l.page = page
	return l
}

// pointers is where the cell pointer array begins.
func (l *level) pointers() int {
	if l.leaf {
		return l.header + leafHeader
	}
	return l.header + interiorHeader
}

// cellBytes is the page from the i-th cell on.
func (c *Cursor) cellBytes(l *level, i int) ([]byte, bool) {
	at := int(binary.BigEndian.Uint16(l.buf[l.pointers()+2*i:]))
	if at < l.pointers()+2*l.cells || at >= len(l.buf) {
		return nil, c.fail(corrupt("page %d: cell %d at byte %d", l.page, i, at))
	}
	return l.buf[at:], true
}

// cellID is the row id of the i-th cell.
func (c *Cursor) cellID(l *level, i int) (int64, bool) {
	b, ok := c.cellBytes(l, i)
	if !ok {
		return 0, false
	}
	skip := 4 // the child's page
	if l.leaf {
		_, skip = varint(b)
	}
	if skip > 0 && skip < len(b) {
		if id, n := varint(b[skip:]); n > 0 {
			return int64(id), true
		}
	}
	return 0, c.fail(corrupt("page %d: cell %d passes the end of the page", l.page, i))
}

// child is the page below l's position; 0 after a failure.
func (c *Cursor) child(l *level) uint32 {
	b := l.buf[l.header+8:] // the right-most
	if l.cell < l.cells {
		var ok bool
		if b, ok = c.cellBytes(l, l.cell); !ok {
			return 0
		}
	}
	if len(b) < 4 {
		c.fail(corrupt("page %d: cell %d passes the end of the page", l.page, l.cell))
		return 0
	}
	page := binary.BigEndian.Uint32(b)
	if page == 0 {
		c.fail(corrupt("page %d: a child on page 0", l.page))
	}
	return page
}
