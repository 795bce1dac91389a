package encode

import (
	"encoding/binary"

	"proflens/decode/memprof"
)

// appendAccess appends a data access profile (memprof.md §3.9).
func appendAccess(b []byte, a *memprof.DataAccess) []byte {
	le := binary.LittleEndian
	numbers := map[string]uint64{}
	var names []string
	intern := func(s string) uint64 {
		n, ok := numbers[s]
		if !ok {
			n = uint64(len(names))
			numbers[s] = n
			names = append(names, s)
		}
		return n
	}
	for _, r := range a.Records {
		if !r.IsString {
			intern(r.Symbol)
		}
		for _, l := range r.Locations {
			intern(l.File)
		}
	}
	for _, s := range a.ColdSymbols {
		intern(s)
	}
	b = appendWords(b, []uint64{uint64(len(names)), uint64(len(a.ColdSymbols))})
	b = appendPadded(b, nameBlob(append(names, a.ColdSymbols...)))
	b = le.AppendUint64(b, uint64(len(a.ColdHashes)))
	b = appendWords(b, a.ColdHashes)
	b = le.AppendUint64(b, uint64(len(a.Records)))
	for _, r := range a.Records {
		id, literal := r.Hash, byte(1)
		if !r.IsString {
			id, literal = intern(r.Symbol), 0
		}
		b = le.AppendUint64(b, id)
		b = append(b, literal)
		b = appendWords(b, []uint64{r.AccessCount, uint64(len(r.Locations))})
		for _, l := range r.Locations {
			b = le.AppendUint64(b, intern(l.File))
			b = le.AppendUint32(b, l.Line)
		}
	}
	return b
}
