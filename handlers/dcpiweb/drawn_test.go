package dcpiweb

import (
	"math"
	"slices"
	"strings"
	"testing"

	"proflens/decode/dcpi"
	"proflens/handlers/site"
	"proflens/profile/dcpidb"
)

// drawn is a page of a database of one image at 0x10000, which has a count for every byte.
func drawn(address string) *dcpiPage {
	d := &dcpiPage{base: "/p/x", address: site.NewAddress("/p/x/heat"), db: &dcpidb.Overview{
		Images:   []dcpidb.Image{{Image: dcpi.Image{Label: "app", Base: 0x10000}}},
		Profiles: []dcpidb.EventProfile{{Stride: 0}, {Image: 1, Stride: 2}, {Stride: 4}},
	}}
	for _, pair := range strings.Fields(address) {
		key, value, _ := strings.Cut(pair, "=")
		d.address = d.address.With(key, value)
	}
	return d
}

// Cells are as small as fit into a picture, and a cell is taken apart into pages, cache lines and instructions.
func TestSizesOfCells(t *testing.T) {
	for ask, want := range map[[2]uint64]uint64{
		{0, 1}: 64, {65535, 1024}: 64, {65536, 1024}: 128, {131072, 1024}: 256, {math.MaxUint64, 1}: 1 << 62,
	} {
		if got := fittingCell(ask[0], ask[1]); got != want {
			t.Errorf("%d bytes in fewer than %d cells: %d, want %d", ask[0], ask[1], got, want)
		}
	}
	for ask, want := range map[[2]uint64]uint64{
		{8 << 20, 4}: 8192, {16 << 20, 4}: 16384, {16384, 4}: 8192, {8192, 4}: 64, {65, 4}: 64, {64, 4}: 4, {4, 4}: 0,
		{4, 1}: 1,
	} {
		if got := finerCell(ask[0], ask[1]); got != want {
			t.Errorf("finer than %d, down to %d: %d, want %d", ask[0], ask[1], got, want)
		}
	}
	d := drawn("")
	if a, b := d.stride(0), d.stride(1); a != 4 || b != 2 {
		t.Errorf("counts are %d and %d bytes apart", a, b)
	}
	if got := []uint64{rounded(1.5), rounded(2), rounded(math.MaxInt64), rounded(math.MaxUint64)}; !slices.Equal(got,
		[]uint64{2, 2, math.MaxInt64, math.MaxInt64}) {
		t.Errorf("rounded: %d", got)
	}
}

// Figures are whole up to 2^63, and seconds have four digits.
func TestFiguresOfSamples(t *testing.T) {
	for want, v := range map[string]float64{"1": 1.4, "-2": -2, "9.22337e+18": 1 << 63, "-9.22337e+18": -1 << 63} {
		if got := dcpiNumber(v, dcpidb.UnitEvents); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
	got := []string{dcpiNumber(1.23456, dcpidb.UnitSeconds), signed(3, dcpidb.UnitEvents), signed(-3, dcpidb.UnitEvents),
		signed(0, dcpidb.UnitEvents)}
	if !slices.Equal(got, []string{"1.235", "+3", "−3", "0"}) {
		t.Errorf("%q", got)
	}
}

// The crumbs of a part lead to the whole, its page and the parts around it; cells can be those of an
// instruction, a cache line, a page, and those that fit.
func TestWaysOutOfAHeatMap(t *testing.T) {
	for _, c := range []struct {
		query                 dcpidb.HeatQuery
		cells                 int
		extent                uint64
		asked, crumbs, choice string
	}{
		{dcpidb.HeatQuery{Cell: 64}, 128, 8192, "", "app=", "4=1024 *64=128 8192=1"},
		{dcpidb.HeatQuery{Cell: 64}, 0, 0, "", "app=", "4=1 *64=1 8192=1"},
		{dcpidb.HeatQuery{Cell: 64}, 0, 9, "", "app=/p/x/heat | 0x10000–0x10000=", "4=3 *64=1 8192=1"},
		{dcpidb.HeatQuery{Cell: 64, Cells: 16}, 16, 8192, "from=0x10000 cells=16",
			"app=/p/x/heat | 0x10000–0x103ff= | after=/p/x/heat?cells=16&from=0x10400", "4=256 *64=16 8192=1"},
		{dcpidb.HeatQuery{Cell: 64, Cells: 16, From: 1024}, 16, 2048, "cells=16",
			"app=/p/x/heat | 0x10400–0x107ff= | before=/p/x/heat?cells=16&from=0x10000", "4=256 *64=16 8192=1"},
		{dcpidb.HeatQuery{Cell: 4, Cells: 16, From: 8256}, 16, 16384, "", "app=/p/x/heat | page " +
			"0x12000=/p/x/heat?cell=64&cells=128&from=0x12000 | 0x12040–0x1207f= | before=/p/x/heat?from=0x12000 | " +
			"after=/p/x/heat?from=0x12080", "*4=1024 64=127 8192=1"},
		{dcpidb.HeatQuery{Cell: 4, Cells: 2048, From: 8192}, 2048, 16384, "", "app=/p/x/heat | 0x12000–0x13fff= | " +
			"before=/p/x/heat?from=0x10000", "*4=1024 64=128 8192=1"},
		{dcpidb.HeatQuery{Cell: 4, Cells: 4, From: 16}, 4, 8192, "", "app=/p/x/heat | 0x10010–0x1001f= | " +
			"before=/p/x/heat?from=0x10000 | after=/p/x/heat?from=0x10020", "*4=1024 64=128 8192=1"},
		{dcpidb.HeatQuery{Cell: 8, Cells: 4, From: 4}, 4, 1 << 20, "", "app=/p/x/heat | page " +
			"0x10000=/p/x/heat?cell=64&cells=128&from=0x10000 | 0x10004–0x10023= | before=/p/x/heat?from=0x10000 | " +
			"after=/p/x/heat?from=0x10024", "4=1024 64=1024 1024=1024 8192=128"},
	} {
		d := drawn(c.asked)
		heat := &dcpidb.Heat{Cells: make([]dcpidb.HeatCell, c.cells), Extent: c.extent}
		var crumbs, choice []string
		for _, link := range d.heatCrumbs(heat, &c.query) {
			crumbs = append(crumbs, link.Label+"="+link.URL)
		}
		for _, s := range d.cellSwitch(heat, &c.query)[0].Segments {
			_, query, _ := strings.Cut(s.URL, "cell=")
			query, _, _ = strings.Cut(strings.Replace(query, "&cells", "", 1), "&")
			choice = append(choice, map[bool]string{true: "*"}[s.Current]+query)
		}
		if got := strings.Join(crumbs, " | "); got != c.crumbs {
			t.Errorf("%+v: %q, want %q", c.query, got, c.crumbs)
		}
		if got := strings.Join(choice, " "); got != c.choice {
			t.Errorf("%+v: cells are chosen by %q, want %q", c.query, got, c.choice)
		}
	}
}

// A band is as wide as its procedure in a row, with as much of the name as fits, and is there again where the
// procedure goes on in the next; of short stretches there are none.
func TestBandsOfProcedures(t *testing.T) {
	d, cells := drawn(""), make([]dcpidb.HeatCell, 36)
	a, b := &dcpidb.CellProcedure{Name: "long_name_of_a", Address: 16}, &dcpidb.CellProcedure{Name: "b", Address: 32}
	for i := range cells {
		switch {
		case i < 18, i == 35:
			cells[i].Procedure = a
		case i < 20 || i > 20 && i < 24:
			cells[i].Procedure = b
		}
	}
	bands := procedureBands(cells, 16)
	var got []string
	for _, band := range d.drawBands(bands, &dcpidb.HeatQuery{}, 16, 3, 14) {
		got = append(got, strings.Join([]string{band.X, band.Width, band.Y, band.Height, band.Name}, " ")+
			map[bool]string{true: " again"}[band.Again])
	}
	if want := []string{
		"0.00% 99.38% 0.00% 9.52% long_name_of_a", "0.00% 11.88% 33.33% 9.52% long_name_of_a again",
		"12.50% 11.88% 33.33% 9.52% b", "31.25% 18.12% 33.33% 9.52% b", "18.75% 5.62% 66.67% 9.52% long_name…",
	}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if procedureBands(cells[15:21], 16) != nil || procedureBands(cells[14:21], 16) == nil {
		t.Error("bands are of three cells at least")
	}
	if n := d.drawBands([]band{{0, 1, a}}, &dcpidb.HeatQuery{}, 40, 1, 14); n[0].Name != "" {
		t.Errorf("four characters are written: %q", n[0].Name)
	}
	if n := d.drawBands([]band{{0, 1, a}}, &dcpidb.HeatQuery{}, 32, 1, 14); n[0].Name != "long…" {
		t.Errorf("of five characters there is %q", n[0].Name)
	}
}

// Epochs and hosts can be columns where there are two of either.
func TestSwitchesOfColumns(t *testing.T) {
	for _, c := range []struct {
		epochs, hosts int
		by            bool
		want          int
	}{{1, 1, true, 1}, {2, 1, true, 2}, {1, 2, true, 2}, {2, 2, true, 2}, {2, 2, false, 1}} {
		d := drawn("")
		d.db.Epochs, d.db.Platforms = make([]string, c.epochs), make([]string, c.hosts)
		if got := d.switches(c.by); len(got) != c.want {
			t.Errorf("%+v: %d switches", c, len(got))
		}
	}
}
