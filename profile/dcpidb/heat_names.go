package dcpidb

import (
	"context"

	"proflens/analyze"
)

// CellProcedure is the procedure that a cell is of: that with the most samples in it, or
// without any, that at its start.
type CellProcedure struct {
	Name    string
	Address uint64 // where it starts
	Inside  uint64 // bytes from there to the cell, or to its first sample where it starts in it
	Others  int    // procedures that have samples in the cell as well
}

// heatNames finds the procedures of cells while their samples are added up.
type heatNames struct {
	symbols *analyze.ProcedureMap
	base    uint64
	samples map[cellSymbol]*symbolSamples
}

type cellSymbol struct{ cell, symbol int }

type symbolSamples struct {
	main, all uint64 // of the first column, and of all
	first     uint64 // address of the first sample
}

func (p *Profile) newHeatNames(ctx context.Context, image int, shift int64) (*heatNames, error) {
	symbols, err := p.procedures(ctx, image, shift)
	if err != nil || symbols.Len() == 0 {
		return nil, err
	}
	return &heatNames{symbols, p.Overview.Images[image].Base, map[cellSymbol]*symbolSamples{}}, nil
}

// counter adds the samples of a profile by rising offset, so that a procedure is looked
// up once. It is that of no names where n is nil.
func (n *heatNames) counter(column int) func(cell int, offset uint64, count uint32) {
	if n == nil {
		return func(int, uint64, uint32) {}
	}
	symbol, from, to := -1, uint64(1), uint64(0)
	return func(cell int, offset uint64, count uint32) {
		address := n.base + offset
		if address < from || address >= to {
			symbol, from, to = n.symbols.Span(address)
		}
		if symbol < 0 {
			return
		}
		at := n.samples[cellSymbol{cell, symbol}]
		if at == nil {
			at = &symbolSamples{first: address}
			n.samples[cellSymbol{cell, symbol}] = at
		}
		if at.all += uint64(count); column == 0 {
			at.main += uint64(count)
		}
		at.first = min(at.first, address)
	}
}

// name gives every cell its procedure.
func (n *heatNames) name(h *Heat) {
	if n == nil {
		return
	}
	best := map[int]*symbolSamples{}
	for key, s := range n.samples {
		c, b := &h.Cells[key.cell], best[key.cell]
		if b != nil {
			c.Procedure.Others++
		}
		if b == nil || s.main > b.main || s.main == b.main && (s.all > b.all || s.all == b.all && s.first < b.first) {
			others := 0
			if b != nil {
				others = c.Procedure.Others
			}
			best[key.cell] = s
			c.Procedure = n.at(key.symbol, n.base+c.Offset, s.first)
			c.Procedure.Others = others
		}
	}
	for i := range h.Cells {
		c := &h.Cells[i]
		if symbol, ok := n.symbols.Find(n.base + c.Offset); ok && c.Procedure == nil {
			c.Procedure = n.at(symbol, n.base+c.Offset, n.base+c.Offset)
		}
	}
}

func (n *heatNames) at(symbol int, cell, first uint64) *CellProcedure {
	s, _ := n.symbols.At(symbol)
	at := cell
	if s.Address > cell {
		at = first
	}
	return &CellProcedure{Name: s.Name, Address: s.Address, Inside: at - s.Address}
}
