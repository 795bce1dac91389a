package sums

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// Merger adds profiles up as llvm-profdata merge does (instrprof.md §6.1).
// Records are keyed by name and FuncHash; those without a name by NameRef and
// FuncHash.
//
// It holds every record in memory: 64 bytes a record, 8 a counter, a name's
// bytes and about 30 more a name, 16 a value and 24 a value site.
type Merger struct {
	input string // the name of the one that is being added
	began int32  // how many records there were before it
	tell  func(input string, function []byte, kind model.Kind, own bool)

	names   interner
	records []record
	heads   []int32                    // by name: its last record, or -1
	many    map[int32]map[uint64]int32 // by name, of those with many records: by hash
	counts  slab[uint64]
	bytes   slab[byte]
	values  slab[instrprof.Value]
	sites   slab[instrprof.ValueSite]
	scratch siteMerge
	repeats map[int32]uint64 // of the first input: by number of the record, few have any

	programs instrprof.Programs // whose runs were opened
	places   sync.Pool          // of *[]filePlace, of indexed files that were added

	info     instrprof.Info
	inputs   int
	kinds    instrprof.Variant        // of the inputs so far, as far as LLVM tells them apart
	explicit bool                     // one of them said ":fe"
	firsts   [len(mixtures)][2]string // by mixture: the first input without its flag, and with it
	traces   reservoir
	partial  bool // take what is not whole with others
	found    foundOnce
	tally    [numWarnings]uint64 // of the input being added
	alike    alikeNames          // in the input being added
	ids      uniqueBytes
	vtNames  uniqueBytes
	vtables  uniqueVTables
}

// NewMerger returns a Merger without inputs. Its Source is an empty profile.
func NewMerger() *Merger {
	return &Merger{info: instrprof.Info{Info: model.Info{Profiles: 0}}, traces: newReservoir()}
}

// Tell has each record told that cannot be added as it is, with the name of its input, and
// what is wrong: the kind of the finding that counts such records. own is whether the record
// that it does not match is of that input too.
func (m *Merger) Tell(tell func(input string, function []byte, kind model.Kind, own bool)) {
	m.tell = tell
}

// TakePartial lets inputs of which only the beginning was decoded be merged with
// others. The sum is then partial too.
func (m *Merger) TakePartial() { m.partial = true }

// ctxEvery is how many records pass between two looks at the context.
const ctxEvery = 4096

// Add adds every record, name and trace of src, counted weight times; 0 means
// once. name is the input's name in findings and errors.
//
// An input of a kind that cannot be merged with the former is
// [model.KindUnsupportedVersion] and changes nothing; so is one with
// [model.KindIncompatible] that is partial, or comes to a partial one, without
// [Merger.TakePartial]. After any other error,
// the source's own or the context's, the Merger holds a part of src.
func (m *Merger) Add(ctx context.Context, name string, src instrprof.Source, weight uint64) error {
	weight, m.input, m.began = max(weight, 1), name, int32(len(m.records))
	if err := m.admit(name, src.Info()); err != nil {
		return err
	}
	if err := m.addSource(ctx, src, weight); err != nil {
		return err
	}
	m.mergeInfo(name, src.Info())
	m.addFindings(name, src.Findings(), m.tally)
	return ctx.Err()
}

// admit refuses an input that cannot be merged with the former.
func (m *Merger) admit(name string, info *instrprof.Info) error {
	if err := m.checkPartial(name, info); err != nil {
		return err
	}
	return m.mergeKinds(name, info)
}

// addSource adds records, names and traces.
func (m *Merger) addSource(ctx context.Context, src instrprof.Source, weight uint64) error {
	info := src.Info()
	m.tally = [numWarnings]uint64{}
	m.alike.begin()
	if m.inputs == 0 {
		m.reserve(info)
	}
	records, names := src.Functions(), src.Names()
	text, isText := src.(*instrprof.Text)
	if isText {
		records, names = text.Once()
	}
	seen := 0
	for f, err := range records {
		if err != nil {
			return err
		}
		if seen++; seen%ctxEvery == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if isText {
			f.NameRef = m.names.refOf(f.Name)
		}
		had := len(m.records)
		m.alike.see(m.addRecord(f, weight, len(info.Partial) > 0), f)
		if isText && len(m.records) > had {
			f.Bitmap = nil // of LLVM a new record takes it from the reader, for whom see Text.KeepBitmaps
		}
	}
	if info.Format != instrprof.FormatIndexed { // an indexed file has no name without a record but its vtables'
		for ref, n := range names {
			m.names.intern(ref, n)
		}
	}
	if raw := instrprof.RawOf(src); raw != nil {
		raw.Settle(func(ref uint64, name []byte, hash uint64) int32 { return m.find(m.names.intern(ref, name), hash) })
	}
	if info.Variant.Has(instrprof.TemporalProf) {
		return m.addTraces(src, weight)
	}
	return nil
}

// reserve makes room for the records that the first input promises, as far as
// the promise is known to be one that its file could keep: a raw file that is whole has the
// records that it counts, but those of several profiles are mostly of the same functions.
func (m *Merger) reserve(info *instrprof.Info) {
	whole := info.Format == instrprof.FormatRaw && info.Profiles == 1 && len(info.Partial) == 0
	if info.Format == instrprof.FormatIndexed || whole {
		n := int(min(info.Records, 1<<24))
		m.records = slices.Grow(m.records, n)
		m.heads = slices.Grow(m.heads, n)
		m.names.reserve(n)
	}
}

// kindFlags are the flags in which LLVM sees a kind of profile; a profile with
// none of them is of unknown kind and merges with all but ":fe".
const kindFlags = instrprof.IRProf | instrprof.CSIRProf | instrprof.InstrEntry | instrprof.InstrLoopEntries |
	instrprof.ByteCoverage | instrprof.FunctionEntryOnly | instrprof.MemProf | instrprof.TemporalProf

// mergeKinds adds an input's kind to that of the profile, or refuses it.
func (m *Merger) mergeKinds(name string, info *instrprof.Info) error {
	incompatible := func(msg string) error {
		return &model.FormatError{Kind: model.KindUnsupportedVersion, File: name, Section: "header", Msg: msg}
	}
	v := info.Variant & kindFlags
	if m.kinds != 0 || m.explicit {
		if m.explicit != info.ExplicitFE {
			return incompatible("a front-end profile cannot be merged with another kind")
		}
		const blocks = instrprof.InstrEntry | instrprof.InstrLoopEntries
		only := instrprof.FunctionEntryOnly
		if m.kinds&only != 0 && v&blocks != 0 || v&only != 0 && m.kinds&blocks != 0 {
			return incompatible("a profile of function entries only cannot be merged with one of blocks")
		}
	}
	m.kinds |= v
	m.explicit = m.explicit || info.ExplicitFE
	m.noteMixtures(name, info)
	return nil
}

// checkPartial refuses what is not whole beside others, unless it is taken.
func (m *Merger) checkPartial(name string, info *instrprof.Info) error {
	if m.partial || m.inputs == 0 || len(info.Partial)+len(m.info.Partial) == 0 {
		return nil
	}
	cut := name
	if len(info.Partial) == 0 {
		cut = m.info.Partial[0].File
	}
	return &model.FormatError{
		Kind: model.KindIncompatible, File: name, Section: "header",
		Msg: fmt.Sprintf("only the beginning of %s was decoded: sums would be too small where records are missing", cut),
	}
}

// KindsDiffer is why llvm-profdata does not merge the second of two files with the
// first, as far as their kinds decide; nil when it does.
func KindsDiffer(a, b *instrprof.Info) error {
	var pair Merger
	if pair.mergeKinds("", a) != nil {
		return nil
	}
	return pair.mergeKinds("", b)
}
