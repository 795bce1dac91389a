package profdata

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"proflens/command/llvmerr"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/profile/exports"
)

// mergeHeaps merges heap profiles, or these with counters, into one profile.
func (t *tool) mergeHeaps(inputs []weightedInput) error {
	var list []format.File
	var kept []weightedInput
	for _, in := range inputs {
		data, err := t.read(in.name, t.std.In)
		if err != nil {
			return err
		}
		var fault error
		switch is := decode.Recognise(in.name, data); {
		case is.Empty:
		case !slices.Contains(is.Families, instrprof.Family) && !slices.Contains(is.Families, memprof.Family):
			fault = t.faultOf(in.name, model.Faultf(model.KindUnrecognizedFormat, "it is no profile of counters"))
		case instrprof.IsIndexed(data):
			fault = t.unreadable(in.name, data)
		}
		if fault != nil {
			t.warn(llvmerr.Of(in.name, fault, llvmerr.Instr))
			continue
		}
		kept = append(kept, in)
		list = append(list, format.File{Name: in.name, Data: data, Weight: in.weight})
	}
	if left := len(inputs) - len(kept); left > 0 {
		if err := t.tooMany(left, len(inputs)); err != nil {
			return err
		}
		return t.mergeCounters(kept)
	}
	if t.ProfiledBinary != "" {
		data, err := t.read(t.ProfiledBinary, t.std.In)
		if err != nil {
			return err
		}
		list = append(list, format.File{Name: t.ProfiledBinary, Data: data})
	}
	p, err := decode.Open(t.ctx, list, format.Options{})
	if model.KindOf(err) == model.KindIncompatible && t.ProfiledBinary != "" {
		return t.otherProgram(kept[0].name, err)
	}
	if err != nil {
		if said, ok := model.FaultIn(err); ok {
			return llvmerr.Of(said.File, err, llvmerr.Instr)
		}
		return err
	}
	if heap, ok := format.PartOf[*memprof.Profile](p); ok && t.ProfiledBinary == "" {
		if i := slices.IndexFunc(list, func(f format.File) bool { return memprof.IsRaw(f.Data) }); i >= 0 {
			return needsBinary(list[i].Name, heap)
		}
	}
	if src := llvm.SourceOf(p); src != nil {
		if src = t.selected(src); t.Sparse {
			src = executed(src)
		}
		p.Kept = src
		for i := range p.Parts {
			if _, ok := p.Parts[i].Records.(instrprof.Source); ok {
				p.Parts[i].Records = src
			}
		}
	} else if !t.names.none() {
		t.tellFiltered(0, 0)
	}
	if t.Form != "text" {
		src := llvm.SourceOf(p)
		if _, counted := format.PartOf[instrprof.Source](p); !counted {
			info := *src.Info()
			info.BinaryIDs = nil // which LLVM has of counters alone
			src = instrprof.NoRecords(&info)
		}
		plan, err := encode.PlanProfdata(src, t.indexedHeap(p))
		if fault := p.Faults[memprof.Family]; err != nil && fault != nil {
			said, _ := model.FaultIn(fault)
			return llvmerr.Of(said.File, fault, llvmerr.Instr)
		} else if err != nil {
			return err
		}
		return t.printed(func(w io.Writer) error {
			_, err := plan.WriteTo(w)
			return err
		})
	}
	e, err := exports.Find("proftext")
	if err != nil {
		return err
	}
	plan, err := e.Plan(p, exports.Options{})
	if err != nil {
		return err
	}
	return t.printed(func(w io.Writer) error {
		_, err := plan.Write(w)
		return err
	})
}

// indexedHeap is how a heap is written: of what LLVM reads too, as LLVM writes it.
func (t *tool) indexedHeap(p *format.Profile) encode.ProfdataOptions {
	o := exports.IndexedOptions(p, exports.Options{})
	if o.MemProf == nil {
		return o
	}
	if o.Heap.Version, _ = strconv.Atoi(t.HeapVersion); t.HeapVersion == "" && o.MemProf.Format != memprof.FormatIndexed {
		o.Heap.Version = 3
	}
	if v := o.Heap.Version; v != 0 && v < 4 && encode.NeedsVersion4(o.MemProf) {
		const lost = "version %d leaves out what only version 4 holds: callees and data access"
		t.note(fmt.Sprintf(lost, v))
	}
	switch {
	case t.FullSchema:
		o.Heap.Schema = memprof.CompleteSchema
	case o.MemProf.Format != memprof.FormatIndexed:
		o.Heap.Schema = memprof.DefaultSchema
	}
	if t.RandomHotness {
		randomHotness(o.MemProf, uint32(t.HotnessSeed))
	}
	return o
}

// randomHotness makes each allocation of each function hot or cold, as LLVM does with the C library's random numbers.
func randomHotness(p *memprof.Profile, seed uint32) {
	random := newCRandom(seed)
	contexts := make([]memprof.Context, 0, len(p.Contexts))
	for _, r := range p.Records {
		for i, at := range r.AllocSites {
			c := p.Contexts[at]
			density, lifetime := uint64(math.MaxUint64), uint64(0)
			if random.next()%2 == 1 {
				density, lifetime = lifetime, density
			}
			mib := memprof.MIB{Schema: c.MIB.Schema | memprof.DefaultSchema}
			for f := range mib.Schema.Fields() {
				switch f {
				case memprof.TotalLifetime:
					mib.Values = append(mib.Values, lifetime)
				case memprof.TotalLifetimeAccessDensity:
					mib.Values = append(mib.Values, density)
				default:
					mib.Values = append(mib.Values, c.MIB.Get(f))
				}
			}
			c.MIB = mib
			r.AllocSites[i] = uint32(len(contexts))
			contexts = append(contexts, c)
		}
	}
	p.Contexts = contexts
}

// cRandom are the numbers of rand of the GNU C library.
type cRandom struct {
	state [34]uint32
	at    int
}

func newCRandom(seed uint32) *cRandom {
	r := &cRandom{}
	r.state[0] = max(seed, 1)
	for i := 1; i < 31; i++ {
		word := 16807 * int64(int32(r.state[i-1])) % math.MaxInt32
		if word < 0 {
			word += math.MaxInt32
		}
		r.state[i] = uint32(word)
	}
	copy(r.state[31:], r.state[:3])
	for range 310 {
		r.next()
	}
	return r
}

func (r *cRandom) next() uint32 {
	n := len(r.state)
	word := r.state[(r.at+n-31)%n] + r.state[(r.at+n-3)%n]
	r.state[r.at%n] = word
	r.at++
	return word >> 1
}
