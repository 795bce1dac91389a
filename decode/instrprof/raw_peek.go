package instrprof

import (
	"fmt"
	"hash/fnv"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// IsRaw reports whether data begins with the magic of a raw profile
// (instrprof.md §1).
func IsRaw(data []byte) bool {
	_, _, ok := rawMagic(data)
	return ok
}

// PeekRaw reads the first header of a raw file and no further: what it is, and
// a key that is equal for files of one program, which may be merged. The key
// covers the layout that the header states, the binary ids and the names; it
// is empty when the file is too short to have them.
//
// Info has no records' names, ids or traces, and counts the first profile only.
func PeekRaw(data []byte) (info model.Info, programKey string, err error) {
	c := wire.New("file", data, 0)
	h, err := readRawHeader(c, "header")
	if h == nil {
		return info, "", err
	}
	info = h.info()
	if err != nil {
		return info, "", err
	}
	return info, h.programKey(*c), nil
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
