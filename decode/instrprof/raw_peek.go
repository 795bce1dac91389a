package instrprof

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"math/bits"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// IsRaw reports whether data begins with the magic of a raw profile
// (instrprof.md §1).
func IsRaw(data []byte) bool {
	_, _, ok := rawMagic(data)
	return ok
}

// Peek is what the first header of a raw file says.
type Peek struct {
	Info Info // of the first profile; without names or traces of records
	// ProgramKey is equal for files of one program, which may be merged. It
	// covers the layout that the header states, the binary ids and the names; it
	// is empty when the file is too short to have them.
	ProgramKey string
	// Correlated says that records and names were left in the executable, which
	// Program describes.
	Correlated bool
	Program    Program
}

// PeekRaw reads the first header of a raw file of size bytes and no further; data may
// be no more of it than the beginning. With an error it still returns what could be read.
func PeekRaw(data []byte, size uint64) (Peek, error) {
	c := wire.New("file", data, 0)
	h, err := readRawHeader(c, "header")
	if h == nil {
		return Peek{}, err
	}
	peek := Peek{Info: h.info()}
	if err != nil {
		return peek, err
	}
	var short error
	peek.ProgramKey, short = h.programKey(*c, size)
	peek.Correlated = h.correlated()
	p := rawPart{rawHeader: h}
	err = p.readBinaryIDs(c)
	for _, id := range p.binaryIDs {
		peek.Info.BinaryIDs = append(peek.Info.BinaryIDs, bytes.Clone(id))
	}
	if peek.Correlated && err == nil {
		peek.Program = h.program(p.binaryIDs)
	}
	if !peek.Correlated {
		err = nil // the reader tells it
	}
	return peek, cmp.Or(err, short)
}

// programKey hashes what does not change between runs of a program: not the
// addresses, which may, and of the names what there is of the file. The error is for a
// file of size bytes that ends before its names do.
func (h *rawHeader) programKey(c wire.Cursor, size uint64) (string, error) {
	sum := fnv.New128a()
	for _, f := range h.format.header {
		switch f {
		case countersDelta, bitmapDelta, namesDelta, uniformCountersDelta, valueDataDelta, valueDataSizeField:
		default:
			fmt.Fprint(sum, h.word[f], " ")
		}
	}
	sum.Write(c.Bytes("", h.word[binaryIDsSize]))
	p := rawPart{rawHeader: h}
	left, names := size-c.Offset(), uint64(0)
	for _, s := range []struct {
		count headerField
		size  uint64
	}{
		{numData, h.layouts()[0].total}, {paddingBeforeCounters, 1}, {numCounters, h.counterSize()},
		{paddingAfterCounters, 1}, {numBitmapBytes, 1}, {paddingAfterBitmap, 1}, {numUniformCounters, 8},
		{paddingAfterUniform, 1}, {namesSize, 1},
	} {
		p.wrap(s.count, s.size, left)
		over, bytes := bits.Mul64(h.word[s.count], s.size)
		if over > 0 || bytes > left {
			c.FailAt(size, model.KindBadHeader, headerFields[s.count].name, "the file ends before its names do", "", "")
			break
		}
		left, names = left-bytes, bytes
	}
	if err := c.Err(); err != nil {
		return "", err
	}
	rest := c.Peek()
	rest = rest[min(uint64(len(rest)), size-left-names-c.Offset()):]
	sum.Write(rest[:min(uint64(len(rest)), names, peekNames)])
	return fmt.Sprintf("%x", sum.Sum(nil)), nil
}

// peekNames is how many bytes of the names a program key covers.
const peekNames = 4096
