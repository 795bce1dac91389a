package sampleprof

import (
	"fmt"
	"slices"

	"proflens/decode/model"
)

// Merger adds profiles up, as llvm-profdata merge --sample does (sampleprof.md §10.1).
type Merger struct {
	// Tell is told of each function whose counts stopped at the largest that there is, or that
	// has another checksum; nil for nobody.
	Tell func(input, function string, kind model.Kind)
	// Mixed adds files that do not say whether they have probes or contexts to any others, as LLVM's tools do.
	Mixed bool

	p        *Profile
	first    string // the name of the first profile
	names    *table
	contexts *contexts
	byGUID   map[uint64]NameID // the first name of each hash: names and their hashes are the same function
	*builder
}

// Merge adds one profile, with its counts multiplied by weight, which is at least 1.
// What is added is copied. The error is a [*model.FormatError] of kind incompatible for
// a profile that cannot be added to those before.
func (m *Merger) Merge(name string, q *Profile, weight uint64) error {
	if m.p == nil {
		m.begin(name, q)
	}
	says := AllFlags
	if m.Mixed {
		says = q.says()
		m.p.Flags &^= says & (FSDiscriminators | PreInlined)
	}
	if err := m.p.Flags.Comparable(q.Flags, says); err != nil && len(q.Functions) > 0 {
		err.File, err.Msg = name, fmt.Sprintf("%s and %s cannot be merged: %s", name, m.first, err.Msg)
		return err
	}
	m.p.Flags |= q.Flags & (FSDiscriminators | PreInlined | Attributed | Uniq | VTables)
	a := m.adding(q, max(weight, 1))
	functions := q.Functions
	if !q.anyOrder() || !m.p.anyOrder() {
		functions = q.Table().Functions()
	}
	for _, f := range functions {
		to, is := a.place(f)
		over, other := a.overflowed, a.mismatched
		if is {
			a.add(to, f)
		}
		switch {
		case m.Tell == nil:
		case a.overflowed > over:
			m.Tell(name, q.ContextText(f), KindCounterOverflow)
		case a.mismatched > other:
			m.Tell(name, q.ContextText(f), KindHashMismatch)
		}
	}
	m.report(name, a)
	if q.Symbols != nil {
		m.p.AddSymbols(q.Symbols)
	}
	return nil
}

// says are the flags that a file says it has or has not.
func (p *Profile) says() Flags {
	switch {
	case p.Format == FormatText:
		return Probes | FullContexts | FSDiscriminators | PreInlined
	case p.Format == FormatBinary:
		return FSDiscriminators
	case p.Has(Attributed):
		return p.Flags | Probes
	}
	return p.Flags
}

// Profile is the sum, in order.
func (m *Merger) Profile() *Profile {
	if m.p == nil {
		return &Profile{}
	}
	m.p.Settle()
	return m.p
}

func (m *Merger) begin(name string, q *Profile) {
	m.p, m.first = &Profile{Format: q.Format, Version: q.Version, Flags: q.Flags}, name
	m.builder, m.names = newBuilder(m.p), newTable(m.p)
	m.byGUID = map[uint64]NameID{}
	m.contexts = newContexts(m.p)
	m.contexts.same = m.same
}

// same is the first name that has the hash of a name.
func (m *Merger) same(id NameID) NameID { return m.byGUID[m.p.Names[id].GUID()] }

// adding is one profile that is being added.
type adding struct {
	*Merger
	weight     uint64
	names      []NameID // of the sum, by name of the profile
	contexts   [][]Frame
	mismatched uint64
	overflowed uint64 // functions
	over       bool
}

func (m *Merger) adding(q *Profile, weight uint64) *adding {
	a := &adding{
		Merger: m, weight: weight, names: make([]NameID, len(q.Names)), contexts: make([][]Frame, len(q.Contexts)),
	}
	for i, n := range q.Names {
		a.names[i] = m.names.id(n)
		if guid := n.GUID(); !has(m.byGUID, guid) {
			m.byGUID[guid] = a.names[i]
		}
	}
	for i, frames := range q.Contexts {
		a.contexts[i] = slices.Clone(frames)
		for j := range a.contexts[i] {
			a.contexts[i][j].Name = a.names[a.contexts[i][j].Name]
		}
	}
	return a
}

func has[K comparable, V any](m map[K]V, key K) bool { _, ok := m[key]; return ok }

// place is the function of the sum that a function belongs to; false where that is a
// copy which was made for it.
func (a *adding) place(f *Function) (*Function, bool) {
	context, key := int32(-1), a.same(a.names[f.Name])
	if f.Context >= 0 {
		context = a.Merger.contexts.id(a.contexts[f.Context])
	}
	if had := a.find(key, context); had != nil {
		return had, true
	}
	to := a.copied(f)
	to.Context = context
	if context >= 0 {
		a.byContext[context] = to
	} else {
		a.byName[key] = to
	}
	a.p.Functions = append(a.p.Functions, to)
	if a.over {
		a.overflowed, a.over = a.overflowed+1, false
	}
	return to, false
}

// times is a count with its weight.
func (a *adding) times(n uint64) uint64 {
	product := Multiply(n, a.weight)
	a.over = a.over || n > 0 && product/n != a.weight
	return product
}

// copied is a function with its weight, and the names of the sum.
func (a *adding) copied(f *Function) *Function {
	to := a.functions.one()
	*to = *f
	to.Name, to.Context = a.names[f.Name], -1
	to.Total, to.Head = a.times(f.Total), a.times(f.Head)
	to.Body = a.records.take(len(f.Body))
	for _, r := range f.Body {
		to.Body = append(to.Body, a.record(r))
	}
	to.Sites = a.builder.sites.take(len(f.Sites))
	for _, s := range f.Sites {
		to.Sites = append(to.Sites, Site{s.Loc, a.copied(s.Callee)})
	}
	to.VTables = a.vtables.take(len(f.VTables))
	for _, v := range f.VTables {
		to.VTables = append(to.VTables, VTable{v.Loc, a.names[v.Type], a.times(v.Count)})
	}
	return to
}

func (a *adding) record(r Record) Record {
	to := Record{r.Loc, a.times(r.Count), a.targets.take(len(r.Targets))}
	for _, t := range r.Targets {
		to.Targets = append(to.Targets, Target{a.names[t.Name], a.times(t.Count)})
	}
	return to
}

// add adds a function to the one of the sum.
func (a *adding) add(to, f *Function) {
	dropped, over := Accumulate(to, a.copied(f))
	a.mismatched += dropped
	if a.p.settleAll(to) || over || a.over {
		a.overflowed, a.over = a.overflowed+1, false
	}
}

// report says what adding lost.
func (m *Merger) report(name string, a *adding) {
	warn := func(code string, kind model.Kind, message string, count uint64) {
		if count > 0 {
			m.p.Found = append(m.p.Found, model.Finding{
				Severity: model.Warning, Code: prefix + "." + code, Kind: kind, File: name, Message: message, Count: count,
			})
		}
	}
	warn("hash_mismatch", KindHashMismatch,
		"functions with another checksum than in the files before: their samples were left out", a.mismatched)
	warn("counter_overflow", KindCounterOverflow, "functions with counts that stopped at the largest that there is",
		a.overflowed)
}
