package memprof

import (
	"fmt"

	"proflens/decode/model"
)

// ErrAddresses is why two heap profiles cannot be merged of which only one has functions.
var ErrAddresses = &model.FormatError{Kind: model.KindIncompatible, Section: "header",
	Msg: "one heap profile has functions, the other only addresses; first add the executable to the second"}

// Merge makes one profile of several: contexts are merged by call stack by the
// runtime's own rules (memprof.md §1.6, §2.6), in the order in which each stack
// was first seen, and records by function. One profile is returned as it is.
//
// Profiles of which some have functions and others only addresses are
// [model.KindIncompatible].
func Merge(profiles []*Profile) (*Profile, error) {
	if len(profiles) == 1 {
		return profiles[0], nil
	}
	m := merger{builder: newBuilder(profiles[0].Format, profiles[0].Version, 0), contexts: map[StackID]uint32{},
		records: map[uint64]int{},
		calls:   map[memberKey]int{}, members: map[memberKey]bool{}, access: map[dataKey]int{}}
	out := m.profile
	out.Dumps, out.Symbolized = 0, profiles[0].Symbolized
	for _, p := range profiles {
		if p.Symbolized != out.Symbolized {
			return nil, &model.FormatError{Kind: model.KindIncompatible, Section: "header",
				Msg: "one heap profile has functions and another only addresses, so they share no call stack; give all executables"}
		}
		if p.Format != out.Format {
			out.Format = ""
		}
		if p.Format != out.Format || p.Version != out.Version {
			out.Version = max(out.Version, p.Version)
		}
		out.Dumps += p.Dumps
		m.add(p)
	}
	return out, nil
}

type merger struct {
	*builder
	contexts map[StackID]uint32
	records  map[uint64]int    // by function, in profile.Records
	calls    map[memberKey]int // in the call sites of the record
	members  map[memberKey]bool
	access   map[dataKey]int
}

// add adds one profile.
func (m *merger) add(p *Profile) {
	modules := m.addModules(p.Modules)
	stacks := make([]StackID, len(p.Stacks))
	for i, s := range p.Stacks {
		f := p.Frames[s.Frame]
		if f.Module >= 0 {
			f.Module = modules[f.Module]
		}
		caller := NoStack
		if s.Caller != NoStack {
			caller = stacks[s.Caller]
		}
		stacks[i] = m.call(caller, m.frame(f))
	}
	numbers := make([]uint32, len(p.Contexts))
	for i := range p.Contexts {
		c := &p.Contexts[i]
		stack := NoStack
		if c.Stack != NoStack {
			stack = stacks[c.Stack]
		}
		at, ok := m.contexts[stack]
		if ok {
			m.profile.Contexts[at].MIB.Merge(&c.MIB)
		} else {
			at = m.context(stack, c.ID, c.MIB.Clone())
			m.contexts[stack] = at
		}
		numbers[i] = at
	}
	for _, r := range p.Records {
		m.addRecord(r, numbers, stacks)
	}
	if p.DataAccess != nil {
		m.addAccess(p.DataAccess)
	}
	m.profile.Findings = append(m.profile.Findings, p.Findings...)
}

// addModules gives the modules of a profile their numbers: one with the build
// id, or the path, of a former is that.
func (m *merger) addModules(modules []Module) []int32 {
	numbers := make([]int32, len(modules))
	known := map[string]int32{}
	key := func(x *Module) string {
		switch {
		case len(x.BuildID) > 0:
			return fmt.Sprintf("id %x", x.BuildID)
		case x.Path != "":
			return "path " + x.Path
		}
		return fmt.Sprintf("%x %x %x", x.Start, x.End, x.Offset)
	}
	for i := range m.profile.Modules {
		k := key(&m.profile.Modules[i])
		if _, ok := known[k]; !ok {
			known[k] = int32(i)
		}
	}
	for i := range modules {
		k := key(&modules[i])
		n, ok := known[k]
		if !ok {
			n = int32(len(m.profile.Modules))
			m.profile.Modules = append(m.profile.Modules, modules[i])
			known[k] = n
		}
		numbers[i] = n
	}
	return numbers
}

// addRecord adds the sites of a function that it has not yet.
func (m *merger) addRecord(r Record, numbers []uint32, stacks []StackID) {
	at, ok := m.records[r.Function]
	if !ok {
		at = len(m.profile.Records)
		m.records[r.Function] = at
		m.profile.Records = append(m.profile.Records, Record{Function: r.Function})
	}
	out := &m.profile.Records[at]
	for _, n := range r.AllocSites {
		n = numbers[n]
		if m.isNew(memberKey{of: at, stack: StackID(n), kind: siteMember}) {
			out.AllocSites = append(out.AllocSites, n)
		}
	}
	for _, c := range r.CallSites {
		stack := NoStack
		if c.Stack != NoStack {
			stack = stacks[c.Stack]
		}
		key := memberKey{of: at, stack: stack, kind: callMember}
		i, ok := m.calls[key]
		if !ok {
			i = len(out.CallSites)
			m.calls[key] = i
			out.CallSites = append(out.CallSites, CallSite{Stack: stack})
		}
		for _, callee := range c.Callees {
			if m.isNew(memberKey{of: at, stack: stack, value: callee, kind: calleeMember}) {
				out.CallSites[i].Callees = append(out.CallSites[i].Callees, callee)
			}
		}
	}
}

// memberKey is what a record has once: a context, a call site or one of its
// callees, or a place of data.
type memberKey struct {
	of    int
	stack StackID
	value uint64
	name  string
	kind  memberKind
}

type memberKind uint8

const (
	siteMember memberKind = iota
	callMember
	calleeMember
	placeMember
)

func (m *merger) isNew(key memberKey) bool {
	if m.members[key] {
		return false
	}
	m.members[key] = true
	return true
}

// dataKey is what a data access record is of.
type dataKey struct {
	symbol string
	hash   uint64
}

// addAccess adds a data access profile: counts of one symbol add up.
func (m *merger) addAccess(a *DataAccess) {
	if m.profile.DataAccess == nil {
		m.profile.DataAccess = &DataAccess{}
	}
	out := m.profile.DataAccess
	for _, r := range a.Records {
		key := dataKey{r.Symbol, r.Hash}
		at, ok := m.access[key]
		if !ok {
			at = len(out.Records)
			m.access[key] = at
			out.Records = append(out.Records, DataAccessRecord{Symbol: r.Symbol, Hash: r.Hash, IsString: r.IsString})
		}
		known := &out.Records[at]
		if known.AccessCount += r.AccessCount; known.AccessCount < r.AccessCount {
			known.AccessCount = 1<<64 - 1
		}
		for _, l := range r.Locations {
			if m.isNew(memberKey{of: at, name: l.File, value: uint64(l.Line), kind: placeMember}) {
				known.Locations = append(known.Locations, l)
			}
		}
	}
	out.ColdSymbols = union(out.ColdSymbols, a.ColdSymbols)
	out.ColdHashes = union(out.ColdHashes, a.ColdHashes)
}

// union is a with what of b it lacks.
func union[T comparable](a, b []T) []T {
	if len(b) == 0 {
		return a
	}
	has := make(map[T]bool, len(a)+len(b))
	for _, x := range a {
		has[x] = true
	}
	for _, x := range b {
		if !has[x] {
			has[x] = true
			a = append(a, x)
		}
	}
	return a
}
