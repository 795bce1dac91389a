package instrprof

import (
	"bytes"
	"errors"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// nameSeparator stands between two names of a blob (instrprof.md §2.5).
const nameSeparator = 0x01

// EachName yields every name of a names section, or of a section of vtable
// names: the rest of the cursor. Names are PGO names in the order of the file,
// some perhaps more than once. A yielded slice stays valid and must not be
// written to. It stops early when yield returns false.
//
// Errors: truncated, uncompress_failed, too_large, or malformed for an empty
// name (instrprof.md §2.5).
func EachName(c *wire.Cursor, yield func(name []byte) bool) error {
	return eachNameBlob(c, c.Remaining(), func(text []byte, offset uint64) error {
		for more := true; more; {
			var name []byte
			name, text, more = bytes.Cut(text, []byte{nameSeparator})
			if err := checkName(c, offset, len(name)); err != nil {
				return err
			}
			if !yield(name) {
				return errStop
			}
		}
		return nil
	})
}

// checkName refuses a name that is empty, or longer than any. Its blob is at an offset.
func checkName(c *wire.Cursor, offset uint64, size int) error {
	if size == 0 {
		return model.InLLVM(c.FailAt(offset, model.KindMalformed, "names", "a symbol name is empty", "", ""),
			": symbol name is empty")
	}
	if size > model.MaxName {
		return c.FailAt(offset, model.KindTooLarge, "names", "a symbol name is too long", model.NameBound,
			wire.Plural(size, "byte"))
	}
	return nil
}

// errStop ends an iteration that its consumer has had enough of.
var errStop = errors.New("stop")

// eachNameBlob yields the text of each blob that begins within the next size
// bytes of the cursor, inflated, and the offset of its first byte in the file.
//
// A blob begins within the section, but llvm-profdata lets its body run on
// into what follows in the file; so a cursor over more than the section reads
// files whose NamesSize is a little too small, as it does. It also reads one
// blob of any section that is not empty, even when the end passes 2^64.
func eachNameBlob(c *wire.Cursor, size uint64, yield func(text []byte, offset uint64) error) error {
	end := c.Offset() + size
	var z inflater
	for first := size > 0; (first || c.Offset() < end) && c.Err() == nil; first = false {
		text, offset, err := z.blob(c)
		if err == nil {
			err = yield(text, offset)
		}
		if errors.Is(err, errStop) {
			return nil
		}
		if err != nil {
			return err
		}
		c.SkipZeros(end)
	}
	return c.Err()
}

// inflater reads blobs.
type inflater struct{ wire.Inflater }

func (z *inflater) blob(c *wire.Cursor) (text []byte, offset uint64, err error) {
	size := c.ULEB("uncompressed size")
	at := c.Offset()
	stored := c.ULEB("compressed size")
	if c.Err() == nil && stored == 0 {
		c.Note("the names are not compressed")
	}
	offset = c.Offset()
	if stored == 0 {
		text = c.Bytes("names", size)
		return text, offset, c.Err()
	}
	// llvm-profdata takes a size past the end when the stream itself is whole.
	packed := c.Bytes("names", min(stored, c.Remaining()))
	if c.Err() != nil {
		return nil, offset, c.Err()
	}
	text, err = z.Inflate(packed, size, c.Allowance())
	switch {
	case err == nil:
		return text, offset, nil
	case errors.Is(err, wire.ErrBomb):
		return nil, offset, c.FailAt(at, model.KindTooLarge, "uncompressed size", "the names inflate to an impossible size",
			c.Allowance().Most(), size)
	case stored > uint64(len(packed)):
		return nil, offset, model.InLLVM(c.FailAt(at, model.KindTruncated, "compressed size",
			"the compressed names run past the end of their section",
			wire.Plural(stored, "byte"), len(packed)), "failed to uncompress data (zlib)")
	}
	return nil, offset, c.FailAt(offset, model.KindUncompressFailed, "names", "the names do not inflate: "+err.Error(),
		"a zlib stream of "+wire.Plural(size, "byte"), "")
}
