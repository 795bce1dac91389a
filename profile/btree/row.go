package btree

import (
	"encoding/binary"
	"math"
)

// maxColumns bounds the columns of a row that can be read.
const maxColumns = 48

// Row is one row as it stands in a page. Columns count from 0, the row id
// among them where the schema has it as INTEGER PRIMARY KEY (it reads as 0:
// use ID). Columns that the row does not have read as 0 and as no bytes.
type Row struct {
	ID int64

	r        *Reader
	local    []byte // the payload's part in the leaf
	size     int    // of the whole payload
	overflow uint32 // where the rest begins
	rest     []byte // the whole payload, once read

	columns int
	types   [maxColumns]uint64
	at      [maxColumns]int // in the payload
	parsed  bool
	err     error
}

// parse takes the cell at the start of b, which ends with the page.
func (row *Row) parse(r *Reader, b []byte) error {
	size, n := varint(b)
	id, m := varint(b[n:])
	if n == 0 || m == 0 {
		return corrupt("a cell passes the end of its page")
	}
	if size > uint64(r.pages)*uint64(r.pageSize) {
		return corrupt("row %d: a payload of %d bytes in %d pages", int64(id), size, r.pages)
	}
	b = b[n+m:]
	local := r.local(int(size))
	row.ID, row.r, row.size, row.overflow, row.parsed, row.err = int64(id), r, int(size), 0, false, nil
	if local < int(size) {
		if local+4 > len(b) {
			return corrupt("row %d passes the end of its page", row.ID)
		}
		row.overflow = binary.BigEndian.Uint32(b[local:])
	} else if local > len(b) {
		return corrupt("row %d passes the end of its page", row.ID)
	}
	row.local, row.rest = b[:local], row.rest[:0]
	return nil
}

// sizes of the serial types of one byte (§2.1); of 10 and 11, which are none, and of what begins a
// longer one more than mostOfByte.
var sizes = func() (sizes [256]uint8) {
	for t := range sizes {
		sizes[t] = uint8(t-12) / 2
	}
	copy(sizes[:], []uint8{0, 1, 2, 3, 4, 6, 8, 8, 0, 0})
	return sizes
}()

const mostOfByte = (0x7f - 12) / 2

// header reads the types and places of the columns.
func (row *Row) header() error {
	if row.parsed {
		return nil
	}
	end, n := varint(row.local)
	from := row.local
	if end > uint64(len(from)) && end <= uint64(row.size) { // small pages
		if err := row.readOverflow(); err != nil {
			return err
		}
		from = row.rest
	}
	if n == 0 || end > uint64(len(from)) || end < uint64(n) {
		return corrupt("row %d: a header of %d bytes", row.ID, end)
	}
	types := from[n:end]
	at, columns := int(end), 0
	for i := 0; i < len(types); columns++ {
		if columns == maxColumns {
			return corrupt("row %d: more than %d columns", row.ID, maxColumns)
		}
		t, n := uint64(types[i]), 1
		size := int(sizes[t])
		if size > mostOfByte {
			if t, n = varint(types[i:]); n == 0 || t == 10 || t == 11 || t > uint64(row.size)*2+13 {
				return corrupt("row %d: column %d has type %d", row.ID, columns, t)
			}
			size = sizeOf(t)
		}
		i += n
		row.types[columns], row.at[columns] = t, at
		if at += size; at > row.size {
			return corrupt("row %d: column %d passes its end", row.ID, columns)
		}
	}
	row.columns, row.parsed = columns, true
	return nil
}

func sizeOf(t uint64) int {
	if t < 10 {
		return int(sizes[t])
	}
	return int(t-12) / 2
}

// IsNull reports whether a column is NULL or missing.
func (row *Row) IsNull(column int) bool {
	return column >= row.columns || row.types[column] == 0
}

// Int is an integer column; 0 for other types, and in a damaged file.
func (row *Row) Int(column int) int64 {
	if column >= row.columns {
		return 0
	}
	t := row.types[column]
	if t >= 8 || t == 7 {
		if t == 9 {
			return 1
		}
		return 0
	}
	b := row.number(column, int(sizes[t]))
	if b == nil {
		return 0
	}
	switch t {
	case 1:
		return int64(int8(b[0]))
	case 2:
		return int64(int16(binary.BigEndian.Uint16(b)))
	case 3:
		return int64(int8(b[0]))<<16 | int64(b[1])<<8 | int64(b[2])
	case 4:
		return int64(int32(binary.BigEndian.Uint32(b)))
	case 5:
		return int64(int16(binary.BigEndian.Uint16(b)))<<32 | int64(binary.BigEndian.Uint32(b[2:]))
	case 6:
		return int64(binary.BigEndian.Uint64(b))
	}
	return 0
}

// Uint is an integer column as the uint64 of the same bits.
func (row *Row) Uint(column int) uint64 { return uint64(row.Int(column)) }

// Real is a column stored with Record.Real; 0 for other types, and in a damaged file.
func (row *Row) Real(column int) float64 {
	if column >= row.columns || row.types[column] != 7 {
		return 0
	}
	b := row.number(column, 8)
	if b == nil {
		return 0
	}
	return math.Float64frombits(binary.BigEndian.Uint64(b))
}

// number is the bytes of a number from its first on; nil where they cannot be read. It
// stands in the leaf unless long columns come before it.
func (row *Row) number(column, size int) []byte {
	if at := row.at[column]; at+size <= len(row.local) {
		return row.local[at:]
	}
	if len(row.rest) == 0 && row.readOverflow() != nil {
		return nil
	}
	if at := row.at[column]; at+size <= len(row.rest) {
		return row.rest[at:]
	}
	return nil
}

// Bytes is a TEXT or BLOB column, no bytes for other types. It is valid until
// the cursor moves. Reading what went to overflow pages can fail: see Err.
func (row *Row) Bytes(column int) []byte {
	if column >= row.columns || row.types[column] < 12 {
		return nil
	}
	at, end := row.at[column], row.at[column]+sizeOf(row.types[column])
	if end <= len(row.local) {
		return row.local[at:end:end]
	}
	if len(row.rest) == 0 {
		if err := row.readOverflow(); err != nil {
			row.Fail(err)
			return nil
		}
	}
	return row.rest[at:end:end]
}

// Fail notes what is wrong with the row; the first error stays.
func (row *Row) Fail(err error) {
	if row.err == nil {
		row.err = err
	}
}

// Err is the first error of the row: of its bytes, or one that [Row.Fail] was told.
func (row *Row) Err() error { return row.err }

// readOverflow follows the chain of overflow pages (§1.7). It grows as pages
// prove that they are there.
func (row *Row) readOverflow() error {
	rest := append(row.rest[:0], row.local...)
	page := make([]byte, row.r.pageSize)
	for next := row.overflow; len(rest) < row.size; {
		if err := row.r.readPage(next, page); err != nil {
			return err
		}
		next = binary.BigEndian.Uint32(page)
		rest = append(rest, page[4:min(len(page), 4+row.size-len(rest))]...)
	}
	row.rest = rest
	return nil
}
