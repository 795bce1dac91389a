package tables

import (
	"testing"

	"proflens/profile/dcpidb"
	"proflens/profile/table"
)

// Figures are exact where they are whole, however large, and never in exponents.
func TestDCPIFigures(t *testing.T) {
	for _, test := range []struct {
		value float64
		unit  dcpidb.Unit
		want  string
	}{
		{3, dcpidb.UnitSamples, "3"}, {2.5, dcpidb.UnitSamples, "2.5"}, {1e18, dcpidb.UnitSamples, "1000000000000000000"},
		{1e21, dcpidb.UnitEvents, "1000000000000000000000"},
		{63488.4, dcpidb.UnitEvents, "63488"}, {0.25, dcpidb.UnitSeconds, "0.25"}, {-7, dcpidb.UnitSamples, "-7"},
	} {
		if got := string(table.AppendCell(nil, (&dcpidb.Amount{Of: test.value, Unit: test.unit}).Cell("", nil),
			false)); got != test.want {
			t.Errorf("%g %s is %s", test.value, test.unit, got)
		}
	}
}
