package dcpidb

import (
	"cmp"
	"context"
	"math"
	"slices"

	"proflens/profile/query"
	"proflens/profile/stored"
)

// matrix is the counts of a plan by image and offset. An address is a run of
// counts: those from starts[i] to starts[i+1].
type matrix struct {
	o      *Overview
	column []int // of each profile
	starts []uint32
	counts []addressCount
}

// addressCount is what one profile counted at one offset.
type addressCount struct {
	offset  uint64
	profile uint32 // in Overview.Profiles
	count   uint32
}

// len is how many addresses there are.
func (m *matrix) len() int { return len(m.starts) - 1 }

// place is the image of address i, the offset in it, and the address.
func (m *matrix) place(i uint32) (image int, offset, address uint64) {
	c := &m.counts[m.starts[i]]
	image = m.o.Profiles[c.profile].Image
	return image, c.offset, m.o.Images[image].Base + c.offset
}

// add adds the counts of address i to cells, by column.
func (m *matrix) add(i uint32, cells []Cell) {
	for _, c := range m.counts[m.starts[i]:m.starts[i+1]] {
		cells[m.column[c.profile]].add(uint64(c.count), &m.o.Profiles[c.profile].DCPIRate)
	}
}

// cell is one column of address i.
func (m *matrix) cell(i uint32, column int) (cell Cell) {
	for _, c := range m.counts[m.starts[i]:m.starts[i+1]] {
		if m.column[c.profile] == column {
			cell.add(uint64(c.count), &m.o.Profiles[c.profile].DCPIRate)
		}
	}
	return cell
}

// maxCounts is how many counts a matrix can hold: ids are 31 bits.
const maxCounts = 1<<31 - 1

// matrix reads the counts of a plan.
func (p *Profile) matrix(ctx context.Context, plan *plan) (*matrix, error) {
	return stored.Cached(ctx, p.Profile, query.CacheKey("dcpi matrix", plan.key), func() (*matrix, int64, error) {
		m := &matrix{o: p.Overview, column: make([]int, len(p.Overview.Profiles))}
		total := uint64(0)
		for i := range plan.profiles {
			total += plan.profiles[i].Nonzero
		}
		if total > maxCounts {
			return nil, 0, stored.Damaged("%d addresses of samples", total)
		}
		m.counts = make([]addressCount, 0, total)
		for _, profiles := range plan.byImage {
			from := len(m.counts)
			for _, f := range profiles {
				m.column[f.index] = f.column
				err := p.eachCount(ctx, f.EventProfile, 0, math.MaxUint64, func(offset uint64, count uint32) {
					m.counts = append(m.counts, addressCount{offset, uint32(f.index), count})
				})
				if err != nil {
					return nil, 0, err
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
		}
		m.starts = append(m.starts, uint32(len(m.counts)))
		return m, int64(len(m.counts))*16 + int64(len(m.starts))*4, nil
	})
}
