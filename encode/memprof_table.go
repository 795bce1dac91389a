package encode

import (
	"bufio"
	"encoding/binary"
)

// memprofTable is an on-disk hash table whose hash is the key itself (memprof.md §3.5).
type memprofTable struct {
	layout
	keyed bool // the length of the key stands before that of the data
	size  func(n uint32) uint64
	write func(out *bufio.Writer, n uint32) // so many bytes of data
	// Where its parts are, in the section.
	payloadAt, payloadEnd, tableAt uint64
}

// place puts the table at a place of the section, and returns where it ends.
func (t *memprofTable) place(at uint64) uint64 {
	header := uint64(24)
	if t.keyed {
		header += 8
	}
	t.offsets = make([]uint64, len(t.ends))
	t.payloadAt, t.payloadEnd = at, at
	for bucket := range t.ends {
		items := t.bucket(bucket)
		if len(items) == 0 {
			continue
		}
		t.offsets[bucket] = t.payloadEnd
		t.payloadEnd += 2 // how many items the bucket has
		for _, item := range items {
			t.payloadEnd += header + t.size(item.first)
		}
	}
	t.tableAt = (t.payloadEnd + 7) &^ 7
	return t.tableAt + 16 + 8*uint64(len(t.offsets))
}

// writeTo writes items, bucket by bucket, and the buckets, in a section that stands at an offset of the file. It
// leaves errors to out.
func (t *memprofTable) writeTo(out *bufio.Writer, at uint64) {
	for bucket := range t.ends {
		items := t.bucket(bucket)
		if len(items) == 0 {
			continue
		}
		_, _ = out.Write(binary.LittleEndian.AppendUint16(out.AvailableBuffer(), uint16(len(items))))
		for _, item := range items {
			header := []uint64{item.hash, 8, t.size(item.first), item.hash}
			if !t.keyed {
				header = append(header[:1], header[2:]...)
			}
			_, _ = out.Write(appendWords(out.AvailableBuffer(), header))
			t.write(out, item.first)
		}
	}
	_, _ = out.Write(make([]byte, t.tableAt-t.payloadEnd))
	_, _ = out.Write(appendWords(out.AvailableBuffer(), []uint64{uint64(len(t.ends)), uint64(len(t.items))}))
	for bucket := range t.ends {
		offset := uint64(0) // of an empty bucket
		if len(t.bucket(bucket)) > 0 {
			offset = at + t.offsets[bucket]
		}
		_, _ = out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), offset))
	}
}
