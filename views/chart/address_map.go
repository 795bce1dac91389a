package chart

import (
	"fmt"
	"math"
	"strings"

	"proflens/internal/humanize"
)

// AddressMap shows where functions are linked against when they first run: across
// the place in the start-up order, down the address. Each cell of the grid is as
// hot as it has bytes of functions.
type AddressMap struct {
	Columns, Rows int
	Cells         []AddressCells
	Label         string // the picture in a sentence
	First, Last   string // addresses at the top and at the bottom
	Places        string // of the last function
	Legend        HeatLegend
}

// AddressCells is the cells of one step of heat, as a path.
type AddressCells struct {
	Step int
	D    string
}

// The grid of an address map.
const (
	addressColumns = 160
	addressRows    = 64
)

// NewAddressMap draws functions, in order, by their addresses and sizes in bytes,
// in a window of addresses from low to high. It returns nil for none.
func NewAddressMap(addresses []int64, sizes []uint32, low, high int64, write func(int64) string) *AddressMap {
	n := len(addresses)
	if n == 0 || high <= low {
		return nil
	}
	m := &AddressMap{
		Columns: min(n, addressColumns), Rows: addressRows, First: write(low), Last: write(high), Places: humanize.Int(n),
	}
	grid := make([]uint64, m.Columns*m.Rows)
	var largest uint64
	for i, address := range addresses {
		part := (float64(address) - float64(low)) / (float64(high) - float64(low))
		row := min(max(int(part*float64(m.Rows)), 0), m.Rows-1)
		cell := &grid[row*m.Columns+int(int64(i)*int64(m.Columns)/int64(n))]
		*cell += uint64(sizes[i])
		largest = max(largest, *cell)
	}
	paths := [HeatSteps]strings.Builder{}
	used := 0
	for at, bytes := range grid {
		if bytes == 0 {
			continue
		}
		used++
		step := 1 + int(7*math.Sqrt(float64(bytes)/float64(largest)))
		fmt.Fprintf(&paths[step], "M%d %dh1v1h-1z", at%m.Columns, at/m.Columns)
	}
	for step := range paths {
		if paths[step].Len() > 0 {
			m.Cells = append(m.Cells, AddressCells{Step: step, D: paths[step].String()})
		}
	}
	m.Label = humanize.Say("{function} in start-up order from left to right, by link address from top to bottom: {%0} "+
		"of the grid has some", n, float64(used)/float64(len(grid)))
	m.Legend = HeatLegend{Low: "1 byte", High: humanize.Bytes(largest).Text + " a cell"}
	return m
}
