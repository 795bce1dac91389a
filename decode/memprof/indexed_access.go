package memprof

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// readDataAccess reads the data access profile (memprof.md §3.9).
func (x *indexed) readDataAccess() error {
	c := x.part("memprof data access", x.header.dataAccess, x.base+uint64(len(x.data)))
	at := c.Offset()
	numStrings, numCold := c.U64("NumStrings"), c.U64("NumColdSymbols")
	length := c.U64("StringsSize")
	blob := c.Within("Strings", length)
	c.Skip("padding", min(-length%8, c.Remaining()))
	if c.Err() != nil {
		return c.Err()
	}
	names, err := readStrings(blob)
	if err != nil {
		return err
	}
	if n := uint64(len(names)); numStrings > n || numCold > n-numStrings {
		return c.FailAt(at, model.KindMalformed, "NumStrings", "the data access profile has fewer strings than it declares",
			fmt.Sprintf("%d + %d", numStrings, numCold), n)
	}
	access := &DataAccess{ColdSymbols: names[numStrings : numStrings+numCold]}
	access.ColdHashes = make([]uint64, c.Count("NumColdHashes", c.U64("NumColdHashes"), 8))
	c.U64s("ColdHash", access.ColdHashes)
	access.Records = make([]DataAccessRecord, c.Count("NumRecords", c.U64("NumRecords"), 25))
	for i := range access.Records {
		if err := readDataRecord(c, &access.Records[i], names[:numStrings]); err != nil {
			return err
		}
	}
	x.profile.DataAccess = access
	return c.Err()
}

// readDataRecord reads one record of the data access profile.
func readDataRecord(c *wire.Cursor, r *DataAccessRecord, names []string) error {
	name := func(field string) (s string) {
		at := c.Offset()
		i := c.U64(field)
		if i < uint64(len(names)) {
			return names[i]
		}
		if c.Err() == nil {
			c.FailAt(at, model.KindMalformed, field, "an index is past the last string",
				fmt.Sprintf("less than %d", len(names)), i)
		}
		return ""
	}
	id := *c
	r.Hash = c.U64("Id")
	r.IsString = c.U8("IsStringLiteral") != 0
	after := c.Offset()
	if !r.IsString && c.Err() == nil {
		r.Hash = 0
		*c = id
		r.Symbol = name("Symbol")
		c.Skip("", after-c.Offset())
	}
	r.AccessCount = c.U64("AccessCount")
	n := c.Count("NumLocations", c.U64("NumLocations"), 12)
	if n > 0 {
		r.Locations = make([]DataLocation, n)
	}
	for i := range r.Locations {
		r.Locations[i] = DataLocation{File: name("FileName"), Line: c.U32("Line")}
	}
	return c.Err()
}

// readStrings reads strings joined by the byte 1, in pieces of which each may
// be compressed.
func readStrings(c *wire.Cursor) ([]string, error) {
	var text []byte
	for c.Remaining() > 0 && c.Err() == nil {
		if len(text) > 0 {
			text = append(text, 1)
		}
		size := c.ULEB("uncompressed size")
		stored := c.ULEB("compressed size")
		if stored == 0 {
			text = append(text, c.Bytes("strings", size)...)
		} else if packed := c.Bytes("strings", stored); c.Err() == nil {
			piece, err := inflated(c, packed, size)
			if err != nil {
				return nil, err
			}
			text = append(text, piece...)
		}
		c.SkipZeros(c.Offset() + c.Remaining())
	}
	if len(text) == 0 || c.Err() != nil {
		return nil, c.Err()
	}
	var names []string
	for name := range bytes.SplitSeq(text, []byte{1}) {
		if len(name) > model.MaxName {
			return nil, c.Fail(model.KindTooLarge, "strings", "a string is too long", model.NameBound,
				wire.Plural(len(name), "byte"))
		}
		names = append(names, string(name))
	}
	return names, nil
}

// inflated is a zlib stream of size bytes.
func inflated(c *wire.Cursor, packed []byte, size uint64) ([]byte, error) {
	if err := c.Spend("uncompressed size", "the strings inflate to an impossible size", size); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z, err := zlib.NewReader(bytes.NewReader(packed))
	if err == nil {
		_, err = io.Copy(&out, io.LimitReader(z, int64(size)+1))
	}
	if err == nil && uint64(out.Len()) != size {
		err = fmt.Errorf("the stream is not %d bytes long", size)
	}
	if err != nil {
		return nil, c.Fail(model.KindUncompressFailed, "strings", "the strings do not inflate: "+err.Error(), "", "")
	}
	return out.Bytes(), nil
}
