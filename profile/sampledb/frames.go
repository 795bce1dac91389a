package sampledb

import (
	"proflens/decode/sampleprof"
	"proflens/profile/table"
)

// Frames are steps that lead to a place, the outermost first: a calling context, or what is
// inlined. The last one's place means nothing.
type Frames struct {
	names []Name
	list  []sampleprof.Frame
}

// framesBytes is how many bytes of frames have names. No real ones have a tenth of them.
const framesBytes = 1 << 20

// Cell implements [table.Celler]: frames as contexts are written, "main:3.1 @ _Z1fv"; null
// without any. A name that is not known is the hash as llvm-profdata prints it. Where frames
// have more names than any real ones, hashes stand for the rest.
func (f *Frames) Cell(string, *table.Options) table.Cell {
	if len(f.list) == 0 {
		return table.Null
	}
	var b []byte
	for i, frame := range f.list {
		if i > 0 {
			b = append(b, " @ "...)
		}
		if n := &f.names[frame.Name]; len(n.Linkage) > 0 && len(b) <= framesBytes {
			b = append(b, n.Linkage...)
		} else {
			b = append(b, sampleprof.Name{MD5: n.GUID}.String()...)
		}
		if i < len(f.list)-1 {
			b = append(append(b, ':'), frame.Loc.String()...)
		}
	}
	return table.Text(string(b))
}
