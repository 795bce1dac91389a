package covdb

import (
	"context"
	"encoding/binary"
	"slices"

	"proflens/analyze/coverage"
	"proflens/decode/instrprof"
	"proflens/profile/stored"
	"proflens/profile/table"
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
	Kind    MisfitKind `col:"kind" width:"10" head:"Why" is:"sort,up" as:"mismatched|short|no_bitmap|lost|hidden|dummy"`
	Program string     `col:"object" width:"24" head:"Program" is:"sort,up,words,omitzero"`
	Hash    uint64     `col:"func_hash" width:"16" head:"FuncHash" is:"hex,key"`
	_       column     `help:"of the mapping; of a lost record its own"`
	Found   []uint64   `col:"found_hashes" head:"In the profile" is:"hex" help:"hashes that the profile has of the name"`
	Ran     bool       `col:"ran" width:"5" help:"of a lost record: a counter is not 0"`
	Name    table.Name `col:"name" head:"Function" is:"sort,up,words"`
	Object  int        // index of Overview.Objects; -1 of a record of the profile
}

// Misfits is the table of what does not fit, in the order of MisfitKinds.
var Misfits = table.Declare[Misfit](table.Declaration{
	About: "A function that mapping and profile do not agree on.", Noun: "function",
	Sought: "function or program",
	Show:   "kind name object func_hash found_hashes", Text: "kind func_hash demangled",
})

// FindMisfits finds misfits of a kind, or of all with an empty one. The error is about the
// profile.
func (p *Profile) FindMisfits(ctx context.Context, kind MisfitKind) (table.Find, error) {
	all, err := stored.Cached(ctx, p.Profile, "coverage misfits", func() ([]Misfit, int64, error) {
		list, size := []Misfit{}, int64(0)
		err := p.Walk("coverage_misfit", func(row *stored.Row) {
			name := row.String(2)
			m := Misfit{
				Kind: MisfitKind(row.String(1)), Name: nameOf(name), Object: int(row.Int(3)) - 1, Hash: row.Uint(4),
				Ran: row.Int(6) != 0,
			}
			for b := row.Blob(5); len(b) >= 8; b = b[8:] {
				m.Found = append(m.Found, binary.LittleEndian.Uint64(b))
			}
			switch {
			case m.Object >= len(p.Overview.Objects):
				row.Fail(stored.Damaged("misfit %d is of object %d", row.ID, m.Object+1))
			case m.Object >= 0:
				m.Program = p.Overview.Objects[m.Object].Name
			}
			list, size = append(list, m), size+int64(len(name)+8*len(m.Found)+120)
		})
		return list, size, err
	})
	if kind != "" {
		all = slices.DeleteFunc(slices.Clone(all), func(m Misfit) bool { return m.Kind != kind })
	}
	return Misfits.Within(table.Set{Rows: all}), err
}

// nameOf is the function of a linkage name.
func nameOf(linkage string) table.Name {
	return table.Name{Ref: instrprof.NameRef([]byte(linkage)), PGO: linkage}
}

// misfitsOf lists those of a join in the order of MisfitKinds.
func misfitsOf(m *coverage.Misfits) []Misfit {
	var list []Misfit
	add := func(kind MisfitKind, from []coverage.Misfit, suits func(*coverage.Misfit) bool) {
		for i := range from {
			if f := &from[i]; suits(f) {
				list = append(list, Misfit{
					Kind: kind, Name: nameOf(f.Name), Object: f.Object, Hash: f.Hash, Found: f.Found, Ran: kind == Hidden,
				})
			}
		}
	}
	all := func(*coverage.Misfit) bool { return true }
	add(Mismatched, m.Mismatched, func(f *coverage.Misfit) bool { return !f.Dummy })
	add(Short, m.Short, all)
	add(Bitmapless, m.Bitmapless, all)
	for _, l := range m.Lost {
		list = append(list, Misfit{Kind: Lost, Name: nameOf(l.Name), Object: -1, Hash: l.Hash, Ran: l.Ran})
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
			list = append(list, &Misfit{Name: nameOf(name)})
		}
	}
	return list
}
