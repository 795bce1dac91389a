package encode

import (
	"encoding/binary"
	"errors"
	"slices"

	"proflens/decode/memprof"
	"proflens/decode/model"
)

// writtenMemProf is the section of an indexed profile for a heap profile
// (memprof.md §3): unless another is asked for, of version 4 when the profile has what
// only that holds, else of version 3, which more releases of LLVM read.
func writtenMemProf(p *memprof.Profile, o HeapOptions) (memProf, error) {
	if err := unsymbolized(p, "an indexed profile"); err != nil {
		return memProf{}, errors.New(err.(*model.FormatError).Msg)
	}
	w := &memprofWriter{p: p, version: uint64(o.Version), schema: o.Schema}
	if w.version == 0 {
		w.version = 3
		if NeedsVersion4(p) {
			w.version = 4
		}
	}
	if w.schema == 0 {
		w.schema = writtenSchema(p)
	}
	w.layOut()
	return memProf{section: w, version: w.version, first: sinceVTables, last: MaxVersion}, nil
}

// HeapOptions say how a heap profile is written; with any, it is written anew.
type HeapOptions struct {
	Version int               // of its section, 2 to 4; 0 chooses
	Schema  memprof.MIBSchema // the fields that are written; 0 are those that the profile has
}

// NeedsVersion4 reports whether a profile has callees, or data access.
func NeedsVersion4(p *memprof.Profile) bool {
	return p.DataAccess != nil || p.Summary != nil || slices.ContainsFunc(p.Records, func(r memprof.Record) bool {
		return slices.ContainsFunc(r.CallSites, func(c memprof.CallSite) bool { return len(c.Callees) > 0 })
	})
}

// memprofWriter writes a section of version 2 to 4. How long each part is, and so
// where offsets lead, is known before anything is written: the section, which may be
// as large as the profile, is never in memory.
type memprofWriter struct {
	p       *memprof.Profile
	version uint64
	schema  memprof.MIBSchema
	head    []byte                                    // header and frames
	array   []uint32                                  // of the stacks
	tables  []*memprofTable                           // the records, and of version 2 frames and stacks
	stack   func(b []byte, id memprof.StackID) []byte // appends how a record names a stack
	access  []byte                                    // the data access profile
	// Where parts are, in the section.
	payloadAt, accessAt uint64
}

// The places of offsets in the header.
const (
	stackPayloadAt  = 8
	recordPayloadAt = 16
	recordTableAt   = 24
	dataAccessAt    = 32
)

// layOut makes what stands before the records, and behind them, and finds the
// place of each part.
func (w *memprofWriter) layOut() {
	w.head = appendWords(nil, []uint64{w.version, 0, 0, 0})
	switch w.version {
	case 2:
		w.head = appendWords(w.head, []uint64{0, 0})
	case 4:
		w.head = w.summary(appendWords(w.head, []uint64{0}))
	}
	w.head = appendWords(w.head, []uint64{uint64(w.schema.Len())})
	for f := range w.schema.Fields() {
		w.head = appendWords(w.head, []uint64{uint64(f)})
	}
	w.tables = []*memprofTable{{
		layout: guidBuckets(w.p.Records), keyed: true,
		size: func(n uint32) uint64 { return w.size(&w.p.Records[n]) }, write: w.writeRecord,
	}}
	if w.version == 2 {
		keys := stackKeysOf(w.p)
		w.stack = func(b []byte, id memprof.StackID) []byte { return binary.LittleEndian.AppendUint64(b, keys.stacks[id]) }
		w.tables = append(w.tables, keys.tables()...)
	} else {
		stacks := stacksOf(w.p)
		for _, f := range stacks.frames {
			w.head = f.append(w.head)
		}
		w.array = stacks.array
		w.stack = func(b []byte, id memprof.StackID) []byte {
			return binary.LittleEndian.AppendUint32(b, stacks.at(id))
		}
	}
	w.payloadAt = uint64(len(w.head) + 4*len(w.array))
	w.accessAt = w.payloadAt
	for _, t := range w.tables {
		w.accessAt = t.place(w.accessAt)
	}
	if w.p.DataAccess != nil && w.version == 4 {
		w.access = appendAccess(nil, w.p.DataAccess)
	}
}

// summary appends the summary block (memprof.md §3.3).
func (w *memprofWriter) summary(b []byte) []byte {
	s := memprofSummary(w.p)
	b = binary.LittleEndian.AppendUint32(b, 6)
	return appendWords(b, []uint64{
		s.NumContexts, s.NumColdContexts, s.NumHotContexts, s.MaxColdTotalSize, s.MaxWarmTotalSize, s.MaxHotTotalSize,
	})
}

// size is the size in bytes of a record's sites.
func (w *memprofWriter) size(r *memprof.Record) uint64 {
	stack := 4
	if w.version == 2 {
		stack = 8
	}
	alloc := stack
	for f := range w.schema.Fields() {
		alloc += f.Size()
	}
	n := 16 + alloc*len(r.AllocSites) + stack*len(r.CallSites)
	if w.version == 4 {
		for _, c := range r.CallSites {
			n += 8 + 8*len(c.Callees)
		}
	}
	return uint64(n)
}

// length is the size of the section in bytes.
func (w *memprofWriter) length() uint64 { return w.accessAt + uint64(len(w.access)) }
