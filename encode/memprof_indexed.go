package encode

import (
	"encoding/binary"
	"errors"
	"slices"

	"proflens/decode/memprof"
	"proflens/decode/model"
)

// writtenMemProf is the section of an indexed profile for a heap profile
// (memprof.md §3), with its offsets counted from its own start: of version 4
// when the profile has what only that holds, else of version 3, which more
// releases of LLVM read. It has all fields that the profile has.
func writtenMemProf(p *memprof.Profile) (memProf, error) {
	if err := unsymbolized(p, "an indexed profile"); err != nil {
		return memProf{}, errors.New(err.(*model.FormatError).Msg)
	}
	w := memprofWriter{p: p, version: 3, schema: writtenSchema(p)}
	if needsVersion4(p) {
		w.version = 4
	}
	w.write()
	return memProf{data: w.b, version: w.version, first: sinceVTables, last: MaxVersion}, nil
}

// needsVersion4 reports whether a profile has callees, or data access.
func needsVersion4(p *memprof.Profile) bool {
	return p.DataAccess != nil || p.Summary != nil || slices.ContainsFunc(p.Records, func(r memprof.Record) bool {
		return slices.ContainsFunc(r.CallSites, func(c memprof.CallSite) bool { return len(c.Callees) > 0 })
	})
}

// memprofWriter writes a section of version 3 or 4.
type memprofWriter struct {
	p       *memprof.Profile
	version uint64
	schema  memprof.MIBSchema
	b       []byte
	index   []uint32 // by stack of stackWriter: where it stands in the array
	stacks  *stackWriter
}

func (w *memprofWriter) u32(v uint32)    { w.b = binary.LittleEndian.AppendUint32(w.b, v) }
func (w *memprofWriter) u64(v ...uint64) { w.b = appendWords(w.b, v) }

// patch fills in a word of the header.
func (w *memprofWriter) patch(at int, v int) { binary.LittleEndian.PutUint64(w.b[at:], uint64(v)) }

// The places of offsets in the header.
const (
	stackPayloadAt  = 8
	recordPayloadAt = 16
	recordTableAt   = 24
	dataAccessAt    = 32
)

func (w *memprofWriter) write() {
	w.u64(w.version, 0, 0, 0)
	if w.version == 4 {
		w.u64(0)
		w.summary()
	}
	w.u64(uint64(w.schema.Len()))
	for f := range w.schema.Fields() {
		w.u64(uint64(f))
	}
	w.stacks = newStackWriter(w.p)
	for _, f := range w.stacks.frames {
		w.u64(f.function)
		w.u32(f.lineOffset)
		w.u32(f.column)
		w.b = append(w.b, f.inline)
	}
	w.patch(stackPayloadAt, len(w.b))
	array, index := w.stacks.array()
	for _, v := range array {
		w.u32(uint32(v))
	}
	w.index = index
	w.records()
	if w.p.DataAccess != nil {
		w.patch(dataAccessAt, len(w.b))
		w.access(w.p.DataAccess)
	}
}

// summary writes the summary block (memprof.md §3.3).
func (w *memprofWriter) summary() {
	s := memprofSummary(w.p)
	w.u32(6)
	w.u64(s.NumContexts, s.NumColdContexts, s.NumHotContexts, s.MaxColdTotalSize, s.MaxWarmTotalSize, s.MaxHotTotalSize)
}

// records writes the hash table of records (memprof.md §3.5, §3.8).
func (w *memprofWriter) records() {
	w.patch(recordPayloadAt, len(w.b))
	l := guidBuckets(w.p.Records)
	offsets := make([]uint64, len(l.heads))
	for bucket, head := range l.heads {
		if head < 0 {
			continue
		}
		offsets[bucket] = uint64(len(w.b))
		items := uint16(0)
		for n := head; n >= 0; n = l.names[n].next {
			items++
		}
		w.b = binary.LittleEndian.AppendUint16(w.b, items)
		for n := head; n >= 0; n = l.names[n].next {
			w.record(&w.p.Records[n])
		}
	}
	w.b = append(w.b, make([]byte, -len(w.b)&7)...)
	w.patch(recordTableAt, len(w.b))
	w.u64(uint64(len(l.heads)), uint64(len(w.p.Records)))
	w.u64(offsets...)
}

func (w *memprofWriter) record(r *memprof.Record) {
	w.u64(r.Function, 8, 0, r.Function)
	start := len(w.b)
	w.u64(uint64(len(r.AllocSites)))
	for _, n := range r.AllocSites {
		c := &w.p.Contexts[n]
		w.u32(w.index[w.stacks.number[c.Stack]])
		for f := range w.schema.Fields() {
			if f.Size() == 4 {
				w.u32(uint32(c.MIB.Get(f)))
			} else {
				w.u64(c.MIB.Get(f))
			}
		}
	}
	w.u64(uint64(len(r.CallSites)))
	for _, c := range r.CallSites {
		w.u32(w.index[w.stacks.number[c.Stack]])
		if w.version == 4 {
			w.u64(uint64(len(c.Callees)))
			w.u64(c.Callees...)
		}
	}
	w.patch(start-16, len(w.b)-start)
}

// access writes the data access profile (memprof.md §3.9).
func (w *memprofWriter) access(a *memprof.DataAccess) {
	numbers := map[string]uint64{}
	var text []byte
	intern := func(s string) uint64 {
		n, ok := numbers[s]
		if !ok {
			n = uint64(len(numbers))
			numbers[s] = n
			if n > 0 {
				text = append(text, 1)
			}
			text = append(text, s...)
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
	w.u64(uint64(len(numbers)), uint64(len(a.ColdSymbols)))
	for i, s := range a.ColdSymbols {
		if i > 0 || len(numbers) > 0 {
			text = append(text, 1)
		}
		text = append(text, s...)
	}
	blob := binary.AppendUvarint(nil, uint64(len(text)))
	blob = append(append(blob, 0), text...)
	w.b = appendPadded(w.b, blob)
	w.u64(uint64(len(a.ColdHashes)))
	w.u64(a.ColdHashes...)
	w.u64(uint64(len(a.Records)))
	for _, r := range a.Records {
		id, literal := r.Hash, byte(1)
		if !r.IsString {
			id, literal = intern(r.Symbol), 0
		}
		w.u64(id)
		w.b = append(w.b, literal)
		w.u64(r.AccessCount, uint64(len(r.Locations)))
		for _, l := range r.Locations {
			w.u64(intern(l.File))
			w.u32(l.Line)
		}
	}
}
