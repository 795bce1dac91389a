package covdb

import (
	"encoding/binary"

	"proflens/analyze/coverage"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// MisfitKind says how mapping and profile differ.
type MisfitKind string

// The kinds.
const (
	// Mismatched: the profile has the function with other hashes only, so it is of
	// another build. It is in no total.
	Mismatched MisfitKind = "mismatched"
	// DummyRecord: a unit saw the function and did not emit it, and the profile has it
	// of another.
	DummyRecord MisfitKind = "dummy"
	// Short: the mapping speaks of counters that the record has not. It is in no total.
	Short MisfitKind = "short"
	// Hidden: it ran, and llvm-cov shows zeros, as a dummy of an earlier object stands
	// in its place. Here it has its counts.
	Hidden MisfitKind = "hidden"
	// Bitmapless: it has decisions, and the profile no bitmap of them. Its MC/DC is in no
	// total.
	Bitmapless MisfitKind = "no_bitmap"
	// Lost: the profile has a record of it, and the mapping another function of its name:
	// it is of another program or build, or the linker kept one of the two.
	Lost MisfitKind = "lost"
)

// MisfitKinds are all of them.
var MisfitKinds = []MisfitKind{Mismatched, Short, Bitmapless, Lost, Hidden, DummyRecord}

// Misfit is a function that mapping and profile do not agree on.
type Misfit struct {
	ID      int // from 1
	Kind    MisfitKind
	Linkage string
	Object  int      // index of Overview.Objects; -1 of a record of the profile
	Hash    uint64   // of the mapping; of Lost that of the record
	Found   []uint64 // hashes that the profile has of the name
	Ran     bool     // of Lost: a counter is not 0
}

// MisfitPage is one page of misfits, in the order of MisfitKinds.
type MisfitPage struct {
	Rows     []Misfit
	Matching int
}

// Misfits returns one page of misfits of a kind, or of all with an empty one. The
// error is about the profile.
func (p *Profile) Misfits(kind MisfitKind, offset, limit int) (*MisfitPage, error) {
	page := &MisfitPage{}
	for _, k := range MisfitKinds {
		if kind == "" || kind == k {
			page.Matching += p.Overview.Misfits[k]
		}
	}
	from, to := query.Clamp(offset, limit, page.Matching)
	at := 0
	return page, p.Walk("coverage_misfit", func(row *stored.Row) {
		m := Misfit{ID: int(row.ID), Kind: MisfitKind(row.String(1))}
		if kind != "" && m.Kind != kind {
			return
		}
		if at++; at <= from || at > to {
			return
		}
		m.Linkage, m.Object, m.Hash, m.Ran = row.String(2), int(row.Int(3))-1, row.Uint(4), row.Int(6) != 0
		for b := row.Blob(5); len(b) >= 8; b = b[8:] {
			m.Found = append(m.Found, binary.LittleEndian.Uint64(b))
		}
		if m.Object >= len(p.Overview.Objects) {
			row.Fail(stored.Damaged("misfit %d is of object %d", m.ID, m.Object+1))
		}
		page.Rows = append(page.Rows, m)
	})
}

// misfitsOf lists those of a join in the order of MisfitKinds.
func misfitsOf(m *coverage.Misfits) []Misfit {
	var list []Misfit
	add := func(kind MisfitKind, from []coverage.Misfit, suits func(*coverage.Misfit) bool) {
		for i := range from {
			if f := &from[i]; suits(f) {
				list = append(list, Misfit{
					Kind: kind, Linkage: f.Name, Object: f.Object, Hash: f.Hash, Found: f.Found, Ran: kind == Hidden,
				})
			}
		}
	}
	all := func(*coverage.Misfit) bool { return true }
	add(Mismatched, m.Mismatched, func(f *coverage.Misfit) bool { return !f.Dummy })
	add(Short, m.Short, all)
	add(Bitmapless, m.Bitmapless, all)
	for _, l := range m.Lost {
		list = append(list, Misfit{Kind: Lost, Linkage: l.Name, Object: -1, Hash: l.Hash, Ran: l.Ran})
	}
	add(Hidden, m.Hidden, all)
	add(DummyRecord, m.Mismatched, func(f *coverage.Misfit) bool { return f.Dummy })
	return list
}

// otherLines are the functions that another program has on other lines, each once.
func otherLines(m *coverage.Misfits) (list []*Misfit) {
	known := map[string]bool{}
	for i := range m.Other {
		if name := m.Other[i].Name; !known[name] {
			known[name] = true
			list = append(list, &Misfit{Linkage: name})
		}
	}
	return list
}
