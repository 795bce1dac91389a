package analyze

import (
	"maps"
	"slices"
)

// CallTree is the call stacks that pruning walks, as memprof.Profile has them.
type CallTree struct {
	StackID []uint64 // by frame: see StackID
	Frame   []uint32 // by node of the tree of calls
	Caller  []int32  // by node; negative at a root
}

// MIBContext is what pruning needs of an allocation context.
type MIBContext struct {
	Node  int32        // of the leaf, in CallTree
	Hint  MemProfClass // see MemProfThresholds.Hint
	Bytes uint64
}

// MIB is one memory info block of a site after pruning: contexts whose first
// frames are the same, and for which the compiler has one class.
type MIB struct {
	Contexts  []uint32 // places in what was pruned
	Depth     int      // how many frames are kept, from the leaf on; any of the contexts has them
	Class     MemProfClass
	Bytes     Sum
	ColdBytes Sum // of contexts that are cold by themselves
	// Ambiguous says that no frame tells contexts of several classes apart: they
	// are not cold.
	Ambiguous bool
	// LeftOut says that the metadata does not have it: it is not cold, as what is
	// not told of is.
	LeftOut bool
}

// PrunedSite is what the compiler makes of an allocation site.
type PrunedSite struct {
	// Attribute is the class of a site that needs no metadata; empty where it does,
	// and functions are to be cloned.
	Attribute MemProfClass
	MIBs      []MIB
	Bytes     Sum `col:"bytes" width:"14" is:"sort,range,bytes" help:"requested, of all objects"`
	// of contexts that are cold
	ColdBytes Sum      `col:"cold_bytes" width:"14" is:"sort,range,bytes"`
	_         struct{} `help:"of cold contexts" how:"memprof-class the class of a context"`
	// of them, those in cold MIBs: they get cold hints
	HintBytes Sum      `col:"separated_bytes" width:"14" head:"Separated" is:"sort,range,bytes"`
	_         struct{} `help:"cold bytes that get hints by cloning" how:"memprof-pruning pruning"`
	// Clones are the places on the way to cold MIBs that contexts of other classes
	// pass as well, each a node of CallTree: what they stand in is cloned.
	Clones []int32
	// Cut says that the stacks were too many or too deep to be followed to their
	// ends.
	Cut bool
}

// Kept is how many MIBs the metadata has.
func (s *PrunedSite) Kept() int {
	n := 0
	for i := range s.MIBs {
		if s.Attribute == "" && !s.MIBs[i].LeftOut {
			n++
		}
	}
	return n
}

// Bounds of what a file can make pruning do: frames that are looked at, and the
// frames of a prefix. Real stacks have some tens, and the runtime records 255
// addresses at most.
const (
	maxPruneSteps = 1 << 26
	maxPruneDepth = 1 << 14
)

// MIBPruner prunes the contexts of allocation sites as the profile matching of
// LLVM 21 and 22 does with its default options: to the shortest prefixes, from
// the leaf on, that tell classes apart. It is for one goroutine.
type MIBPruner struct {
	tree  *CallTree
	steps int
	// of the site
	contexts []MIBContext
	at       []int32 // by context: the node that its prefix has got to; negative past its end
	site     *PrunedSite
}

// NewMIBPruner prunes sites of a tree of calls.
func NewMIBPruner(t *CallTree) *MIBPruner { return &MIBPruner{tree: t, steps: maxPruneSteps} }

// Site prunes the contexts of one site: at least one, and all with the same
// leaf.
func (p *MIBPruner) Site(contexts []MIBContext) PrunedSite {
	var s PrunedSite
	p.contexts, p.site = contexts, &s
	p.at = p.at[:0]
	all := make([]uint32, len(contexts))
	for i := range contexts {
		p.at = append(p.at, contexts[i].Node)
		all[i] = uint32(i)
	}
	whole := p.mib(all, 1, "")
	s.Bytes, s.ColdBytes = whole.Bytes, whole.ColdBytes
	if hint, ok := p.single(all); ok {
		s.Attribute = hint
	} else if p.unhot(contexts); !p.mixed(all) {
		s.Attribute = MemProfNotCold
	} else if mibs, ok := p.prune(all, 1, false, nil); ok {
		s.MIBs = mibs
	} else {
		s.Attribute, whole.Ambiguous = MemProfNotCold, true
	}
	if s.Attribute != "" {
		whole.Class = s.Attribute
		s.MIBs, s.Clones = []MIB{whole}, nil
	}
	for i := range s.MIBs {
		if s.MIBs[i].Class == MemProfCold {
			s.HintBytes.AddSum(s.MIBs[i].ColdBytes)
		}
	}
	return s
}

// single is the hint that contexts have in common.
func (p *MIBPruner) single(of []uint32) (hint MemProfClass, ok bool) {
	hint = p.contexts[of[0]].Hint
	for _, i := range of {
		if p.contexts[i].Hint != hint {
			return "", false
		}
	}
	return hint, true
}

func (p *MIBPruner) mixed(of []uint32) bool {
	_, ok := p.single(of)
	return !ok
}

// unhot makes hot contexts not cold, as there are others in the site: nothing is
// cloned for them.
func (p *MIBPruner) unhot(contexts []MIBContext) {
	p.contexts = slices.Clone(contexts)
	for i := range p.contexts {
		if p.contexts[i].Hint == MemProfHot {
			p.contexts[i].Hint = MemProfNotCold
		}
	}
}

func (p *MIBPruner) mib(of []uint32, depth int, class MemProfClass) MIB {
	m := MIB{Contexts: of, Depth: depth, Class: class}
	for _, i := range of {
		m.Bytes.Add(p.contexts[i].Bytes)
		if p.contexts[i].Hint == MemProfCold {
			m.ColdBytes.Add(p.contexts[i].Bytes)
		}
	}
	return m
}

// prune adds the MIBs of contexts that share so many frames. It adds none and
// returns false where nothing tells the contexts apart, and nobody but their
// callee's one caller could be told of them.
func (p *MIBPruner) prune(of []uint32, depth int, calleeHasCallers bool, list []MIB) ([]MIB, bool) {
	if hint, ok := p.single(of); ok {
		return append(list, p.mib(of, depth, hint)), true
	}
	place := p.at[of[0]]
	ended, callers := p.callers(of, depth)
	if len(callers) > 0 {
		from, all := len(list), true
		for _, c := range callers {
			var ok bool
			list, ok = p.prune(c, depth+1, len(callers) > 1, list)
			all = all && ok
		}
		leaveOut(list[from:], depth+1)
		if all {
			if slices.ContainsFunc(list[from:], func(m MIB) bool { return m.Class == MemProfCold }) {
				p.site.Clones = append(p.site.Clones, place)
			}
			if len(ended) > 0 { // stacks that end where others go on: no MIB is theirs
				m := p.mib(ended, depth, MemProfNotCold)
				m.Ambiguous, m.LeftOut = true, true
				list = append(list, m)
			}
			return list, true
		}
	}
	if !calleeHasCallers {
		return list, false
	}
	m := p.mib(of, depth, MemProfNotCold)
	m.Ambiguous = true
	return append(list, m), true
}

// callers goes one frame on: the contexts that end, and the others by the frame
// that they have next, in the order of the compiler.
func (p *MIBPruner) callers(of []uint32, depth int) (ended []uint32, callers [][]uint32) {
	if p.steps -= len(of); p.steps < 0 || depth >= maxPruneDepth {
		p.site.Cut = true
		return of, nil
	}
	byID := map[uint64][]uint32{}
	for _, i := range of {
		p.at[i] = p.tree.Caller[p.at[i]]
		if p.at[i] < 0 {
			ended = append(ended, i)
			continue
		}
		id := p.tree.StackID[p.tree.Frame[p.at[i]]]
		byID[id] = append(byID[id], i)
	}
	for _, id := range slices.Sorted(maps.Keys(byID)) {
		callers = append(callers, byID[id])
	}
	return ended, callers
}

// leaveOut leaves those MIBs out that are not needed to know how deep to clone:
// of callers of one frame, so deep, that are not cold, all but the first one,
// and all where a deeper one is there.
func leaveOut(list []MIB, depth int) {
	told := slices.ContainsFunc(list, func(m MIB) bool { return m.Class != MemProfCold && !m.LeftOut && m.Depth > depth })
	for i := range list {
		if m := &list[i]; m.Class != MemProfCold && m.Depth == depth {
			m.LeftOut = m.LeftOut || told
			told = told || !m.LeftOut
		}
	}
}
