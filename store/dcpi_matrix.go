package store

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// dcpiMatrix is the counts of a plan by image and offset. An address is a run
// of counts: those from starts[i] to starts[i+1].
type dcpiMatrix struct {
	plan   *dcpiPlan
	column []int32 // of each profile of the overview
	starts []uint32
	counts []addressCount
}

// addressCount is what one profile counted at one offset.
type addressCount struct {
	offset  uint64
	profile uint32 // in DCPIOverview.Profiles
	count   uint32
}

// len is how many addresses there are.
func (m *dcpiMatrix) len() int { return len(m.starts) - 1 }

// at is the counts of address i.
func (m *dcpiMatrix) at(i uint32) []addressCount { return m.counts[m.starts[i]:m.starts[i+1]] }

// place is the image and the offset of address i.
func (m *dcpiMatrix) place(i uint32) (image int, offset uint64) {
	c := &m.counts[m.starts[i]]
	return m.plan.o.Profiles[c.profile].Image, c.offset
}

// cells are the columns of address i.
func (m *dcpiMatrix) cells(i uint32) []DCPICell {
	cells := make([]DCPICell, len(m.plan.columns))
	for _, c := range m.at(i) {
		cells[m.column[c.profile]].add(uint64(c.count), &m.plan.o.Profiles[c.profile].DCPIRate)
	}
	return cells
}

// value is one column of address i as a number that orders as it does.
func (m *dcpiMatrix) value(i uint32, column int) uint64 {
	var cell DCPICell
	for _, c := range m.at(i) {
		if int(m.column[c.profile]) == column {
			cell.add(uint64(c.count), &m.plan.o.Profiles[c.profile].DCPIRate)
		}
	}
	if unit := m.plan.columns[column].Unit; unit != UnitSamples {
		return math.Float64bits(cell.Value(unit)) // never negative
	}
	return cell.Samples
}

// matrix reads the counts of a plan.
func (p *Profile) matrix(ctx context.Context, plan *dcpiPlan) (*dcpiMatrix, error) {
	v, err := p.cached(ctx, cacheWords("dcpi matrix", plan.key), func() (any, int64, error) {
		m := &dcpiMatrix{plan: plan, column: make([]int32, len(plan.o.Profiles))}
		total := uint64(0)
		for i := range plan.profiles {
			total += plan.profiles[i].Nonzero
		}
		if total > maxRecords {
			return nil, 0, errOr(nil, "%d addresses of samples", total)
		}
		m.counts = make([]addressCount, 0, total)
		var err error
		plan.byImage(func(_ int, profiles []plannedProfile) bool {
			from := len(m.counts)
			for i := range profiles {
				f := &profiles[i]
				m.column[f.index] = int32(f.column)
				err = p.eachCount(ctx, f.DCPIProfile, 0, math.MaxUint64, func(offset uint64, count uint32) {
					m.counts = append(m.counts, addressCount{offset, uint32(f.index), count})
				})
				if err != nil {
					return false
				}
			}
			if len(profiles) > 1 {
				slices.SortStableFunc(m.counts[from:], func(a, b addressCount) int { return cmp.Compare(a.offset, b.offset) })
			}
			for i := from; i < len(m.counts); i++ {
				if i == from || m.counts[i].offset != m.counts[i-1].offset {
					m.starts = append(m.starts, uint32(i))
				}
			}
			return true
		})
		m.starts = append(m.starts, uint32(len(m.counts)))
		return m, int64(len(m.counts))*16 + int64(len(m.starts))*4, err
	})
	if err != nil {
		return nil, err
	}
	return v.(*dcpiMatrix), nil
}
