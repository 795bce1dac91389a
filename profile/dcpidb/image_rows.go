package dcpidb

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"proflens/analyze"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// rowKey tells procedures apart that are called alike: the how many-eth of its
// name, by address, or for a range its number.
type rowKey struct {
	kind RowKind
	name string
	n    uint64
}

// addTo adds a row's samples to cells.
func (r *Row) addTo(cells []Cell) {
	for i := range cells {
		cells[i].Add(&r.Cells[i])
	}
}

// procedureRows are the procedures that a plan has samples of, by image and
// address. Ranges are of size bytes; 0 is DefaultRange.
func (p *Profile) procedureRows(ctx context.Context, plan *plan, size uint64) ([]*Row, error) {
	size = cmp.Or(size, DefaultRange)
	return stored.Cached(ctx, p.Profile, query.CacheKey("dcpi procedures", plan.key, size), func() ([]*Row, int64, error) {
		var rows []*Row
		byID := map[string][]*Row{} // images of one id are combined by procedure
		for image, profiles := range plan.byImage {
			more, err := p.rowsOfImage(ctx, plan, image, profiles, size)
			if err != nil {
				return nil, 0, err
			}
			id := strings.ToLower(p.Overview.Images[image].ID)
			known := map[rowKey]*Row{}
			for _, row := range byID[id] {
				known[row.key] = row
			}
			for _, row := range more {
				if same := known[row.key]; same != nil {
					row.addTo(same.Cells)
				} else {
					rows, byID[id] = append(rows, row), append(byID[id], row)
				}
			}
		}
		return rows, int64(len(rows)) * int64(160+24*len(plan.columns)), nil
	})
}

// rowsOfImage are the procedures of one image by address; that of none is last.
func (p *Profile) rowsOfImage(ctx context.Context, plan *plan, image int, profiles []plannedProfile,
	size uint64) ([]*Row, error) {
	symbols, err := p.procedures(ctx, image, plan.shift)
	if err != nil {
		return nil, err
	}
	if size, err = p.rangeSize(profiles, size); err != nil {
		return nil, err
	}
	a := &imageRows{
		columns: len(plan.columns), image: image, in: &p.Overview.Images[image], base: p.Overview.Images[image].Base,
		symbols: symbols, size: size,
	}
	for _, f := range profiles {
		if err := a.add(ctx, p, f); err != nil {
			return nil, err
		}
	}
	return a.finish(), nil
}

// maxRanges bounds the ranges of one image.
const maxRanges = 1 << 20

// rangeSize is the size of a range, doubled until an image has few enough.
func (p *Profile) rangeSize(profiles []plannedProfile, size uint64) (uint64, error) {
	for _, f := range profiles {
		last, err := p.lastOffset(f.EventProfile)
		if err != nil {
			return 0, err
		}
		for last/size >= maxRanges {
			size *= 2
		}
	}
	return size, nil
}

// imageRows adds up the samples of one image by procedure, or by range.
type imageRows struct {
	columns, image int
	in             *Image
	base, size     uint64
	symbols        *analyze.ProcedureMap
	byIndex        []*Row          // procedures that have samples
	outside        *Row            // samples outside all procedures
	ranges         map[uint64]*Row // by number
}

// add adds the samples of a profile. Its offsets rise, so that a procedure is
// looked up once.
func (a *imageRows) add(ctx context.Context, p *Profile, f plannedProfile) error {
	var row *Row
	samples, from, to := uint64(0), uint64(1), uint64(0) // of row: addresses [from, to)
	flush := func() {
		if row != nil {
			row.Cells[f.column].add(samples, &f.DCPIRate)
		}
		samples = 0
	}
	err := p.eachCount(ctx, f.EventProfile, 0, math.MaxUint64, func(offset uint64, count uint32) {
		if address := a.base + offset; address < from || address >= to {
			flush()
			row, from, to = a.rowAt(address)
		}
		samples += uint64(count)
	})
	flush()
	return err
}

// rowAt is the row of an address, and the addresses around that are of it too.
func (a *imageRows) rowAt(address uint64) (row *Row, from, to uint64) {
	if a.symbols.Len() == 0 {
		n := (address - a.base) / a.size
		if a.ranges == nil {
			a.ranges = map[uint64]*Row{}
		}
		from = a.base + n*a.size
		if row = a.ranges[n]; row == nil {
			row = a.row(RowRange, "", from, a.size, n)
			a.ranges[n] = row
		}
		return row, from, from + a.size
	}
	i, from, to := a.symbols.Span(address)
	if i < 0 {
		if a.outside == nil {
			a.outside = a.row(RowNone, "", 0, 0, 0)
		}
		return a.outside, from, to
	}
	if a.byIndex == nil {
		a.byIndex = make([]*Row, a.symbols.Len())
	}
	if a.byIndex[i] == nil {
		s, end := a.symbols.At(i)
		size := uint64(0)
		if end != math.MaxUint64 {
			size = end - s.Address
		}
		a.byIndex[i] = a.row(RowProcedure, s.Name, s.Address, size, 0)
	}
	return a.byIndex[i], from, to
}

func (a *imageRows) row(kind RowKind, name string, address, size, n uint64) *Row {
	r := &Row{
		Kind: kind, Name: name, Image: a.image, In: a.in, Address: address, Size: size, Cells: make([]Cell, a.columns),
		key: rowKey{kind, name, n},
	}
	if kind != RowNone {
		r.At = &r.Address
	}
	return r
}

// finish lists the rows by address, that of no procedure last. It tells procedures
// of the same name apart by their order in the image, whether they have samples or
// not.
func (a *imageRows) finish() []*Row {
	var rows []*Row
	seen := map[string]uint64{}
	for i, row := range a.byIndex {
		s, _ := a.symbols.At(i)
		if row != nil {
			row.key.n = seen[s.Name]
			rows = append(rows, row)
		}
		seen[s.Name]++
	}
	for _, row := range a.ranges {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(x, y *Row) int { return cmp.Compare(x.Address, y.Address) })
	if a.outside != nil {
		rows = append(rows, a.outside)
	}
	return rows
}
