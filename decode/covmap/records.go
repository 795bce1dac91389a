package covmap

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// recordSize is the size of a record before version 4 (formats/covmap.md, section 3).
func (r *reading) recordSize() uint64 {
	if r.Version == 1 {
		return 16 + uint64(r.s.pointerSize)
	}
	return 20
}

// readOldRecords reads the records of a block before version 4; their mappings follow
// each other behind the file names.
func (r *reading) readOldRecords(c, mappings *wire.Cursor, b *block) error {
	for c.Remaining() > 0 {
		at := c.Offset()
		var f Function
		var key uint64
		var size uint32
		if r.Version == 1 {
			pointer, length := c.Ptr("NamePtr", r.s.pointerSize), uint64(c.U32("NameSize"))
			size, f.Hash = c.U32("DataSize"), c.U64("FuncHash")
			key = pointer
			if from, all := pointer-r.s.namesAddr, uint64(len(r.s.names.data)); from < all && length > 0 &&
				length <= min(all-from, model.MaxName) {
				r.addName(key, r.s.names.data[from:from+length])
			}
		} else {
			key, size, f.Hash = c.U64("NameRef"), c.U32("DataSize"), c.U64("FuncHash")
		}
		f.at = mappings.Offset()
		f.data = mappings.Bytes("mapping", uint64(size))
		if mappings.Err() != nil {
			return r.spoilt(Fault{}, r.refuse(c, at, "DataSize", "the mappings pass the end of their block",
				fmt.Sprintf("at most %d", mappings.Remaining()), size))
		}
		f.names = b.names
		if err := r.insert(c, at, key, f); err != nil {
			return err
		}
	}
	return nil
}

// newRecordSize is the size of a record from version 4 on, before its mapping.
const newRecordSize = 28

// readRecords reads a section of records, each with its mapping, from version 4 on.
func (r *reading) readRecords(c *wire.Cursor) error {
	start := c.Offset()
	for c.Remaining() > 0 {
		at := c.Offset()
		if c.Remaining() < newRecordSize {
			return r.spoilt(Fault{}, r.refuse(c, at, "", "a record passes the end of its section", "28 bytes",
				c.Remaining()))
		}
		var f Function
		key, size := c.U64("NameRef"), uint64(c.U32("DataSize"))
		f.Hash = c.U64("FuncHash")
		files := c.U64("FilenamesRef")
		if size > c.Remaining() {
			return r.spoilt(Fault{}, r.refuse(c, at+8, "DataSize", "a mapping passes the end of its section",
				fmt.Sprintf("at most %d", c.Remaining()), size))
		}
		f.at = c.Offset()
		f.data = c.Bytes("mapping", size)
		c.Skip("padding", min(-(c.Offset()-start)%8, c.Remaining()))
		b := r.blocks[files]
		if b == nil {
			name := ""
			if n, ok := r.index[key]; ok {
				name = r.Names[n]
			}
			if err := r.spoilt(Fault{Function: name},
				model.InLLVM(r.refuse(c, at+20, "FilenamesRef", "no list of file names has the hash that a record names", "",
					fmt.Sprintf("0x%x", files)), fmt.Sprintf(": no filename found for function with hash=0x%x", files))); err != nil {
				return err
			}
			continue
		}
		if b.void {
			continue
		}
		f.names = b.names
		if err := r.insert(c, at, key, f); err != nil {
			return err
		}
	}
	return nil
}

// insert keeps the first record of a name, or instead of a dummy the first that is
// none (section 5).
func (r *reading) insert(c *wire.Cursor, at, key uint64, f Function) error {
	n, ok := r.index[key]
	if !ok {
		return r.spoilt(Fault{}, r.refuse(c, at, "NameRef",
			"the function name is empty: the names section has not the one of a record", "", fmt.Sprintf("0x%x", key)))
	}
	f.Name = r.Names[n]
	f.Dummy = f.Hash == 0 && isDummy(f.data)
	if r.kept[n] == 0 {
		r.Functions = append(r.Functions, f)
		r.kept[n] = int32(len(r.Functions))
	} else if old := &r.Functions[r.kept[n]-1]; old.Dummy && !f.Dummy {
		*old = f
	}
	return nil
}

// isDummy reports whether a mapping has one file, no expressions, and one region
// that counts nothing.
func isDummy(data []byte) bool {
	m := mappingReader{data: data}
	one := m.uleb("number of file ids") == 1
	m.uleb("file name index")
	one = one && m.uleb("number of expressions") == 0 && m.uleb("number of regions") == 1
	return one && Counter(m.uleb("header")).Tag() == Zero && m.err == nil
}
