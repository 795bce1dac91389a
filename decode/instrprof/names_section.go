package instrprof

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zlib"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// nameSeparator stands between two names of a blob (instrprof.md §2.5).
const nameSeparator = 0x01

// eachName yields every name of a names section, or of a section of vtable
// names: the rest of the cursor. Names are PGO names in the order of the file,
// some perhaps more than once. A yielded slice stays valid and must not be
// written to. It stops early when yield returns false.
//
// Errors: truncated, uncompress_failed, too_large, or malformed for an empty
// name (instrprof.md §2.5).
func eachName(c *wire.Cursor, yield func(name []byte) bool) error {
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
		return c.FailAt(offset, model.KindMalformed, "names", "a symbol name is empty", "", "")
	}
	if size > model.MaxName {
		return c.FailAt(offset, model.KindTooLarge, "names", "a symbol name is too long", model.NameBound, wire.Plural(uint64(size), "byte"))
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

// inflater reads blobs and reuses one zlib reader, since a program of many
// object files has as many blobs.
type inflater struct {
	src bytes.Reader
	zr  io.ReadCloser
}

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
	text, err = z.inflate(packed, size, c.Allowance())
	switch {
	case err == nil:
		return text, offset, nil
	case errors.Is(err, errBomb):
		return nil, offset, c.FailAt(at, model.KindTooLarge, "uncompressed size", "the names inflate to an impossible size", c.Allowance().Most(), fmt.Sprint(size))
	case stored > uint64(len(packed)):
		return nil, offset, c.FailAt(at, model.KindTruncated, "compressed size", "the compressed names run past the end of their section",
			wire.Plural(stored, "byte"), fmt.Sprint(len(packed)))
	}
	return nil, offset, c.FailAt(offset, model.KindUncompressFailed, "names", "the names do not inflate: "+err.Error(),
		"a zlib stream of "+wire.Plural(size, "byte"), "")
}

var errBomb = errors.New("inflates beyond what is allowed")

// inflate unpacks one zlib stream of at most size bytes, and takes them from what is
// allowed. A stream that ends
// sooner is taken as it is, as llvm-profdata does; one that goes on is a fault.
// One that is cut off is a fault too, but what there is comes with the error.
// Memory grows as data proves the size, never on its word.
func (z *inflater) inflate(packed []byte, size uint64, allowed *wire.Allowance) (text []byte, err error) {
	defer func() { allowed.Take(uint64(len(text))) }()
	z.src.Reset(packed)
	if z.zr == nil {
		zr, err := zlib.NewReader(&z.src)
		if err != nil {
			return nil, err
		}
		z.zr = zr
	} else if err := z.zr.(zlib.Resetter).Reset(&z.src, nil); err != nil {
		return nil, err
	}
	limit := min(size, allowed.Left())
	text = make([]byte, 0, min(limit, 8*uint64(len(packed)))+1) // one more, so that the end is found without growing
	for {
		if len(text) == cap(text) {
			text = append(text, 0)[:len(text)]
		}
		n, err := z.zr.Read(text[len(text):cap(text)])
		text = text[:len(text)+n]
		switch {
		case uint64(len(text)) > limit && limit < size:
			return nil, errBomb
		case uint64(len(text)) > limit:
			return nil, fmt.Errorf("the stream is longer than %d bytes", size)
		case err == io.EOF:
			return text, nil
		case err == io.ErrUnexpectedEOF:
			return text, errors.New("the stream ends early")
		case err != nil:
			return nil, err
		}
	}
}
