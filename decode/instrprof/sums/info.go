package sums

import (
	"bytes"
	"cmp"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// mergeInfo makes one Info of all inputs: what differs between them is left
// out, and what only one file can have (summaries, the MemProf section) stays
// only while there is one.
func (m *Merger) mergeInfo(name string, in *instrprof.Info) {
	m.inputs++
	out := &m.info
	partial := append(slices.Clip(m.info.Partial), named(in.Partial, name)...)
	defer func() { out.Partial = partial }()
	if m.inputs == 1 {
		*out = *in
		out.Families = slices.Clone(in.Families)
		out.BinaryIDs, out.VTableNames, out.VTables = nil, nil, nil
		m.mergeSets(in)
		return
	}
	if out.Format != in.Format {
		out.Format, out.Version = "", 0
	}
	if out.Version != in.Version {
		out.Version = max(out.Version, in.Version)
	}
	if out.PointerSize != in.PointerSize {
		out.PointerSize = 0
	}
	out.BigEndian = out.BigEndian && in.BigEndian
	out.Profiles += in.Profiles
	out.Variant |= in.Variant
	out.ExplicitFE = out.ExplicitFE || in.ExplicitFE
	if len(out.Families) == 0 { // of an indexed file without records
		out.Families = slices.Clone(in.Families)
	}
	m.mergeSets(in)
	out.Summary, out.CSSummary = nil, nil
	out.MemProfSection, out.MemProf = model.Section{}, nil
}

// named gives partial files without a name that of their input.
func named(partial []model.Partial, name string) []model.Partial {
	partial = slices.Clone(partial)
	for i := range partial {
		partial[i].File = cmp.Or(partial[i].File, name)
	}
	return partial
}

// mergeSets unites what is the same in many inputs, and copies it: it must not grow
// with every input, nor be gone with its file.
func (m *Merger) mergeSets(in *instrprof.Info) {
	m.info.BinaryIDs = m.ids.add(m.info.BinaryIDs, in.BinaryIDs)
	m.info.VTableNames = m.vtNames.add(m.info.VTableNames, in.VTableNames)
	m.info.VTables = m.vtables.add(m.info.VTables, in.VTables)
}

// uniqueBytes knows what is in a list.
type uniqueBytes map[string]struct{}

// add appends copies of those that the list does not have.
func (u *uniqueBytes) add(list, more [][]byte) [][]byte {
	for _, b := range more {
		if _, have := (*u)[string(b)]; have {
			continue
		}
		if *u == nil {
			*u = uniqueBytes{}
		}
		(*u)[string(b)] = struct{}{}
		list = append(list, bytes.Clone(b))
	}
	return list
}

// maxVTableAddresses is how many addresses of a vtable are kept. A program that is
// loaded elsewhere each time has another one in every run.
const maxVTableAddresses = 64

// uniqueVTables knows which vtables are in a list, and how many of a name.
type uniqueVTables struct {
	have map[instrprof.VTable]struct{}
	of   map[uint64]int // by NameRef
}

// add appends those that the list does not have.
func (u *uniqueVTables) add(list, more []instrprof.VTable) []instrprof.VTable {
	if u.have == nil && len(more) > 0 {
		u.have, u.of = map[instrprof.VTable]struct{}{}, map[uint64]int{}
	}
	for _, v := range more {
		if _, have := u.have[v]; have || u.of[v.NameRef] >= maxVTableAddresses {
			continue
		}
		u.have[v] = struct{}{}
		u.of[v.NameRef]++
		list = append(list, v)
	}
	return list
}
