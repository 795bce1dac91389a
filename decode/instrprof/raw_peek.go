package instrprof

import (
	"bytes"
	"fmt"
	"hash/fnv"

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

// PeekRaw reads the first header of a raw file and no further. With an error
// it still returns what could be read.
func PeekRaw(data []byte) (Peek, error) {
	c := wire.New("file", data, 0)
	h, err := readRawHeader(c, "header")
	if h == nil {
		return Peek{}, err
	}
	peek := Peek{Info: h.info()}
	if err != nil {
		return peek, err
	}
	peek.ProgramKey, peek.Correlated = h.programKey(*c), h.correlated()
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
	return peek, err
}

// programKey hashes what does not change between runs of a program: not the
// addresses, which may.
func (h *rawHeader) programKey(c wire.Cursor) string {
	sum := fnv.New128a()
	for _, f := range h.format.header {
		switch f {
		case countersDelta, bitmapDelta, namesDelta, uniformCountersDelta, valueDataDelta, valueDataSizeField:
		default:
			fmt.Fprint(sum, h.word[f], " ")
		}
	}
	sum.Write(c.Bytes("", h.word[binaryIDsSize]))
	p := rawPart{rawHeader: h, records: h.layouts()[0]}
	p.take(&c, "data", numData, p.records.total)
	p.padding(&c, paddingBeforeCounters)
	p.take(&c, "counters", numCounters, h.counterSize())
	p.padding(&c, paddingAfterCounters)
	p.take(&c, "bitmap", numBitmapBytes, 1)
	p.padding(&c, paddingAfterBitmap)
	p.take(&c, "uniform counters", numUniformCounters, 8)
	p.padding(&c, paddingAfterUniform)
	names := p.take(&c, "names", namesSize, 1).Rest()
	if c.Err() != nil {
		return ""
	}
	sum.Write(names[:min(len(names), peekNames)])
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// peekNames is how many bytes of the names a program key covers.
const peekNames = 4096
