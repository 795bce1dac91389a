package store

import (
	"context"
	"math"
	"slices"
	"strings"

	"proflens/analyze"
)

// procedureRows are the procedures that a plan has samples of, by image and
// address.
func (p *Profile) procedureRows(ctx context.Context, plan *dcpiPlan, size uint64, shift int64) ([]*DCPIRow, error) {
	if size == 0 {
		size = DefaultDCPIRange
	}
	v, err := p.cached(ctx, cacheWords("dcpi procedures", plan.key, size), func() (any, int64, error) {
		var rows []*DCPIRow
		groups := map[string]int{} // by id: such images are combined by procedure
		var err error
		plan.byImage(func(image int, profiles []plannedProfile) bool {
			var symbols *analyze.ProcedureMap
			if symbols, err = p.procedures(ctx, plan.o, image, shift); err != nil {
				return false
			}
			var bytes uint64
			if bytes, err = p.rangeSize(profiles, size); err != nil {
				return false
			}
			a := &imageRows{columns: len(plan.columns), image: image, base: plan.o.Images[image].Base, symbols: symbols, size: bytes}
			for i := range profiles {
				if err = a.add(ctx, p, &profiles[i]); err != nil {
					return false
				}
			}
			id := strings.ToLower(plan.o.Images[image].ID)
			group, again := groups[id]
			if !again {
				group = len(groups)
				groups[id] = group
			}
			more := a.finish(group)
			if again {
				more = combine(rows, more)
			}
			rows = append(rows, more...)
			return true
		})
		return rows, int64(len(rows)) * int64(160+24*len(plan.columns)), err
	})
	if err != nil {
		return nil, err
	}
	return v.([]*DCPIRow), nil
}

// maxRanges bounds the ranges of one image.
const maxRanges = 1 << 20

// rangeSize is the size of a range, doubled until an image has few enough.
func (p *Profile) rangeSize(profiles []plannedProfile, size uint64) (uint64, error) {
	for i := range profiles {
		last, err := p.lastOffset(profiles[i].DCPIProfile)
		if err != nil {
			return 0, err
		}
		for last/size >= maxRanges {
			size *= 2
		}
	}
	return size, nil
}

// combine adds rows to those of the same group and key, and returns the others.
func combine(rows, more []*DCPIRow) []*DCPIRow {
	known := map[rowKey]*DCPIRow{}
	for _, row := range rows {
		if len(more) > 0 && row.group == more[0].group {
			known[row.key] = row
		}
	}
	return slices.DeleteFunc(more, func(row *DCPIRow) bool {
		same := known[row.key]
		if same != nil {
			for i := range row.Cells {
				same.Cells[i].Add(&row.Cells[i])
			}
		}
		return same != nil
	})
}

// imageRows adds up the samples of one image by procedure, or by range.
type imageRows struct {
	columns, image int
	base, size     uint64
	symbols        *analyze.ProcedureMap
	byIndex        []*DCPIRow          // procedures that have samples
	outside        *DCPIRow            // samples outside all procedures
	ranges         map[uint64]*DCPIRow // by number
}

// add adds the samples of a profile. Its offsets rise, so that a procedure is
// looked up once.
func (a *imageRows) add(ctx context.Context, p *Profile, f *plannedProfile) error {
	var row *DCPIRow
	samples, from, to := uint64(0), uint64(1), uint64(0) // of row: addresses [from, to)
	flush := func() {
		if row != nil {
			row.Cells[f.column].add(samples, &f.DCPIRate)
		}
		samples = 0
	}
	err := p.eachCount(ctx, f.DCPIProfile, 0, math.MaxUint64, func(offset uint64, count uint32) {
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
func (a *imageRows) rowAt(address uint64) (row *DCPIRow, from, to uint64) {
	if a.symbols.Len() == 0 {
		n := (address - a.base) / a.size
		if a.ranges == nil {
			a.ranges = map[uint64]*DCPIRow{}
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
		a.byIndex = make([]*DCPIRow, a.symbols.Len())
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

func (a *imageRows) row(kind DCPIRowKind, name string, address, size, n uint64) *DCPIRow {
	return &DCPIRow{Kind: kind, Name: name, Image: a.image, Address: address, Size: size,
		Cells: make([]DCPICell, a.columns), key: rowKey{kind, name, n}}
}

// finish lists the rows by address, that of no procedure last.
func (a *imageRows) finish(group int) []*DCPIRow {
	var rows []*DCPIRow
	for _, row := range a.byIndex {
		if row != nil {
			rows = append(rows, row)
		}
	}
	a.number()
	for _, row := range a.ranges {
		rows = append(rows, row)
	}
	slices.SortFunc(rows, func(x, y *DCPIRow) int { return -compareDown(x.Address, y.Address) })
	if a.outside != nil {
		rows = append(rows, a.outside)
	}
	for _, row := range rows {
		row.group = group
	}
	return rows
}

// number tells procedures of the same name apart by their order in the image,
// whether they have samples or not.
func (a *imageRows) number() {
	if a.byIndex == nil {
		return
	}
	seen := map[string]uint64{}
	for i, row := range a.byIndex {
		s, _ := a.symbols.At(i)
		n := seen[s.Name]
		seen[s.Name] = n + 1
		if row != nil {
			row.key.n = n
		}
	}
}
