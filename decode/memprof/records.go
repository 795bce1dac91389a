package memprof

// records makes the records of functions as llvm-profdata does (memprof.md §2.5).
type records struct {
	s      *symbolizing
	byGUID map[uint64]int // in profile.Records
	calls  []callsOf      // by function, in the order in which each was first seen
	byCall map[uint64]int // GUID, in calls
	has    map[callKey]bool
}

// callsOf is the addresses in a function that lead to allocations.
type callsOf struct {
	function uint64
	pcs      []int32
}

type callKey struct {
	function uint64
	pc       int32
}

func newRecords(s *symbolizing) *records {
	return &records{s: s, byGUID: map[uint64]int{}, byCall: map[uint64]int{}, has: map[callKey]bool{}}
}

// add takes a context into the records of the functions that allocate, and
// notes the calls in its stack. frames is the whole stack, leaf first, stack
// the addresses that they are of.
func (r *records) add(context uint32, frames []uint32, stack []int32) {
	for i, n := range stack {
		p := &r.s.known[n]
		from := p.first
		if i == 0 {
			from++ // the allocation itself is no call site
		}
		if p.leaf || p.outer && i == 0 {
			continue
		}
		p.leaf, p.outer = p.leaf || i > 0, true
		for j := from; j < p.end; j++ {
			r.call(r.s.profile.Frames[r.s.frames[j]].Function, n)
		}
	}
	for _, n := range frames {
		f := &r.s.profile.Frames[n]
		record := r.record(f.Function)
		record.AllocSites = append(record.AllocSites, context)
		if !f.Inline {
			break
		}
	}
}

// call notes that an address in a function leads to an allocation.
func (r *records) call(function uint64, pc int32) {
	key := callKey{function, pc}
	if r.has[key] {
		return
	}
	r.has[key] = true
	at, ok := r.byCall[function]
	if !ok {
		at = len(r.calls)
		r.byCall[function] = at
		r.calls = append(r.calls, callsOf{function: function})
	}
	r.calls[at].pcs = append(r.calls[at].pcs, pc)
}

// record is that of a function, which is new when it has none.
func (r *records) record(function uint64) *Record {
	p := r.s.profile
	at, ok := r.byGUID[function]
	if !ok {
		at = len(p.Records)
		r.byGUID[function] = at
		p.Records = append(p.Records, Record{Function: function})
	}
	return &p.Records[at]
}

// finish adds the call sites.
func (r *records) finish() {
	for _, c := range r.calls {
		record := r.record(c.function)
		for _, pc := range c.pcs {
			record.CallSites = append(record.CallSites, CallSite{Stack: r.s.known[pc].stack})
		}
	}
}
