package instrprof

import (
	"slices"
	"sync"

	"proflens/decode/wire"
)

// Programs are those whose runs were opened, the last used first. Of a run of a known
// program neither names nor places of counters need to be read again. It may be used
// from several goroutines; nil knows none and learns none.
//
// They are of one sum: a program is where its places are.
type Programs struct {
	mu   sync.Mutex
	list []*program
}

// How many programs are remembered, and how many bytes they take. The last is kept
// however large it is: a Merger holds more of its records.
const (
	maxPrograms     = 16
	maxProgramBytes = 64 << 20
)

// recall makes a profile, whose sections are located and no more, a run of a known
// program, if it is one of any.
func (k *Programs) recall(p *rawPart, names nameText) bool {
	if k == nil || !p.learnable() {
		return false
	}
	for _, q := range k.known() {
		if slide, ok := q.hasRun(p, names); ok {
			p.runOf, p.slide = q, slide
			p.table, p.vtableNames, p.addressing = q.table, q.vtableNames, q.addressing
			k.used(q)
			return true
		}
	}
	return false
}

// learnable reports whether a profile can be a run of a program that is remembered:
// it has records, and these have no more than the hashes of their names.
func (p *rawPart) learnable() bool {
	return len(p.data.bytes) > 0 && p.records.size[nameRefField] > 0 && p.correlation == nil && p.fault == nil &&
		p.cut == "" && !p.salvage && len(p.wrapped) == 0
}

// learn remembers the program of a profile whose records are checked.
func (k *Programs) learn(p *rawPart, names nameText) {
	if k == nil || !p.learnable() {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, q := range k.list { // another goroutine may have learnt it meanwhile
		if slide, ok := q.hasRun(p, names); ok {
			p.runOf, p.slide = q, slide
			return
		}
	}
	q := newProgram(p, names)
	p.runOf = q
	k.list = slices.Insert(k.list, 0, q)
	k.forget()
}

// forget drops the programs that were not used for longest.
func (k *Programs) forget() {
	size := 0
	for i, q := range k.list {
		if size += q.bytes(); i > 0 && (size > maxProgramBytes || i >= maxPrograms) {
			clear(k.list[i:])
			k.list = k.list[:i]
			return
		}
	}
}

func (k *Programs) known() []*program {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.list)
}

// used puts a program before the others.
func (k *Programs) used(q *program) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.Index(k.list, q); i > 0 {
		k.list = slices.Insert(slices.Delete(k.list, i, i+1), 0, q)
	}
}

// checkValueData reads the value data blocks of a run, so that adding them cannot
// fail, and notes where each begins. What is wrong with one is left to those who read
// the file record by record: then the profile is no run.
func (p *rawPart) checkValueData(c wire.Cursor, room uint64) (blocks, size uint64, err error) {
	whole := c
	c.Record(nil)
	s := c.Section(p.section("value data"), room)
	s.SetOrder(p.bigEndian)
	start := s.Offset()
	var values valueReader
	var sites [NumValueKinds][]ValueSite
	p.blocks = make([]uint32, 0, len(p.runOf.valued))
	for range p.runOf.valued {
		at := s.Offset() - start
		if at > maxBlockOffset || values.read(s, &sites) != nil {
			p.blocks = nil
			return p.sumValueData(whole, room)
		}
		p.blocks = append(p.blocks, uint32(at))
	}
	return uint64(len(p.blocks)), s.Offset() - start, nil
}

// maxBlockOffset is the highest place of a value data block that is noted.
const maxBlockOffset = 1<<32 - 1

// isRun reports whether a profile can be added by the places of its program's
// records: its value data is checked, or there is none.
func (p *rawPart) isRun() bool {
	return p.runOf != nil && p.fault == nil && (len(p.values.bytes) == 0 || len(p.blocks) == len(p.runOf.valued))
}

// Open is [OpenCorrelated] for a file that is going to be read with others, most of which
// are runs of few programs: what those have in common is read once. The files must stay
// as long as what was opened is in use.
//
// With upTo a file whose records or value data are damaged is opened as llvm-profdata
// opens it, which finds that out on the way: [Raw.Functions] gives the records before
// the fault, then the error.
func (k *Programs) Open(data []byte, correlators []*Correlator, rec *wire.Recorder, upTo bool) (*Raw, error) {
	return openRaw(data, rec, rawOptions{correlators: correlators, programs: k, upTo: upTo})
}

// readFault is what stopped the reading of records, and at which.
type readFault struct {
	record int
	err    error
}

// endsAt notes that records from i on cannot be read, and reports whether to go on
// with those before.
func (p *rawPart) endsAt(i int, err error) bool {
	if !p.upTo {
		return false
	}
	p.fault = &readFault{i, err}
	return true
}
