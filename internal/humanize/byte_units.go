package humanize

import "strings"

// Unit is a word behind a number, and how much one of it is.
type Unit struct {
	Word string
	Size float64
}

// ByteUnits are the units of sizes, the longest first.
var ByteUnits = []Unit{
	{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6},
	{"kB", 1e3}, {"KB", 1e3}, {"bytes", 1}, {"B", 1},
}

// CutUnit is a number without the first of these units that stands behind it, and the size of that; 1 where none does.
func CutUnit(text string, units []Unit) (number string, size float64) {
	for _, u := range units {
		if number, ok := strings.CutSuffix(text, u.Word); ok {
			return strings.TrimSpace(number), u.Size
		}
	}
	return text, 1
}
