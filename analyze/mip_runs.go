package analyze

import (
	"math/bits"

	"proflens/decode/mip"
)

// MIPRunFigures is what one run executed, and what the runs up to it did.
type MIPRunFigures struct {
	Functions     uint64   `col:"functions" width:"9" is:"sort,range" help:"executed"`
	Bytes         uint64   `col:"bytes" width:"12" is:"sort,range,bytes" help:"of these functions"`
	Blocks        uint64   `col:"blocks" width:"9" is:"sort,range" help:"executed, entry blocks included"`
	OnlyFunctions uint64   `col:"only_functions" width:"14" is:"sort,range" help:"that no other run executed"`
	OnlyBytes     uint64   `col:"only_bytes" width:"12" is:"sort,range,bytes"`
	_             struct{} `help:"of functions that no other run executed"`
	SumFunctions  uint64   `col:"sum_functions" width:"13" is:"sort,range" help:"executed by this run and those before it"`
	SumBytes      uint64   `col:"sum_bytes" width:"12" is:"sort,range,bytes"`
	_             struct{} `help:"of functions executed by this run and those before it"`
	SumBlocks     uint64   `col:"sum_blocks" width:"10" is:"sort,range" help:"executed by this run and those before it"`
}

// MIPRunsOf tells what each run adds, in the order given.
func MIPRunsOf(m *mip.Profile) []MIPRunFigures {
	figures := make([]MIPRunFigures, len(m.Runs))
	once, twice := mip.NewBits(len(m.Functions)), mip.NewBits(len(m.Functions))
	for i := range m.Runs {
		for w, word := range m.Runs[i].Executed {
			twice[w] |= once[w] & word
			once[w] |= word
		}
	}
	sum, blocks := mip.NewBits(len(m.Functions)), mip.NewBits(m.Blocks)
	var total MIPRunFigures
	for i := range m.Runs {
		f, run := &figures[i], &m.Runs[i]
		for w, word := range run.Executed {
			f.Functions += uint64(bits.OnesCount64(word))
			for rest := word; rest != 0; rest &= rest - 1 {
				at := 64*w + bits.TrailingZeros64(rest)
				size := uint64(m.Functions[at].Size)
				f.Bytes += size
				if !sum.Has(at) {
					total.SumFunctions++
					total.SumBytes += size
					total.SumBlocks++
				}
				if !twice.Has(at) {
					f.OnlyFunctions++
					f.OnlyBytes += size
				}
			}
			sum[w] |= word
		}
		f.Blocks = f.Functions
		for w, word := range run.Blocks {
			f.Blocks += uint64(bits.OnesCount64(word))
			total.SumBlocks += uint64(bits.OnesCount64(word &^ blocks[w]))
			blocks[w] |= word
		}
		f.SumFunctions, f.SumBytes, f.SumBlocks = total.SumFunctions, total.SumBytes, total.SumBlocks
	}
	return figures
}
