package sums

import (
	"math/bits"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// record is one function record as a Merger holds it.
type record struct {
	name     int32 // number in the interner
	next     int32 // the name's record before it, or -1
	funcHash uint64
	counters []uint64
	extra    *recordExtra // what few records have; may be nil
	offset   uint64
	size     uint64
}

type recordExtra struct {
	bitmap          []byte
	uniformity      []byte
	uniformCounters []uint64
	sites           [instrprof.NumValueKinds][]instrprof.ValueSite
}

// mergeWarning numbers the warnings of a merge; llvm-profdata prints each once
// a function.
type mergeWarning int

const (
	countMismatch mergeWarning = iota
	bitmapMismatch
	valueSiteCountMismatch
	counterOverflow
	numWarnings
)

// mergeWarnings are the findings of each, without file and count.
var mergeWarnings = [numWarnings]model.Finding{
	countMismatch: {
		Severity: model.Warning, Code: "merge.count_mismatch", Kind: "count_mismatch",
		Message: "functions have a different number of counters from an earlier record with the same hash; these records " +
			"are left out",
		Cause:  "the profiles come from different builds, or two functions share name and hash",
		Remedy: "merge profiles of one build only",
	},
	bitmapMismatch: {
		Severity: model.Warning, Code: "merge.bitmap_mismatch", Kind: "bitmap_mismatch",
		Message: "functions have a different number of bitmap bytes from an earlier record; counters are merged, bitmaps " +
			"and values are not",
		Cause:  "the profiles come from different builds",
		Remedy: "merge profiles of one build only",
	},
	valueSiteCountMismatch: {
		Severity: model.Warning, Code: "merge.value_site_count_mismatch", Kind: "value_site_count_mismatch",
		Message: "functions have a different number of value sites from an earlier record; values of that kind are not " +
			"merged",
		Cause:  "the profiles come from different builds",
		Remedy: "merge profiles of one build only",
	},
	counterOverflow: {
		Severity: model.Warning, Code: "merge.counter_overflow", Kind: "counter_overflow",
		Message: "functions have counts that reached the maximum and stay there",
	},
}

// warnings is a set of mergeWarning, those of one record.
type warnings uint8

func (w *warnings) add(x mergeWarning) { *w |= 1 << x }

// addRecord adds f, which is the source's to reuse, and returns the number of the record;
// partial says that it may have lost its name.
func (m *Merger) addRecord(f *instrprof.Function, weight uint64, partial bool) (number int32) {
	var name int32
	if partial && len(f.Name) == 0 {
		name = m.names.internLost(f.NameRef)
	} else {
		name = m.names.intern(f.NameRef, f.Name)
	}
	for len(m.heads) <= int(name) {
		m.heads = append(m.heads, -1)
	}
	var w warnings
	if number = m.find(name, f.FuncHash); number >= 0 {
		m.addRepeat(number)
		m.records[number].merge(f, weight, &m.scratch, &w)
	} else {
		r := m.newRecord(name, f)
		number = int32(len(m.records))
		r.next, m.heads[name] = m.heads[name], number
		if many := m.many[name]; many != nil {
			many[f.FuncHash] = number
		}
		m.records = append(m.records, r)
		m.records[len(m.records)-1].finish(weight, &w)
	}
	m.warn(w, f.Name, number >= m.began)
	return number
}

// warn counts the warnings of a record of the input that is being added, and tells of them.
func (m *Merger) warn(w warnings, function []byte, own bool) {
	for x := range numWarnings {
		if w&(1<<x) != 0 {
			m.tally[x]++
			if m.tell != nil {
				m.tell(m.input, function, mergeWarnings[x].Kind, own)
			}
		}
	}
}

// manyHashes is how many records of a name are searched one by one. Real names have a
// few; a hostile file has all of its records under one.
const manyHashes = 32

// find is the number of the record of a name and hash, or -1.
func (m *Merger) find(name int32, hash uint64) int32 {
	if many := m.many[name]; many != nil {
		if number, ok := many[hash]; ok {
			return number
		}
		return -1
	}
	looked, at := 0, int32(-1)
	if int(name) < len(m.heads) { // others are names without a record
		at = m.heads[name]
	}
	for ; at >= 0 && m.records[at].funcHash != hash; at = m.records[at].next {
		looked++
	}
	if looked >= manyHashes {
		many := map[uint64]int32{}
		for at := m.heads[name]; at >= 0; at = m.records[at].next {
			many[m.records[at].funcHash] = at
		}
		if m.many == nil {
			m.many = map[int32]map[uint64]int32{}
		}
		m.many[name] = many
	}
	return at
}

// addRepeat notes that the only input has one more record of a name and hash.
func (m *Merger) addRepeat(number int32) {
	if m.inputs > 0 {
		return
	}
	if m.repeats == nil {
		m.repeats = map[int32]uint64{}
	}
	m.repeats[number]++
}

// newRecord copies f as it is.
func (m *Merger) newRecord(name int32, f *instrprof.Function) record {
	r := record{
		name: name, next: -1, funcHash: f.FuncHash, counters: m.counts.copy(f.Counters),
		offset: f.Offset, size: f.Size,
	}
	if len(f.Bitmap)+len(f.Uniformity)+len(f.UniformCounters) == 0 && !f.HasSites() {
		return r
	}
	r.extra = &recordExtra{
		bitmap: m.bytes.copy(f.Bitmap), uniformity: m.bytes.copy(f.Uniformity),
		uniformCounters: m.counts.copy(f.UniformCounters),
	}
	for k, sites := range f.Sites {
		r.extra.sites[k] = m.sites.copy(sites)
		for i, s := range sites {
			r.extra.sites[k][i] = m.values.copy(s)
		}
	}
	return r
}

// finish multiplies a new record by the weight of its input and sorts its
// value sites.
func (r *record) finish(weight uint64, w *warnings) {
	if weight > 1 {
		for i, c := range r.counters {
			r.counters[i] = addCount(0, c, weight, w)
		}
	}
	if r.extra == nil {
		return
	}
	if weight > 1 {
		for i, c := range r.extra.uniformCounters {
			r.extra.uniformCounters[i] = addCount(0, c, weight, w)
		}
	}
	for _, sites := range r.extra.sites {
		for i, site := range sites {
			for j := range site {
				site[j].Count = satMulAdd(0, site[j].Count, weight, w)
			}
			sites[i] = sortByCount(site)
		}
	}
}

// merge adds f, weight times, to a record of the same name and hash.
func (r *record) merge(f *instrprof.Function, weight uint64, scratch *siteMerge, w *warnings) {
	if len(r.counters) != len(f.Counters) {
		w.add(countMismatch)
		return
	}
	dst := instrprof.Function{Counters: r.counters}
	switch {
	case dst.IsPseudo() != f.IsPseudo():
		w.add(countMismatch)
		return
	case f.IsPseudo():
		r.counters[0] = max(r.counters[0], f.Counters[0]) // hot is the larger number
		return
	}
	r.offset, r.size = 0, 0
	for i, c := range f.Counters {
		r.counters[i] = addCount(r.counters[i], c, weight, w)
	}
	if r.extra == nil {
		if len(f.Bitmap)+len(f.Uniformity)+len(f.UniformCounters) == 0 && !f.HasSites() {
			return
		}
		r.extra = &recordExtra{}
	}
	r.extra.merge(f, weight, scratch, w)
}

// merge adds what few records have. Uniformity bits hold where both
// records are uniform; uniform counters are added.
func (e *recordExtra) merge(f *instrprof.Function, weight uint64, scratch *siteMerge, w *warnings) {
	if len(e.uniformCounters) == len(f.UniformCounters) {
		for i, c := range f.UniformCounters {
			e.uniformCounters[i] = addCount(e.uniformCounters[i], c, weight, w)
		}
	}
	if len(e.uniformity) == len(f.Uniformity) {
		for i, b := range f.Uniformity {
			e.uniformity[i] &= b
		}
	}
	if len(e.bitmap) != len(f.Bitmap) {
		w.add(bitmapMismatch)
		return
	}
	for i, b := range f.Bitmap {
		e.bitmap[i] |= b
	}
	for k, in := range f.Sites {
		if len(e.sites[k]) != len(in) {
			w.add(valueSiteCountMismatch)
			continue
		}
		for i := range in {
			e.sites[k][i] = scratch.merge(e.sites[k][i], in[i], weight, w)
		}
	}
}

// addCount is a + b·weight, at most the largest legal counter.
func addCount(a, b, weight uint64, w *warnings) uint64 {
	sum := satMulAdd(a, b, weight, w)
	if sum > instrprof.MaxCount {
		w.add(counterOverflow)
		return instrprof.MaxCount
	}
	return sum
}

// satMulAdd is a + b·weight, at most 2^64 - 1.
func satMulAdd(a, b, weight uint64, w *warnings) uint64 {
	hi, product := bits.Mul64(b, weight)
	sum, carry := bits.Add64(a, product, 0)
	if hi|carry != 0 {
		w.add(counterOverflow)
		return 1<<64 - 1
	}
	return sum
}
