package memprof

import (
	"fmt"
	"hash/fnv"
	"slices"

	"proflens/decode/wire"
)

// Peek is what the first header of a raw file says. It does not alias the file.
type Peek struct {
	Version uint64
	Modules []Module
	// ProgramKey is equal for files of one program; empty when the file is too
	// short to tell.
	ProgramKey string
}

// PeekRaw reads the first header of a raw file and its segments. With an error
// it still returns what could be read.
func PeekRaw(data []byte) (Peek, error) {
	r := &Raw{dumps: 1}
	c := wire.New("file", data, 0)
	h, err := r.readHeader(c.Section("header", min(rawHeaderSize, c.Remaining())))
	peek := Peek{Version: r.version}
	if err != nil {
		return peek, err
	}
	c.Skip("", h.segment-rawHeaderSize)
	if err := r.readSegments(c.Section("segments", h.mib-h.segment)); err != nil {
		return peek, err
	}
	peek.Modules = r.modules
	for i := range peek.Modules {
		peek.Modules[i].BuildID = slices.Clone(peek.Modules[i].BuildID)
	}
	sum := fnv.New128a()
	for i, m := range r.modules {
		// The main program comes first, and alone tells programs apart; before
		// there were build IDs, the sizes of all that was mapped do.
		if h.version >= 3 && i == 0 {
			fmt.Fprintf(sum, "%x", m.BuildID)
		} else if h.version < 3 {
			fmt.Fprintf(sum, "%x %x ", m.End-m.Start, m.Offset)
		}
	}
	if len(r.modules) > 0 {
		peek.ProgramKey = fmt.Sprintf("memprof %x", sum.Sum(nil))
	}
	return peek, nil
}
