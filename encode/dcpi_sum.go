package encode

import (
	"iter"
	"maps"
	"slices"

	"proflens/decode/dcpi"
)

// addressRow is an address and what each of several profiles counted there.
type addressRow struct {
	address uint64
	counts  []uint64
}

// catRows puts profiles of one image side by side: every address where one of
// them counted something, by rising address.
func catRows(profiles []dcpi.Profile) iter.Seq[addressRow] {
	rows := map[uint64][]uint64{}
	for column := range profiles {
		p := &profiles[column]
		for chunk := range p.Each {
			for i, n := range chunk.Counts {
				if n == 0 {
					continue
				}
				address := p.TextStart + chunk.Offset + p.Stride*uint64(i)
				if rows[address] == nil {
					rows[address] = make([]uint64, len(profiles))
				}
				rows[address][column] += uint64(n)
			}
		}
	}
	return func(yield func(addressRow) bool) {
		for _, address := range slices.Sorted(maps.Keys(rows)) {
			if !yield(addressRow{address, rows[address]}) {
				return
			}
		}
	}
}

// sumCounts adds up what profiles of one image, event and period counted, by
// offset in the text.
func sumCounts(profiles []*dcpi.Profile) map[uint64]uint64 {
	sum := map[uint64]uint64{}
	for _, p := range profiles {
		for chunk := range p.Each {
			for i, n := range chunk.Counts {
				if n > 0 {
					sum[chunk.Offset+p.Stride*uint64(i)] += uint64(n)
				}
			}
		}
	}
	return sum
}
