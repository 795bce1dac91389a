package instrprof

import (
	"proflens/decode/model"
	"proflens/decode/wire"
)

// eachBinaryID reads a binary id list of size bytes at the cursor, in the
// cursor's byte order, and moves past it (instrprof.md §2.12). Each id is the
// GNU build ID or Mach-O UUID of one linked image; it aliases the file.
//
// A size that is no multiple of 8 is bad_header; a list that does not add up to
// its size is malformed, and one that passes the end of the file truncated.
func eachBinaryID(c *wire.Cursor, size uint64, yield func(id []byte)) error {
	if size%8 != 0 {
		return c.Fail(model.KindBadHeader, "BinaryIdsSize", "the binary IDs' size is wrong",
			"a multiple of 8", size)
	}
	return eachAlignedID(c, size, 8, yield)
}

// eachUnpaddedID is eachBinaryID for raw versions 6 and 7: LLVM 13 did not pad
// ids, so the list may have any size.
func eachUnpaddedID(c *wire.Cursor, size uint64, yield func(id []byte)) error {
	padded := *c
	padded.RecordSections(nil)
	if eachBinaryID(&padded, size, func([]byte) {}) == nil {
		return eachBinaryID(c, size, yield)
	}
	return eachAlignedID(c, size, 1, yield)
}

// eachAlignedID reads a list whose ids are padded to a multiple of align, as far as the file goes.
func eachAlignedID(c *wire.Cursor, size, align uint64, yield func(id []byte)) error {
	if size == 0 {
		return c.Err()
	}
	ids := c.Section("binary ids", min(size, c.Remaining()))
	past := size - ids.Remaining()
	for ids.Remaining()+past > 0 {
		at := ids.Offset()
		n := ids.U64("length")
		pad, left := -n%align, ids.Remaining()+past
		switch {
		case ids.Err() != nil:
		case n == 0:
			return model.InLLVM(ids.FailAt(at, model.KindMalformed, "length", "a binary ID is empty", "1 byte or more", "0"),
				": binary id length is 0")
		case n > left || n+pad > left:
			return model.InLLVM(ids.FailAt(at, model.KindMalformed, "length", "a binary ID runs past the end of its section",
				"at most "+wire.Plural(left, "byte"), n), ": not enough data to read binary id data")
		default:
			id := ids.Hex("id", n)
			if ids.Skip("padding", pad); ids.Err() == nil {
				yield(id)
			}
		}
		if err := ids.Err(); err != nil {
			return model.InLLVM(err, "malformed instrumentation profile data: binary id section is greater than buffer size")
		}
	}
	return nil
}
