package dcpidb_test

import (
	"cmp"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/dcpi"
	"proflens/profile/dcpidb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

// sample is one count of a made-up database.
type sample struct {
	image              int
	event, epoch, host string
	rate               analyze.DCPIRate
	offset             uint64
	count              uint32
}

// made is a database that holds what makes a difference: images of one id, of one label, with
// procedures, of one name among them, and without; periods and speeds that differ; one is unknown.
func made(seed uint64) (*dcpi.Database, []sample) {
	d := &dcpi.Database{
		Images: []dcpi.Image{
			{ID: "aa", Label: "app", HasTextStart: true, TextStart: 0x1000, Base: 0x1000, TextSize: 0x600, Listing: 0},
			{ID: "AA", Label: "app", HasTextStart: true, TextStart: 0x9000, Base: 0x9000, TextSize: 0x600, Listing: 1},
			{ID: "bb", Label: "lib", HasTextStart: true, TextStart: 0x2100, Base: 0x2100, Listing: -1},
			{ID: "cc", Label: "app", Base: 0x5000, TextSize: 0x600, Listing: 2},
			{ID: "dd", Label: "idle", Listing: -1},
		},
	}
	for i, base := range []uint64{0x1000, 0x9000, 0x5000} {
		d.Listings = append(d.Listings, dcpi.Listing{File: "nm", Procedures: []dcpi.Procedure{
			{Address: base + 0x40, Size: 0x100, Name: "main"}, {Address: base + 0x200, Name: "same"},
			{Address: base + 0x300, Size: 0x40, Name: "same"}, {Address: base + 0x400, Name: "tail"},
		}})
		if i == 0 {
			d.Listings[i].Line = func(a uint64) (string, uint32, bool) {
				return []string{"a.c", "b.c"}[a>>6&1], uint32(a-base)/128 + 1, a < base+0x500
			}
		}
	}
	r := rand.New(rand.NewPCG(seed, 1))
	var samples []sample
	for image := range 4 {
		for _, event := range []string{"branchmp", "cycles", "imiss"} {
			for n, epoch := range []string{"1997-11-04T09:00:00Z", "1997-11-05T09:00:00Z", "1997-11-06T09:00:00Z"} {
				for _, host := range []string{"h1", "h2"} {
					if r.IntN(3) == 0 {
						continue
					}
					p := dcpi.Profile{
						Header: dcpi.Header{Start: epoch, Epoch: epoch, Platform: host, Event: event, Period: 1000, Fraction: 10_000},
						File:   "f", ImageIndex: image, Stride: 4, Chunks: 1,
					}
					if event == "imiss" && n == 0 {
						p.Period, p.Fraction = 4000, 5000
					}
					if host == "h1" {
						p.CPUSpeed = 500
					}
					chunk := dcpi.Chunk{Counts: make([]uint32, 0x600/4)}
					p.Addresses = uint64(len(chunk.Counts))
					for i := range chunk.Counts {
						if r.IntN(8) > 0 || i == 0 && image == 0 {
							continue
						}
						count := uint32(r.IntN(40) + 1)
						chunk.Counts[i] = count
						p.Nonzero, p.Samples = p.Nonzero+1, p.Samples+uint64(count)
						samples = append(samples, sample{image, event, epoch, host, analyze.DCPIRate{
							Period: p.Period, Fraction: p.Fraction, CPUSpeed: p.CPUSpeed,
						}, uint64(i) * 4, count})
					}
					p.Each = func(yield func(dcpi.Chunk) bool) { yield(chunk) }
					d.Files = append(d.Files, dcpi.File{Name: "f", Profiles: []dcpi.Profile{p}})
				}
			}
		}
	}
	return d, samples
}

func (s *sample) of(by dcpidb.Dimension) string {
	return map[dcpidb.Dimension]string{dcpidb.ByEvent: s.event, dcpidb.ByEpoch: s.epoch, dcpidb.ByPlatform: s.host}[by]
}

func (s *sample) cell() dcpidb.Cell {
	seconds, _ := s.rate.Seconds(uint64(s.count))
	return dcpidb.Cell{Samples: uint64(s.count), Events: s.rate.Events(uint64(s.count)), Seconds: seconds}
}

// procedure is the one that covers an address, as a person reads a listing.
func procedure(d *dcpi.Database, s *sample) (p *dcpi.Procedure, nth int) {
	image := &d.Images[s.image]
	if image.Listing < 0 {
		return nil, 0
	}
	list, address := d.Listings[image.Listing].Procedures, image.Base+s.offset
	for i := range list {
		end := image.Base + image.TextSize
		if i+1 < len(list) {
			end = list[i+1].Address
		}
		if list[i].Size > 0 {
			end = list[i].Address + list[i].Size
		}
		if address >= list[i].Address && address < end {
			for n := range i {
				if list[n].Name == list[i].Name {
					nth++
				}
			}
			return &list[i], nth
		}
	}
	return nil, 0
}

// plainly are samples added up: cells by key and by column.
type plainly map[any]map[string]dcpidb.Cell

func (p plainly) add(key any, column string, s *sample) {
	if p[key] == nil {
		p[key] = map[string]dcpidb.Cell{}
	}
	cell, more := p[key][column], s.cell()
	cell.Add(&more)
	p[key][column] = cell
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b), 1) }

// check fails unless the rows are those that were added up plainly.
func (p plainly) check(t *testing.T, what string, columns []dcpidb.Column, rows int,
	row func(i int) (any, []dcpidb.Cell)) {
	t.Helper()
	if rows != len(p) {
		t.Errorf("%s: %d rows, not %d", what, rows, len(p))
	}
	for i := range rows {
		key, cells := row(i)
		for c := range columns {
			got, want := cells[c], p[key][columns[c].Name]
			if got.Samples != want.Samples || !near(got.Events, want.Events) || !near(got.Seconds, want.Seconds) {
				t.Fatalf("%s: %v has %+v of %s, not %+v", what, key, got, columns[c].Name, want)
			}
		}
	}
}

// selections are what the tables are tried with.
var selections = []dcpidb.Selection{
	{}, {Events: []string{"imiss"}}, {Epochs: []string{"1997-11-05T09:00:00Z", "1997-11-06T09:00:00Z"}},
	{Platforms: []string{"h2"}, Images: []int{0, 2}}, {Images: []int{1}},
}

// Every table says what its samples come to when they are added up one by one, whatever is
// selected; is ordered by what it shows; and its shares are those of the first column that orders.
func TestTablesAreWhatSamplesAddUpTo(t *testing.T) {
	d, samples := made(1)
	p, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d)))
	if err != nil {
		t.Fatal(err)
	}
	type at struct {
		image  int
		offset uint64
	}
	type named struct {
		image, name string
		n           uint64
	}
	for _, s := range selections {
		for n, by := range dcpidb.Dimensions {
			s.By, s.Unit = by, dcpidb.Units[n]
			event := "cycles"
			if len(s.Events) > 0 {
				event = s.Events[0]
			}
			whole, addresses, procedures := plainly{}, plainly{}, plainly{}
			totals := map[dcpidb.TotalOf]plainly{dcpidb.OfImage: {}, dcpidb.OfEpoch: {}, dcpidb.OfPlatform: {}}
			rates := map[string]map[analyze.DCPIRate]bool{}
			for i := range samples {
				one := &samples[i]
				in := func(list []string, word string) bool { return len(list) == 0 || slices.Contains(list, word) }
				if !in(s.Events, one.event) || !in(s.Epochs, one.epoch) || !in(s.Platforms, one.host) ||
					len(s.Images) > 0 && !slices.Contains(s.Images, one.image) || by != dcpidb.ByEvent && one.event != event {
					continue
				}
				column := one.of(by)
				whole.add("", column, one)
				if rates[column] == nil {
					rates[column] = map[analyze.DCPIRate]bool{}
				}
				rates[column][analyze.DCPIRate{Period: one.rate.Period, Fraction: one.rate.Fraction}] = true
				addresses.add(at{one.image, one.offset}, column, one)
				id := strings.ToLower(d.Images[one.image].ID)
				if of, nth := procedure(d, one); of != nil {
					procedures.add(named{id, of.Name, uint64(nth)}, column, one)
				} else if d.Images[one.image].Listing < 0 {
					procedures.add(named{id, "", 1 + one.offset/dcpidb.DefaultRange}, column, one)
				} else {
					procedures.add(named{id, "", 0}, column, one)
				}
				totals[dcpidb.OfImage].add(one.image, column, one)
				totals[dcpidb.OfEpoch].add(one.epoch, column, one)
				totals[dcpidb.OfPlatform].add(one.host, column, one)
			}
			columns, hidden := p.Columns(s)
			if len(columns) != len(whole[""]) || hidden != 0 || by == dcpidb.ByEvent && columns[0].Name != event {
				t.Fatalf("%+v: columns are %+v", s, columns)
			}
			for _, c := range columns {
				unit := s.Unit
				timeless := unit == dcpidb.UnitSeconds && (c.Event != "cycles" || whole[""][c.Name].Seconds == 0)
				if unit == dcpidb.UnitSamples && len(rates[c.Name]) > 1 {
					unit = dcpidb.UnitEvents
				}
				if c.Unit != unit || c.NoTime != timeless || by != dcpidb.ByEvent && c.Event != event {
					t.Errorf("%+v: %+v, expected %s", s, c, unit)
				}
			}
			whole.check(t, "columns", columns, 1, func(int) (any, []dcpidb.Cell) {
				var cells []dcpidb.Cell
				for _, c := range columns {
					cells = append(cells, c.Total)
				}
				return "", cells
			})
			main := func(cells []dcpidb.Cell) float64 {
				if columns[0].NoTime {
					return float64(cells[0].Samples)
				}
				return cells[0].Value(columns[0].Unit)
			}
			total := main([]dcpidb.Cell{columns[0].Total})

			found, err := p.Addresses(t.Context(), dcpidb.AddressQuery{Selection: s, Limit: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			addresses.check(t, "addresses", columns, len(found.Rows), func(i int) (any, []dcpidb.Cell) {
				row := &found.Rows[i]
				of, _ := procedure(d, &sample{image: row.Image, offset: row.Offset})
				if sum += main(row.Cells); row.Rank != i+1 || !near(row.Cum, sum/total) || row.HasProcedure != (of != nil) ||
					row.Address != d.Images[row.Image].Base+row.Offset ||
					of != nil && (row.Procedure != of.Name || row.Inside != row.Address-of.Address) {
					t.Errorf("address %d is %+v, in %+v, %f of %f", i, row, of, sum, total)
				}
				if image := &d.Images[row.Image]; image.Listing == 0 {
					file, line, ok := d.Listings[0].Line(row.Address)
					if ok && (row.Source != dcpidb.Place{File: file, Line: line}) || !ok && (row.Source != dcpidb.Place{}) {
						t.Errorf("0x%x is compiled from %+v, not %s:%d", row.Address, row.Source, file, line)
					}
				}
				if i > 0 && (found.Rows[i-1].Cells[0].Value(columns[0].Unit) < row.Cells[0].Value(columns[0].Unit)) {
					t.Errorf("address %d has more than the one above", i)
				}
				return at{row.Image, row.Offset}, row.Cells
			})
			page, err := p.Procedures(t.Context(), dcpidb.ProcedureQuery{Selection: s, Limit: 1 << 20})
			if err != nil {
				t.Fatal(err)
			}
			sum = 0
			ordinals := map[string]uint64{}
			procedures.check(t, "procedures", columns, len(page.Rows), func(i int) (any, []dcpidb.Cell) {
				row := &page.Rows[i]
				if sum += main(row.Cells); row.Rank != i+1 || !near(row.Cum, sum/total) {
					t.Errorf("procedure %d is %+v, %f of %f", i, row, sum, total)
				}
				key := named{strings.ToLower(row.In.ID), row.Name, 0}
				switch base := d.Images[row.Image].Base; row.Kind {
				case dcpidb.RowRange:
					key.n = 1 + (row.Address-base)/dcpidb.DefaultRange
				case dcpidb.RowProcedure:
					if key.n = 0; row.Name == "same" && row.Address == base+0x300 {
						key.n = 1
					}
					sizes := map[uint64]uint64{0x40: 0x100, 0x200: 0x100, 0x300: 0x40, 0x400: 0x200}
					if row.Size != sizes[row.Address-base] {
						t.Errorf("%s at 0x%x has %d bytes", row.Name, row.Address, row.Size)
					}
				}
				ordinals[row.ID()]++
				return key, row.Cells
			})
			if len(ordinals) != len(page.Rows) {
				t.Errorf("%d ids of %d rows", len(ordinals), len(page.Rows))
			}
			for of, want := range totals {
				rows, _ := p.Totals(s, of)
				want.check(t, string(of), columns, len(rows), func(i int) (any, []dcpidb.Cell) {
					if of == dcpidb.OfImage {
						key := rows[i].In.Key
						return slices.IndexFunc(p.Overview.Images, func(o dcpidb.Image) bool { return o.Key == key }), rows[i].Cells
					}
					return rows[i].Name, rows[i].Cells
				})
				for i := range rows { // of all its profiles
					images, epochs, hosts := map[string]bool{}, map[string]bool{}, map[string]bool{}
					for n := range p.Overview.Profiles {
						f := &p.Overview.Profiles[n]
						in := func(list []string, word string) bool { return len(list) == 0 || slices.Contains(list, word) }
						if !in(s.Events, f.Event) || !in(s.Epochs, f.Epoch) || !in(s.Platforms, f.Platform) ||
							len(s.Images) > 0 && !slices.Contains(s.Images, f.Image) || by != dcpidb.ByEvent && f.Event != event {
							continue
						}
						if of == dcpidb.OfImage && f.In == rows[i].In || of == dcpidb.OfEpoch && f.Epoch == rows[i].Name ||
							of == dcpidb.OfPlatform && f.Platform == rows[i].Name {
							images[f.In.Label], epochs[f.Epoch], hosts[f.Platform] = true, true, true
						}
					}
					if r := rows[i]; r.Images != len(images) || r.Epochs != len(epochs) || r.Platforms != len(hosts) {
						t.Errorf("by %s: %+v, not %d, %d and %d", of, r, len(images), len(epochs), len(hosts))
					}
				}
				for i := 1; i < len(rows); i++ {
					if above := rows[i-1]; of == dcpidb.OfImage && above.Cells[0].Samples < rows[i].Cells[0].Samples ||
						of != dcpidb.OfImage && above.Name >= rows[i].Name {
						t.Errorf("by %s: %+v stands above %+v", of, above, rows[i])
					}
				}
				declared, find, err := p.FindTotals(t.Context(), s, of)
				if err != nil {
					t.Fatal(err)
				}
				profiletest.Table(t, declared, find, "samples")
			}
			declared, find, err := p.FindProcedures(t.Context(), s, 0)
			if err != nil {
				t.Fatal(err)
			}
			if how := declared.Field(columns[0].Key).How; (how != "") != (by == dcpidb.ByEvent) {
				t.Errorf("by %s it is told %q", by, how)
			}
			profiletest.Table(t, declared, find, "samples")
			if n != 0 || len(s.Images) != 1 {
				continue
			}
			declared, find, err = p.FindAddresses(t.Context(), s, 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			profiletest.Table(t, declared, find, "image", "samples")
		}
	}
}

// Cells of a heat map, and lines of source, have the samples that fall into them.
func TestCellsAndLinesAreWhatSamplesAddUpTo(t *testing.T) {
	d, samples := made(2)
	p, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d)))
	if err != nil {
		t.Fatal(err)
	}
	columns, _ := p.Columns(dcpidb.Selection{})
	for image := range d.Images {
		if image == len(d.Images)-1 {
			if extent, err := p.HeatExtent(t.Context(), image); err != nil || extent != 0 {
				t.Errorf("an image without samples has %d bytes, %v", extent, err)
			}
			continue
		}
		for _, q := range []dcpidb.HeatQuery{
			{Cell: 4, Cells: 1000}, {From: 0x44, Cell: 0x30, Cells: 9}, {Cell: 0x280, Cells: 9},
		} {
			q.Image = image
			h, err := p.HeatMap(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want, counts := plainly{}, map[uint64]uint64{}
			type within struct {
				*dcpi.Procedure
				main, all, first uint64
			}
			in := map[uint64]map[*dcpi.Procedure]*within{}
			named := func(cell uint64) []*within {
				return slices.SortedFunc(maps.Values(in[cell]), func(a, b *within) int {
					return cmp.Or(cmp.Compare(b.main, a.main), cmp.Compare(b.all, a.all), cmp.Compare(a.first, b.first))
				})
			}
			last := uint64(0)
			for i := range samples {
				s := &samples[i]
				if s.image != image {
					continue
				}
				last = max(last, s.offset+4)
				if cell := (s.offset - q.From) / q.Cell; s.offset >= q.From && cell < uint64(q.Cells) {
					want.add(cell, s.event, s)
					counts[cell]++
					of, _ := procedure(d, s)
					if of == nil {
						continue
					}
					if in[cell] == nil {
						in[cell] = map[*dcpi.Procedure]*within{}
					}
					address := d.Images[image].Base + s.offset
					w := in[cell][of]
					if w == nil {
						w = &within{Procedure: of, first: address}
						in[cell][of] = w
					}
					if w.all, w.first = w.all+uint64(s.count), min(w.first, address); s.event == "cycles" {
						w.main += uint64(s.count)
					}
				}
			}
			if h.Extent != max(d.Images[image].TextSize, last) ||
				len(h.Cells) != min(q.Cells, int((h.Extent-q.From+q.Cell-1)/q.Cell)) {
				t.Errorf("image %d: %d cells of %d bytes", image, len(h.Cells), h.Extent)
			}
			var most dcpidb.Cell
			var full []int
			for i, c := range h.Cells {
				if c.Addresses != counts[uint64(i)] || c.Offset != q.From+uint64(i)*q.Cell ||
					c.Address != d.Images[image].Base+c.Offset {
					t.Errorf("image %d: cell %d is %+v, with %d counts", image, i, c, counts[uint64(i)])
				}
				if c.Cells != nil {
					full = append(full, i)
					most.Samples = max(most.Samples, c.Cells[0].Samples)
				}
				var of *dcpidb.CellProcedure
				if best := named(uint64(i)); len(best) > 0 {
					at := c.Address
					if best[0].Address > at {
						at = best[0].first
					}
					of = &dcpidb.CellProcedure{Name: best[0].Name, Address: best[0].Address, Inside: at - best[0].Address,
						Others: len(best) - 1}
				} else if in, _ := procedure(d, &sample{image: image, offset: c.Offset}); in != nil {
					of = &dcpidb.CellProcedure{Name: in.Name, Address: in.Address, Inside: c.Address - in.Address}
				}
				if !reflect.DeepEqual(of, c.Procedure) {
					t.Errorf("image %d: cell %d is of %+v, not %+v", image, i, c.Procedure, of)
				}
			}
			if h.Max[0].Samples != most.Samples {
				t.Errorf("image %d: the most is %d, not %d", image, h.Max[0].Samples, most.Samples)
			}
			want.check(t, "cells", columns, len(full), func(i int) (any, []dcpidb.Cell) {
				return uint64(full[i]), h.Cells[full[i]].Cells
			})
			declared, find, err := p.FindHeat(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			profiletest.Table(t, declared, find, "samples")
		}
	}
	type place struct {
		file string
		line uint32
	}
	lines, at := map[place]map[string]uint64{}, map[place]map[uint64]bool{}
	for i := range samples {
		s := &samples[i]
		if file, line, ok := d.Listings[0].Line(0x1000 + s.offset); ok && s.image == 0 {
			if lines[place{file, line}] == nil {
				lines[place{file, line}], at[place{file, line}] = map[string]uint64{}, map[uint64]bool{}
			}
			lines[place{file, line}][s.event] += uint64(s.count)
			at[place{file, line}][s.offset] = true
		}
	}
	table, err := p.SourceLines(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for f := range table.Files {
		for i, line := range table.Files[f].Lines {
			found++
			at := place{table.Files[f].Name, line}
			for c, n := range table.Files[f].At(i) {
				if want := lines[at][columns[c].Name]; n != want {
					t.Errorf("%v has %d of %s, not %d", at, n, columns[c].Name, want)
				}
			}
		}
	}
	if found != len(lines) {
		t.Errorf("%d lines, not %d", found, len(lines))
	}
	for of, want := range at {
		rows, all, err := p.AtLine(t.Context(), of.file, of.line, 3)
		if err != nil || all != len(want) || len(rows) != min(3, all) {
			t.Fatalf("%v: %d rows of %d, not %d, %v", of, len(rows), all, len(want), err)
		}
		for _, row := range rows {
			if !want[row.Offset] || row.Image != 0 {
				t.Errorf("%v: %+v", of, row)
			}
		}
	}
	if rows, all, err := p.AtLine(t.Context(), "c.c", 1, 3); len(rows) != 0 || all != 0 || err != nil {
		t.Errorf("%d rows of a file that there is not, %v", all, err)
	}
	for i := range d.Listings {
		d.Listings[i].Line = nil
	}
	if p, err = dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d))); err != nil {
		t.Fatal(err)
	}
	if table, err := p.SourceLines(t.Context()); table != nil || err != nil {
		t.Errorf("%+v without an executable, %v", table, err)
	}
	if rows, all, err := p.AtLine(t.Context(), "a.c", 1, 3); len(rows) != 0 || all != 0 || err != nil {
		t.Errorf("%d rows without an executable, %v", all, err)
	}
}

// Counts are kept at their offsets over many blocks, whatever lies between them, and a part of
// them is read from the blocks that it is in.
func TestBlocksOfCounts(t *testing.T) {
	d, _ := made(7)
	p := &d.Files[0].Profiles[0]
	d.Files = d.Files[:1]
	var chunks []dcpi.Chunk
	want := map[uint64]uint64{}
	var offsets []uint64
	r := rand.New(rand.NewPCG(7, 1))
	*p = dcpi.Profile{Header: p.Header, ImageIndex: 0, Stride: 4}
	for at := uint64(0); len(want) < 10_000; {
		chunk := dcpi.Chunk{Offset: at}
		for range 1 + r.IntN(3000) {
			n := uint32(max(0, r.IntN(6)-2))
			if chunk.Counts = append(chunk.Counts, n); n > 0 {
				want[at], offsets = uint64(n), append(offsets, at)
				p.Nonzero, p.Samples = p.Nonzero+1, p.Samples+uint64(n)
			}
			at += 4
		}
		chunks = append(chunks, chunk)
		at += uint64(r.IntN(9)) * 2 // half an instruction at times
	}
	p.Each = func(yield func(dcpi.Chunk) bool) {
		for _, chunk := range chunks {
			if !yield(chunk) {
				return
			}
		}
	}
	db, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d)))
	if err != nil {
		t.Fatal(err)
	}
	found, err := db.Addresses(t.Context(), dcpidb.AddressQuery{Limit: 1 << 20})
	if err != nil || len(found.Rows) != len(want) {
		t.Fatalf("%d counts, not %d; %v", len(found.Rows), len(want), err)
	}
	for _, row := range found.Rows {
		if row.Cells[0].Samples != want[row.Offset] {
			t.Errorf("%d at 0x%x, not %d", row.Cells[0].Samples, row.Offset, want[row.Offset])
		}
	}
	for i := 0; i < len(offsets)-1; i += len(offsets) / 99 {
		for _, from := range []uint64{offsets[0], offsets[i]} { // to the one at i, from it
			size := offsets[i+1] - from
			if from != offsets[i] {
				size = offsets[i] - from + 1
			}
			h, err := db.HeatMap(t.Context(), dcpidb.HeatQuery{From: from, Cell: size, Cells: 1})
			sum, n := uint64(0), uint64(0)
			for _, offset := range offsets {
				if offset >= from && offset < from+size {
					sum, n = sum+want[offset], n+1
				}
			}
			if err != nil || h.Cells[0].Cells[0].Samples != sum || h.Cells[0].Addresses != n {
				t.Errorf("0x%x and %d bytes: %+v, not %d in %d, %v", from, size, h.Cells, sum, n, err)
			}
		}
	}
	for _, offset := range offsets { // wherever blocks begin and end
		h, err := db.HeatMap(t.Context(), dcpidb.HeatQuery{From: offset, Cell: 1, Cells: 1})
		if err != nil || h.Cells[0].Cells == nil || h.Cells[0].Cells[0].Samples != want[offset] {
			t.Fatalf("%+v at 0x%x, not %d; %v", h.Cells, offset, want[offset], err)
		}
	}
}

// Columns have names of their own whatever events are called, and scripts have what each shows.
func TestColumnsAreToldApart(t *testing.T) {
	d, _ := made(6)
	d.Images[0].Paths = []string{"/bin/app", "/usr/bin/app"}
	for p := range d.Profiles() {
		if p.Event != "cycles" {
			p.Event = map[string]string{"imiss": "size", "branchmp": "cycles_share"}[p.Event]
		}
	}
	p, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d)))
	if err != nil {
		t.Fatal(err)
	}
	for _, unit := range dcpidb.Units {
		declared, find, err := p.FindProcedures(t.Context(), dcpidb.Selection{Unit: unit}, 0)
		if err != nil {
			t.Fatal(err)
		}
		object := profiletest.Envelope(t, declared, find)
		row := object["items"].([]any)[0].(map[string]any)
		for _, column := range []string{
			"cycles", "cycles_share", "column_cycles_share", "size", "column_size", "column_size_share",
		} {
			if _, ok := row[column]; !ok {
				t.Errorf("%s: no column %s in %v", unit, column, row)
			}
		}
		columns, _ := p.Columns(dcpidb.Selection{Unit: unit})
		list := object["columns"].([]any)
		if len(list) != len(columns) || object["hidden_columns"] != nil {
			t.Errorf("%s: %v", unit, list)
		}
		for i, c := range columns {
			of := list[i].(map[string]any)
			total, period := any(float64(c.Total.Samples)), any(nil)
			if c.Unit == dcpidb.UnitSamples {
				period = float64(c.Rate.Period)
			} else if total = math.Round(c.Total.Events); c.NoTime {
				total = nil
			} else if c.Unit == dcpidb.UnitSeconds {
				total = c.Total.Seconds
			}
			if of["name"] != c.Name || of["event"] != c.Event || of["unit"] != string(c.Unit) || of["total"] != total ||
				of["samples"] != float64(c.Total.Samples) || of["events"] != math.Round(c.Total.Events) || of["period"] != period {
				t.Errorf("%s: %v, not %v and %v of %+v", unit, of, total, period, c)
			}
		}
	}
	declared, find, err := p.FindTotals(t.Context(), dcpidb.Selection{}, dcpidb.OfImage)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range profiletest.Rows(t, declared, find, table.Query{}) {
		first := row.Text["image_id"] == "aa" && row.Text["text_start"] == "0x1000"
		if row.Text["path"] != map[bool]string{true: "/bin/app /usr/bin/app"}[first] {
			t.Errorf("%v", row.Text)
		}
	}
	nothing := dcpidb.Selection{Events: []string{"dtbmiss"}}
	if declared, find, err = p.FindProcedures(t.Context(), nothing, 0); err == nil {
		profiletest.Table(t, declared, find)
	}
	_, diff := p.FindDiff(t.Context(), dcpidb.DiffQuery{Selection: nothing})
	totals, columns := p.Totals(nothing, dcpidb.OfImage)
	addresses, of := p.Addresses(t.Context(), dcpidb.AddressQuery{Selection: nothing, Limit: 9})
	if err != nil || diff != nil || of != nil || len(totals)+len(columns)+len(addresses.Rows) != 0 {
		t.Errorf("%v %v %v: %v %v %v", err, diff, of, totals, columns, addresses)
	}
}

// Differences and comparisons say what plain subtraction says.
func TestDifferencesAreSubtractions(t *testing.T) {
	d, samples := made(3)
	other, others := made(4)
	p, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d)))
	if err != nil {
		t.Fatal(err)
	}
	test, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, other)))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range []dcpidb.DiffQuery{
		{}, {Normalise: true}, {A: p.Overview.Epochs[2], B: p.Overview.Epochs[0]},
		{Selection: dcpidb.Selection{By: dcpidb.ByPlatform, Unit: dcpidb.UnitEvents}, Normalise: true},
		{Selection: dcpidb.Selection{Events: []string{"imiss"}}}, {Selection: dcpidb.Selection{Unit: dcpidb.UnitSeconds}},
	} {
		find, err := p.FindDiff(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		profiletest.Table(t, dcpidb.Differences, find)
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 1000}})
		if err != nil {
			t.Fatal(err)
		}
		event, unit, by := "cycles", cmp.Or(q.Unit, dcpidb.UnitSamples), cmp.Or(q.By, dcpidb.ByEpoch)
		if len(q.Events) > 0 { // whose periods differ
			event, unit = q.Events[0], dcpidb.UnitEvents
		}
		around := page.Around.(*dcpidb.DiffAround)
		var sets []string
		totals := make([]float64, len(around.Names))
		for i := range around.Names {
			sets = append(sets, around.Names[i].Name)
		}
		want := map[[2]string][]float64{}
		for i := range samples {
			s := &samples[i]
			set := slices.Index(sets, s.of(by))
			if s.event != event || set < 0 {
				continue
			}
			key := [2]string{d.Images[s.image].Label, "none"}
			if of, nth := procedure(d, s); of != nil {
				key[1] = of.Name + strings.Repeat("'", nth)
			} else if d.Images[s.image].Listing < 0 {
				key[1] = "range" + strings.Repeat("'", int(s.offset/dcpidb.DefaultRange))
			}
			if want[key] == nil {
				want[key] = make([]float64, len(sets))
			}
			cell := s.cell()
			want[key][set] += cell.Value(unit)
			totals[set] += cell.Value(unit)
		}
		wantSets := slices.Clone(p.Overview.Epochs)
		if by == dcpidb.ByPlatform {
			wantSets = p.Overview.Platforms
		} else if q.A != "" {
			wantSets = []string{q.A, q.B}
		}
		if !slices.Equal(sets, wantSets) || around.Unit != unit || page.Matching != len(want) {
			t.Errorf("%+v: %v in %s, %d rows of %d", q, sets, around.Unit, page.Matching, len(want))
		}
		all := 0.0
		for i := range totals {
			scale := 1.0
			if q.Normalise && totals[i] > 0 {
				scale = totals[0] / totals[i]
			}
			if !near(around.Scale[i], scale) || !near(around.Totals[i].Of, totals[i]*scale) {
				t.Errorf("%+v: set %d is scaled by %f to %f, not %f", q, i, around.Scale[i], around.Totals[i].Of, scale)
			}
			all += totals[i] * scale
		}
		for _, row := range table.RowsOf[dcpidb.DiffRow](&page) {
			key := [2]string{row.In.Label, cmp.Or(row.Name, string(row.Kind))}
			base := d.Images[row.Image].Base
			if row.Name == "same" && row.Address == base+0x300 {
				key[1] += "'"
			} else if row.Kind == dcpidb.RowRange {
				key[1] += strings.Repeat("'", int((row.Address-base)/dcpidb.DefaultRange))
			}
			values := want[key]
			var sum float64
			for i, v := range values {
				if v *= around.Scale[i]; !near(row.Values[i].Of, v) {
					t.Fatalf("%+v: %v has %v, not %v", q, key, row.Values, values)
				}
				sum += row.Values[i].Of
			}
			if last := len(values) - 1; !near(row.Sum.Of, sum) || !near(row.OfTotal, sum/all) || row.Before != row.Values[0] ||
				row.After != row.Values[last] || row.Delta.Of != row.After.Of-row.Before.Of ||
				!near(row.Spread.Of, row.Max.Of-row.Min.Of) {
				t.Errorf("%+v: %v is %+v", q, key, row)
			}
		}
	}
	for _, q := range []dcpidb.CompareQuery{{}, {Event: "imiss"}, {Image: "app"}, {Image: "app", Procedure: "main"}} {
		compare := func(a, b *dcpidb.Profile) *dcpidb.Comparison {
			c, err := dcpidb.Compare(t.Context(), a, b, q)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		rows := func(c *dcpidb.Comparison) []*dcpidb.ComparedRow {
			find := c.Find(table.MoveQuery{Min: table.AllMoves})
			page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 1 << 20}})
			if err != nil {
				t.Fatal(err)
			}
			return table.RowsOf[dcpidb.ComparedRow](&page)
		}
		if same := compare(p, p); !near(same.Overlap, shareOf(rows(same))) {
			t.Errorf("%+v: a database overlaps with itself by %f", q, same.Overlap)
		}
		for _, row := range rows(compare(p, p)) {
			if row.Change != 0 || row.Base == nil || row.Test == nil || *row.Base != *row.Test {
				t.Errorf("%+v: the same is %+v", q, row)
			}
		}
		there, back := compare(p, test), compare(test, p)
		if a, b := rows(there), rows(back); len(a) != len(b) || !near(there.Overlap, back.Overlap) ||
			there.Base != back.Test {
			t.Errorf("%+v: %d rows there and %d back, %f and %f", q, len(a), len(b), there.Overlap, back.Overlap)
		}
		changes := map[any]float64{}
		key := func(r *dcpidb.ComparedRow, side *dcpidb.ComparedCell) any {
			return [4]any{r.Image, r.Name, r.Kind, side.Offset + side.Address}
		}
		overlap := 0.0
		event, of := cmp.Or(q.Event, "cycles"), [2][]sample{samples, others}
		for i, side := range []func(*dcpidb.ComparedRow) *dcpidb.ComparedCell{
			func(r *dcpidb.ComparedRow) *dcpidb.ComparedCell { return r.Base },
			func(r *dcpidb.ComparedRow) *dcpidb.ComparedCell { return r.Test },
		} {
			var got, want dcpidb.Cell
			for _, row := range rows(there) {
				if cell := side(row); cell != nil {
					got.Add(&cell.Cell)
					if !near(cell.Events.Of, cell.Cell.Events) || cell.Samples != cell.Cell.Samples {
						t.Errorf("%+v: %+v", q, cell)
					}
				}
			}
			for n := range of[i] {
				s := &of[i][n]
				in, _ := procedure(d, s)
				if s.event == event && (q.Image == "" || d.Images[s.image].Label == q.Image) &&
					(q.Procedure == "" || in != nil && in.Name == q.Procedure) {
					cell := s.cell()
					want.Add(&cell)
				}
			}
			if got.Samples != want.Samples || !near(got.Events, want.Events) {
				t.Errorf("%+v: side %d has %+v, not %+v", q, i, got, want)
			}
		}
		for _, row := range rows(there) {
			overlap += min(row.InBase, row.InTest)
			if row.Base != nil && row.Test != nil {
				changes[key(row, row.Base)] = row.Change
			}
		}
		for _, row := range rows(back) {
			if row.Base == nil || row.Test == nil {
				continue
			}
			if change, ok := changes[key(row, row.Test)]; !ok || !near(change, -row.Change) {
				t.Errorf("%+v: %v is %f there and %f back", q, row, change, row.Change)
			}
		}
		if !near(overlap, there.Overlap) {
			t.Errorf("%+v: %f is common, not %f", q, overlap, there.Overlap)
		}
	}
}

func shareOf(rows []*dcpidb.ComparedRow) (sum float64) {
	for _, r := range rows {
		sum += r.InBase
	}
	return sum
}

// A profile's header is in the file as it was read, absent numbers too.
func TestHeadersAreKept(t *testing.T) {
	d, _ := made(5)
	d.Files[0].Profiles[0].CPUCount = new(uint64(4))
	p, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d)))
	if err != nil {
		t.Fatal(err)
	}
	i := 0
	for want := range d.Profiles() {
		got := &p.Overview.Profiles[i]
		i++
		if got.Event != want.Event || got.Epoch != want.Start || got.Platform != want.Platform ||
			got.Image != want.ImageIndex ||
			got.Samples != want.Samples || got.Nonzero != want.Nonzero || got.Addresses != want.Addresses ||
			got.DCPIRate != (analyze.DCPIRate{Period: want.Period, Fraction: want.Fraction, CPUSpeed: want.CPUSpeed}) ||
			!reflect.DeepEqual(got.CPUCount, want.CPUCount) || got.Stride != want.Stride || got.Chunks != want.Chunks {
			t.Errorf("profile %d is %+v, not %+v", i, got, want)
		}
	}
	if i != len(p.Overview.Profiles) || !slices.Equal(p.Overview.Events, []string{"cycles", "branchmp", "imiss"}) {
		t.Errorf("%d profiles of %v", len(p.Overview.Profiles), p.Overview.Events)
	}
	for n, e := range p.Overview.Counted {
		profiles, samples := 0, uint64(0)
		periods := map[uint64]bool{}
		for want := range d.Profiles() {
			if want.Event == e.Event {
				profiles, samples = profiles+1, samples+want.Samples
				periods[want.Period] = true
			}
		}
		if e.Profiles != profiles || e.Samples.Lo != samples || len(e.Periods) != len(periods) ||
			!slices.IsSorted(e.Periods) {
			t.Errorf("event %d is %+v; %d profiles and %d samples, %v", n, e, profiles, samples, periods)
		}
	}
}

// Seconds of a column without samples are none, and known; of cycles on a processor of unknown speed they
// are not.
func TestSecondsOfNothing(t *testing.T) {
	d, _ := made(8)
	for p := range d.Profiles() {
		p.CPUSpeed = 0
		if p.Platform == "h1" {
			p.Nonzero, p.Samples, p.Each = 0, 0, func(func(dcpi.Chunk) bool) {}
		}
	}
	p, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d)))
	if err != nil {
		t.Fatal(err)
	}
	columns, _ := p.Columns(dcpidb.Selection{By: dcpidb.ByPlatform, Unit: dcpidb.UnitSeconds})
	for _, c := range columns {
		if c.NoTime != (c.Name == "h2") {
			t.Errorf("%+v", c)
		}
	}
	for image := range d.Images {
		if _, err := p.HeatMap(t.Context(), dcpidb.HeatQuery{
			Image: image, Selection: dcpidb.Selection{Platforms: []string{"h1"}}, Cell: 64, Cells: 9,
		}); err != nil {
			t.Error(err)
		}
	}
}
