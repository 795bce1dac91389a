package encode

import (
	"bufio"
	"encoding/binary"
	"slices"

	"proflens/decode/memprof"
)

// writeTo writes the section as it is right at an offset of the file, a multiple of 8.
// It leaves errors to out.
func (w *memprofWriter) writeTo(out *bufio.Writer, at uint64) error {
	le := binary.LittleEndian
	records := w.tables[0]
	if w.version == 2 {
		offsets := []uint64{at + records.tableAt}
		for _, t := range w.tables[1:] {
			offsets = append(offsets, at+t.payloadAt, at+t.tableAt)
		}
		copy(w.head[stackPayloadAt:], appendWords(nil, offsets))
	} else {
		le.PutUint64(w.head[stackPayloadAt:], at+uint64(len(w.head)))
		le.PutUint64(w.head[recordPayloadAt:], at+w.payloadAt)
		le.PutUint64(w.head[recordTableAt:], at+records.tableAt)
	}
	if w.access != nil {
		le.PutUint64(w.head[dataAccessAt:], at+w.accessAt)
	}
	_, _ = out.Write(w.head)
	for words := range slices.Chunk(w.array, 1<<10) {
		b := out.AvailableBuffer()
		for _, v := range words {
			b = le.AppendUint32(b, v)
		}
		_, _ = out.Write(b)
	}
	for _, t := range w.tables {
		t.writeTo(out, at)
	}
	_, err := out.Write(w.access)
	return err
}

// writeRecord writes a record's sites (memprof.md §3.8).
func (w *memprofWriter) writeRecord(out *bufio.Writer, number uint32) {
	le := binary.LittleEndian
	r := &w.p.Records[number]
	_, _ = out.Write(le.AppendUint64(out.AvailableBuffer(), uint64(len(r.AllocSites))))
	for _, n := range r.AllocSites {
		c := &w.p.Contexts[n]
		_, _ = out.Write(appendMIB(w.stack(out.AvailableBuffer(), c.Stack), &c.MIB, w.schema))
	}
	_, _ = out.Write(le.AppendUint64(out.AvailableBuffer(), uint64(len(r.CallSites))))
	for _, c := range r.CallSites {
		b := w.stack(out.AvailableBuffer(), c.Stack)
		if w.version == 4 {
			b = appendWords(le.AppendUint64(b, uint64(len(c.Callees))), c.Callees)
		}
		_, _ = out.Write(b)
	}
}

// appendMIB appends the fields of a schema, which are 0 where the MIB lacks them.
func appendMIB(b []byte, m *memprof.MIB, schema memprof.MIBSchema) []byte {
	for f := range schema.Fields() {
		value := m.Get(f)
		if f.Size() == 4 {
			b = binary.LittleEndian.AppendUint32(b, uint32(value))
		} else {
			b = binary.LittleEndian.AppendUint64(b, value)
		}
	}
	return b
}
