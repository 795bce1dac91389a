package mip

import (
	"fmt"
	"slices"
	"strings"

	"proflens/decode/model"
)

// functionKey is what functions of two profiles have in common: signature and
// place of the counters. Folded duplicates share both, and are matched in order.
type functionKey struct {
	signature, rawOffset uint64
	nth                  int
}

// Merger adds profiles and a map up (mip.md §6).
type Merger struct {
	m    *Profile
	name string // of the first file
	at   map[functionKey]int
	// Differing is how many functions have blocks that differ between files;
	// their block data were dropped.
	Differing int
	differ    map[int]bool
}

// Add merges a profile, or a map as one that never ran. The first is taken over
// and changed. The error is mismatch, about the file of this name.
func (g *Merger) Add(name string, m *Profile) error {
	if g.m == nil {
		g.m, g.name = m, name
		return nil
	}
	if err := g.pair(name, m); err != nil {
		return err
	}
	if g.at == nil {
		g.at, g.differ = map[functionKey]int{}, map[int]bool{}
		for i, key := range keysOf(g.m) {
			g.at[key] = i
		}
	}
	g.m.Lacks &= m.Lacks
	for n, key := range keysOf(m) {
		f := &m.Functions[n]
		i, ok := g.at[key]
		if !ok {
			g.at[key] = len(g.m.Functions)
			g.m.Functions = append(g.m.Functions, *f)
			continue
		}
		g.add(i, f)
	}
	for _, w := range m.Warnings {
		warn(g.m, w)
	}
	g.finish(m)
	return nil
}

// finish makes of the first file's facts those of all.
func (g *Merger) finish(m *Profile) {
	g.m.Blocks = 0
	for i := range g.m.Functions {
		g.m.Functions[i].FirstBlock = g.m.Blocks
		g.m.Blocks += len(g.m.Functions[i].Blocks)
	}
	if g.m.RawAddress == nil {
		g.m.RawAddress = m.RawAddress
	}
	if g.m.Lacks == 0 {
		g.m.Warnings = slices.DeleteFunc(g.m.Warnings, func(w Warning) bool { return w == CoverageAlone })
	}
	g.m.Names = nil
	asProfile(g.m)
}

// MIP is what was added.
func (g *Merger) MIP() *Profile { return g.m }

func keysOf(m *Profile) []functionKey {
	seen := make(map[functionKey]int, len(m.Functions))
	keys := make([]functionKey, len(m.Functions))
	for i := range m.Functions {
		key := functionKey{signature: m.Functions[i].Signature, rawOffset: m.Functions[i].RawOffset}
		seen[key]++
		key.nth = seen[key]
		keys[i] = key
	}
	return keys
}

func (g *Merger) pair(name string, m *Profile) error {
	return samePrograms(name, fmt.Sprintf("%s and %s are not of one program", name, g.name), &g.m.Header, &m.Header)
}

// samePrograms is the error for headers of two programs, of which it says so.
func samePrograms(name, says string, want, found *Header) error {
	switch {
	case want.ModuleHash != found.ModuleHash:
		return mismatch(name, says, 12, "ModuleHash", "the module hashes differ", fmt.Sprintf("0x%08x", want.ModuleHash),
			fmt.Sprintf("0x%08x", found.ModuleHash))
	case want.ProfileType != found.ProfileType:
		return mismatch(name, says, 8, "ProfileType", "the profile types differ",
			strings.Join(want.ProfileType.Words(), ", "), strings.Join(found.ProfileType.Words(), ", "))
	}
	return nil
}

func mismatch(name, says string, offset uint64, field, what, want, found string) error {
	return &model.FormatError{Kind: model.KindMismatch, File: name, Section: "header", Field: field, Offset: offset,
		Msg: says + ": " + what, Expected: want, Found: found}
}

// add adds a function's numbers to those it has.
func (g *Merger) add(i int, f *Function) {
	to := &g.m.Functions[i]
	if to.NameSource == NameNone {
		to.Name, to.NameSource = f.Name, f.NameSource
	}
	to.MergeCount += f.MergeCount
	if g.m.countsCalls() {
		to.CallCount = addCounts(g.m, to.CallCount, f.CallCount)
	} else {
		to.CallCount = max(to.CallCount, f.CallCount)
	}
	to.TimestampSum = addCounts(g.m, to.TimestampSum, f.TimestampSum)
	to.Saturated = to.Saturated || f.Saturated
	if g.differ[i] {
		return
	}
	if to.CFGSignature != f.CFGSignature ||
		!slices.EqualFunc(to.Blocks, f.Blocks, func(a, b Block) bool { return a.Offset == b.Offset }) {
		g.differ[i] = true
		g.Differing++
		to.Blocks, to.BlocksDiffer = nil, true
		warn(g.m, BlocksDiffer)
		return
	}
	for b := range f.Blocks {
		to.Blocks[b].Covered = to.Blocks[b].Covered || f.Blocks[b].Covered
	}
}
