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
	le.PutUint64(w.head[stackPayloadAt:], at+uint64(len(w.head)))
	le.PutUint64(w.head[recordPayloadAt:], at+w.payloadAt)
	le.PutUint64(w.head[recordTableAt:], at+w.tableAt)
	if w.access != nil {
		le.PutUint64(w.head[dataAccessAt:], at+w.accessAt)
	}
	_, _ = out.Write(w.head)
	for words := range slices.Chunk(w.stacks.array, 1<<10) {
		b := out.AvailableBuffer()
		for _, v := range words {
			b = le.AppendUint32(b, v)
		}
		_, _ = out.Write(b)
	}
	w.writeRecords(out)
	w.writeTable(out, at)
	_, err := out.Write(w.access)
	return err
}

// writeRecords writes the records, bucket by bucket (memprof.md §3.5).
func (w *memprofWriter) writeRecords(out *bufio.Writer) {
	for bucket := range w.table.ends {
		items := w.table.bucket(bucket)
		if len(items) == 0 {
			continue
		}
		_, _ = out.Write(binary.LittleEndian.AppendUint16(out.AvailableBuffer(), uint16(len(items))))
		for _, item := range items {
			w.writeRecord(out, &w.p.Records[item.first])
		}
	}
}

// writeRecord writes a record (memprof.md §3.8).
func (w *memprofWriter) writeRecord(out *bufio.Writer, r *memprof.Record) {
	le := binary.LittleEndian
	_, _ = out.Write(appendWords(out.AvailableBuffer(), []uint64{
		r.Function, 8, w.size(r), r.Function, uint64(len(r.AllocSites)),
	}))
	for _, n := range r.AllocSites {
		c := &w.p.Contexts[n]
		b := le.AppendUint32(out.AvailableBuffer(), w.stacks.at(c.Stack))
		_, _ = out.Write(appendMIB(b, &c.MIB, w.schema))
	}
	_, _ = out.Write(le.AppendUint64(out.AvailableBuffer(), uint64(len(r.CallSites))))
	for _, c := range r.CallSites {
		b := le.AppendUint32(out.AvailableBuffer(), w.stacks.at(c.Stack))
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

// writeTable writes the buckets of the records.
func (w *memprofWriter) writeTable(out *bufio.Writer, at uint64) {
	_, _ = out.Write(make([]byte, w.tableAt-w.payloadEnd))
	_, _ = out.Write(appendWords(out.AvailableBuffer(), []uint64{uint64(len(w.table.ends)), uint64(len(w.p.Records))}))
	for bucket := range w.table.ends {
		offset := uint64(0) // of an empty bucket
		if len(w.table.bucket(bucket)) > 0 {
			offset = at + w.table.offsets[bucket]
		}
		_, _ = out.Write(binary.LittleEndian.AppendUint64(out.AvailableBuffer(), offset))
	}
}
