package covmap

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// block is the file names of a translation unit (formats/covmap.md, section 2).
type block struct {
	raw   []byte // as stored, which the hash is of
	names []string
	void  bool // two blocks with other names have one hash
}

const headerSize = 16

// readBlocks reads the blocks of the covmap section, before version 4 with the
// records and mappings that they hold.
func (r *reading) readBlocks(c *wire.Cursor) error {
	start := c.Offset()
	for c.Remaining() > 0 {
		at := c.Offset()
		if c.Remaining() < headerSize {
			return r.spoilt(Fault{}, c.Fail(model.KindMalformed, "", "the header of a block passes the end of its section",
				"16 bytes", c.Remaining()))
		}
		count, size, mappings := uint64(c.U32("NRecords")), uint64(c.U32("FilenamesSize")), uint64(c.U32("CoverageSize"))
		c.U32("Version")
		var records *wire.Cursor
		if r.Version < 4 {
			records = c.Section("records", count*r.recordSize())
		} else if count != 0 {
			if err := r.spoilt(Fault{}, r.refuse(c, at, "NRecords",
				"the number of records is not zero, which are elsewhere", "0", count)); err != nil {
				return err
			}
		} else if mappings != 0 {
			if err := r.spoilt(Fault{}, r.refuse(c, at+8, "CoverageSize",
				"the size of mappings is not zero, which are elsewhere", "0", mappings)); err != nil {
				return err
			}
		}
		names := c.Section("file names", size)
		var data *wire.Cursor
		if r.Version < 4 {
			data = c.Section("mappings", mappings)
		}
		if err := c.Err(); err != nil {
			if fault, ok := model.FaultIn(err); ok {
				fault.Kind = model.KindMalformed // llvm-cov's word
			}
			return r.spoilt(Fault{}, err)
		}
		b, err := r.readBlock(names)
		if err := r.spoilt(Fault{Names: records == nil}, err); err != nil {
			return err
		}
		if records != nil && b != nil {
			if err := r.readOldRecords(records, data, b); err != nil {
				return err
			}
		}
		c.Skip("padding", min(-(c.Offset()-start)%8, c.Remaining()))
	}
	return nil
}

// refuse is a fault that does not end the cursor.
func (r *reading) refuse(c *wire.Cursor, at uint64, field, msg string, expected, found any) error {
	try := *c
	return try.FailAt(at, model.KindMalformed, field, msg, expected, found)
}

// readBlock reads the names of a block, and finds it by its hash if it was there
// before.
func (r *reading) readBlock(c *wire.Cursor) (*block, error) {
	all := *c
	raw := all.Rest()
	key := instrprof.NameRef(raw)
	known := r.blocks[key]
	if known != nil && bytes.Equal(known.raw, raw) {
		return known, nil
	}
	names, err := r.readFiles(c)
	if err != nil {
		return nil, err
	}
	b := &block{raw: raw, names: names}
	switch {
	case r.Version < 4 || known == nil:
		r.blocks[key] = b
	case slices.Equal(known.names, names):
		return known, nil
	default:
		known.void = true
	}
	return b, nil
}

// readFiles reads a list of file names.
func (r *reading) readFiles(c *wire.Cursor) ([]string, error) {
	count := r.size(c, "number of file names")
	if c.Err() == nil && count == 0 {
		return nil, model.InLLVM(c.Fail(model.KindMalformed, "number of file names", "a translation unit has no file names",
			"1 or more", "0"), ": number of filenames is zero")
	}
	if r.Version >= 4 {
		plain := c.ULEB("size of names")
		if packed := r.size(c, "compressed size"); packed > 0 {
			at := c.Offset()
			text, err := r.z.Inflate(c.Bytes("names", packed), plain, c.Allowance())
			switch {
			case c.Err() != nil:
				return nil, c.Err()
			case errors.Is(err, wire.ErrBomb):
				return nil, c.FailAt(at, model.KindTooLarge, "names", "the file names inflate to an impossible size",
					c.Allowance().Most(), plain)
			case err != nil:
				return nil, c.FailAt(at, model.KindUncompressFailed, "names", "the file names do not inflate: "+err.Error(),
					"a zlib stream of "+wire.Plural(plain, "byte"), "")
			}
			inflated := wire.New("file names", text, at)
			inflated.Allow(c.Allowance())
			c = inflated
		}
	}
	names := make([]string, 0, c.Count("number of file names", count, 1))
	for range count {
		name := c.Bytes("name", r.size(c, "length of a name"))
		if c.Err() != nil {
			break
		}
		if r.Version >= 6 && len(names) > 0 && !isAbsolute(name) {
			dir := names[0]
			if r.o.CompilationDir != "" {
				dir = r.o.CompilationDir
			}
			if r.path = join(r.path[:0], dir, name); c.Spend("name",
				"the file names with their directory exceed their memory limit", uint64(len(r.path))) != nil {
				break
			}
			name = r.path
		}
		names = append(names, r.intern(name))
	}
	return names, c.Err()
}

// size reads a size, which must not exceed the bytes that are left.
func (r *reading) size(c *wire.Cursor, field string) uint64 {
	at := c.Offset()
	n := c.ULEB(field)
	if c.Err() == nil && n > c.Remaining() {
		c.FailAt(at, model.KindMalformed, field, "the size exceeds the bytes that are left",
			fmt.Sprintf("at most %d", c.Remaining()), n)
	}
	if c.Err() != nil {
		return 0
	}
	return n
}

// intern keeps one copy of a name, which the headers of every unit are among.
func (r *reading) intern(name []byte) string {
	s, ok := r.interned[string(name)]
	if !ok {
		s = string(name)
		r.interned[s] = s
	}
	return s
}
