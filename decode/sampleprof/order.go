package sampleprof

import (
	"cmp"
	"slices"
	"strings"
)

// Settle puts functions, and all that is in them, in order, and adds up what stands
// there twice. Whoever changes records calls it.
func (p *Profile) Settle() {
	for _, f := range p.Functions {
		p.settleAll(f)
	}
	p.added, p.table = true, nil
	p.sort()
}

// settleAll settles the callees of a function, and it.
func (p *Profile) settleAll(f *Function) (overflow bool) {
	for _, s := range f.Sites {
		overflow = p.settleAll(s.Callee) || overflow
	}
	return p.settle(f) || overflow
}

// SettleIn is Settle, for the functions of a table.
func (p *Profile) SettleIn(t *Table) {
	p.Functions = t.Functions()
	p.Settle()
	p.table = t
}

// sort puts functions in the order of the tools.
func (p *Profile) sort() {
	p.read = slices.Clone(p.Functions)
	slices.SortStableFunc(p.Functions, func(a, b *Function) int {
		if c := cmp.Compare(b.Total, a.Total); c != 0 {
			return c
		}
		return p.compare(a, b)
	})
}

// compare orders functions of the same total.
func (p *Profile) compare(a, b *Function) int {
	if p.Reader == llvm13 {
		return strings.Compare(p.ContextText(b), p.ContextText(a))
	}
	if c := p.compareContexts(p.Frames(a), p.Frames(b)); c != 0 || a.Context >= 0 {
		return c
	}
	return p.compareNames(a.Name, b.Name)
}

// settle puts the records of one function in order, whose callees are settled. It
// reports whether adding passed the largest count.
func (p *Profile) settle(f *Function) (overflow bool) {
	over := p.settleBody(f)
	over = p.settleSites(f) || over
	return p.settleVTables(f) || over
}

func (p *Profile) settleBody(f *Function) (overflow bool) {
	if ascending(f.Body, func(a, b Record) int { return a.Compare(b.Loc) }) {
		for i := range f.Body {
			overflow = p.settleTargets(&f.Body[i]) || overflow
		}
		return overflow
	}
	slices.SortStableFunc(f.Body, func(a, b Record) int { return a.Compare(b.Loc) })
	out := f.Body[:0]
	for _, r := range f.Body {
		if n := len(out); n > 0 && out[n-1].Loc == r.Loc {
			last := &out[n-1]
			overflow = accumulate(&last.Count, r.Count) || overflow
			last.Targets = append(last.Targets, r.Targets...)
			continue
		}
		out = append(out, r)
	}
	f.Body = out
	for i := range f.Body {
		overflow = p.settleTargets(&f.Body[i]) || overflow
	}
	return overflow
}

func (p *Profile) settleTargets(r *Record) (overflow bool) {
	if len(r.Targets) < 2 {
		return false
	}
	byName := func(a, b Target) int { return cmp.Compare(a.Name, b.Name) }
	slices.SortFunc(r.Targets, byName)
	r.Targets, overflow = together(r.Targets, byName, func(t *Target) *uint64 { return &t.Count })
	slices.SortFunc(r.Targets, func(a, b Target) int {
		if c := cmp.Compare(b.Count, a.Count); c != 0 {
			return c
		}
		return p.compareNames(a.Name, b.Name)
	})
	return overflow
}

// together adds up the counts of those in a list that stand beside their like; overflow says that one
// stopped at the largest.
func together[T any](list []T, order func(a, b T) int, count func(*T) *uint64) (out []T, overflow bool) {
	out = list[:0]
	for i := range list {
		if n := len(out); n > 0 && order(out[n-1], list[i]) == 0 {
			overflow = accumulate(count(&out[n-1]), *count(&list[i])) || overflow
			continue
		}
		out = append(out, list[i])
	}
	return out, overflow
}

func (p *Profile) settleSites(f *Function) (overflow bool) {
	order := func(a, b Site) int {
		if c := a.Compare(b.Loc); c != 0 {
			return c
		}
		return p.compareNames(a.Callee.Name, b.Callee.Name)
	}
	if ascending(f.Sites, order) {
		return false
	}
	slices.SortStableFunc(f.Sites, order)
	out := f.Sites[:0]
	again := false // the last one of out took another in
	for i, s := range f.Sites {
		if n := len(out); n > 0 && order(out[n-1], s) == 0 {
			overflow = absorb(out[n-1].Callee, s.Callee) || overflow
			again = true
		} else {
			out = append(out, s)
		}
		if again && (i+1 == len(f.Sites) || order(out[len(out)-1], f.Sites[i+1]) != 0) {
			overflow = p.settle(out[len(out)-1].Callee) || overflow
			again = false
		}
	}
	f.Sites = out
	return overflow
}

// absorb adds a function that stands again in the same file, out of order. What is said
// later of its checksum and attributes holds.
func absorb(f, again *Function) bool {
	over := accumulate(&f.Total, again.Total)
	over = accumulate(&f.Head, again.Head) || over
	f.Body = append(f.Body, again.Body...)
	f.Sites = append(f.Sites, again.Sites...)
	f.VTables = append(f.VTables, again.VTables...)
	if again.Checksum != 0 {
		f.Checksum = again.Checksum
	}
	if again.Checksum != 0 || again.Attributes != 0 {
		f.Attributes = again.Attributes
	}
	return over
}

func (p *Profile) settleVTables(f *Function) (overflow bool) {
	order := func(a, b VTable) int {
		if c := a.Compare(b.Loc); c != 0 {
			return c
		}
		return p.compareNames(a.Type, b.Type)
	}
	if ascending(f.VTables, order) {
		return false
	}
	slices.SortStableFunc(f.VTables, order)
	f.VTables, overflow = together(f.VTables, order, func(v *VTable) *uint64 { return &v.Count })
	return overflow
}

// accumulate adds to a count, and reports whether that stopped at the largest.
func accumulate(to *uint64, n uint64) bool {
	over := *to > ^uint64(0)-n
	*to = Add(*to, n)
	return over
}

// ascending reports whether a list is in order and has nothing twice.
func ascending[T any](list []T, order func(a, b T) int) bool {
	for i := 1; i < len(list); i++ {
		if order(list[i-1], list[i]) >= 0 {
			return false
		}
	}
	return true
}
