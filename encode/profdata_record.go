package encode

import (
	"encoding/binary"
	"slices"

	"proflens/decode/instrprof"
)

// itemHeader is hash, key_length and data_length of an item.
const itemHeader = 24

// pad8 is how many bytes follow n to make it a multiple of 8.
func pad8(n int) int { return -n & 7 }

// recordSize is how many bytes a record takes in an indexed version
// (instrprof.md §3.5).
func recordSize(f *instrprof.Function, version int) uint64 {
	n := 16 + 8*uint64(len(f.Counters)) + valueDataSize(f, version)
	switch {
	case version >= sinceUniformity:
		n += 16 + paddedSize(f.Bitmap) + paddedSize(f.Uniformity)
	case version >= sinceBitmaps:
		n += 8 + 8*uint64(len(f.Bitmap))
	}
	return n
}

// payloadSince are the versions since which records are written in another way.
var payloadSince = [...]int{MinVersion, sinceBitmaps, sinceVTables, sinceUniformity}

// payloads is how many bytes records take in each way.
type payloads [len(payloadSince)]uint64

func (p *payloads) add(f *instrprof.Function) {
	for i, version := range payloadSince {
		p[i] += recordSize(f, version)
	}
}

// of is that of a version.
func (p *payloads) of(version int) uint64 {
	for i, since := range slices.Backward(payloadSince[:]) {
		if version >= since {
			return p[i]
		}
	}
	return 0
}

func paddedSize(b []byte) uint64 { return uint64(len(b) + pad8(len(b))) }

// numValueKinds is how many value kinds a version has: vtables came late.
func numValueKinds(version int) int {
	if version < sinceVTables {
		return int(instrprof.VTableTarget)
	}
	return instrprof.NumValueKinds
}

// valueDataSize is the TotalSize of a record's ValueProfData (instrprof.md
// §2.6).
func valueDataSize(f *instrprof.Function, version int) uint64 {
	n := uint64(8)
	for _, sites := range f.Sites[:numValueKinds(version)] {
		if len(sites) == 0 {
			continue
		}
		n += uint64(8 + len(sites) + pad8(len(sites)))
		for _, site := range sites {
			n += 16 * uint64(len(site))
		}
	}
	return n
}

// appendRecord appends a record.
func appendRecord(b []byte, f *instrprof.Function, version int) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, f.FuncHash)
	b = appendWords(le.AppendUint64(b, uint64(len(f.Counters))), f.Counters)
	switch {
	case version >= sinceUniformity:
		b = appendPadded(b, f.Bitmap)
		b = appendPadded(b, f.Uniformity)
	case version >= sinceBitmaps:
		b = le.AppendUint64(b, uint64(len(f.Bitmap)))
		for _, bits := range f.Bitmap {
			b = le.AppendUint64(b, uint64(bits))
		}
	}
	return appendValueData(b, f, version)
}

// appendPadded appends a length, the bytes, and zeros to a multiple of 8.
func appendPadded(b, bytes []byte) []byte {
	b = binary.LittleEndian.AppendUint64(b, uint64(len(bytes)))
	return append(append(b, bytes...), make([]byte, pad8(len(bytes)))...)
}

func appendValueData(b []byte, f *instrprof.Function, version int) []byte {
	le := binary.LittleEndian
	kinds := f.Sites[:numValueKinds(version)]
	n := uint32(0)
	for _, sites := range kinds {
		if len(sites) > 0 {
			n++
		}
	}
	b = le.AppendUint32(b, uint32(valueDataSize(f, version)))
	b = le.AppendUint32(b, n)
	for kind, sites := range kinds {
		if len(sites) == 0 {
			continue
		}
		b = le.AppendUint32(b, uint32(kind))
		b = le.AppendUint32(b, uint32(len(sites)))
		for _, site := range sites {
			b = append(b, byte(len(site))) // at most 255 once merged
		}
		b = append(b, make([]byte, pad8(len(sites)))...)
		for _, site := range sites {
			for _, v := range site {
				b = le.AppendUint64(le.AppendUint64(b, v.Value), v.Count)
			}
		}
	}
	return b
}

func appendWords(b []byte, words []uint64) []byte {
	for _, v := range words {
		b = binary.LittleEndian.AppendUint64(b, v)
	}
	return b
}
