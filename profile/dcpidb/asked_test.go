package dcpidb_test

import (
	"fmt"
	"slices"
	"testing"

	"proflens/decode/dcpi"
	"proflens/profile/dcpidb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

func openMade(t *testing.T, d *dcpi.Database) *dcpidb.Profile {
	t.Helper()
	p, err := dcpidb.Of(profiletest.Store(t, profiletest.Of(dcpi.Family, d)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Images are found by id in any case, by label, and where ids are alike by where their text is;
// epochs as they are kept and as headers write them.
func TestImagesAndEpochsAreFound(t *testing.T) {
	d, _ := made(9)
	for p := range d.Profiles() {
		p.Epoch = "as written " + p.Start
	}
	o := openMade(t, d).Overview
	keys := []string{"aa@1000.600", "aa@9000.600", "bb", "cc", "dd"}
	for i, key := range keys {
		if got := o.ImageKey(i); got != key || o.Images[i].Key != key {
			t.Errorf("image %d has the key %s, not %s", i, got, key)
		}
	}
	for word, want := range map[string][]int{
		"aa": {0, 1}, "Aa": {0, 1}, "app": {0, 1, 3}, "App": nil, keys[0]: {0}, keys[1]: {1}, "bb": {2}, "BB": {2},
		"lib": {2}, "cc@0.600": nil, "": nil, "ee": nil,
	} {
		if got := o.FindImages(word); !slices.Equal(got, want) {
			t.Errorf("%q are images %v, not %v", word, got, want)
		}
	}
	for word, found := range map[string]bool{
		o.Epochs[1]: true, "as written " + o.Epochs[1]: true, "": false, "as": false,
	} {
		if got, ok := o.FindEpoch(word); ok != found || found && got != o.Epochs[1] {
			t.Errorf("%q is epoch %q, %v", word, got, ok)
		}
	}
}

// Headers are a table in the order of the files.
func TestHeadersAreATable(t *testing.T) {
	d, _ := made(10)
	p := openMade(t, d)
	find, err := p.FindHeaders(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	profiletest.Table(t, dcpidb.Headers, find)
	i := 0
	rows := profiletest.Rows(t, dcpidb.Headers, find, table.Query{})
	for want := range d.Profiles() {
		image := &d.Images[want.ImageIndex]
		for column, text := range map[string]any{
			"event": want.Event, "epoch": want.Start, "platform": want.Platform, "image": image.Label, "image_id": image.ID,
			"samples": want.Samples, "addresses": want.Nonzero, "stride": want.Stride, "file": "f",
		} {
			if got := rows[i].Text[column]; got != fmt.Sprint(text) {
				t.Errorf("%s of profile %d is %q, not %v", column, i, got, text)
			}
		}
		i++
	}
	if i != len(rows) {
		t.Errorf("%d rows of %d profiles", len(rows), i)
	}
}

// Addresses from one to another, both inclusive, are those that have samples there.
func TestAddressesOfARange(t *testing.T) {
	d, samples := made(11)
	p := openMade(t, d)
	at := func(s *sample) uint64 { return d.Images[s.image].Base + s.offset }
	first, last := at(&samples[0]), at(&samples[len(samples)/2])
	first, last = min(first, last), max(first, last)
	for _, ends := range [][2]uint64{{first, last}, {last, 0}, {0, first}, {first, first}, {last + 1, last}, {0, 0}} {
		type place struct {
			image   int
			address uint64
		}
		want := map[place]uint64{}
		for i := range samples {
			s := &samples[i]
			if a := at(s); a >= ends[0] && (ends[1] == 0 || a <= ends[1]) {
				want[place{s.image, a}] += map[bool]uint64{true: uint64(s.count)}[s.event == "cycles"]
			}
		}
		page, err := p.Addresses(t.Context(), dcpidb.AddressQuery{From: ends[0], To: ends[1], Limit: 10_000})
		if err != nil || page.Matching != len(want) || len(page.Rows) != len(want) {
			t.Errorf("%x: %d addresses, not %d; %v", ends, page.Matching, len(want), err)
			continue
		}
		sum, before := uint64(0), ^uint64(0)
		for _, r := range page.Rows {
			cycles, ok := want[place{r.Image, r.Address}]
			sum += cycles
			total := max(page.Columns[0].Total.Samples, 1)
			if r.Cells[0].Samples != cycles || !ok || cycles > before || !near(r.Cum, float64(sum)/float64(total)) {
				t.Errorf("%x: %x has %+v, not %d", ends, r.Address, r, cycles)
			}
			before = cycles
		}
		if page.Totals[0].Samples != sum {
			t.Errorf("%x: %d samples, not %d", ends, page.Totals[0].Samples, sum)
		}
	}
}

// Procedures and addresses of two databases are a table; a procedure whose size is known of both and
// differs has changed.
func TestComparedSizes(t *testing.T) {
	d, _ := made(12)
	other, _ := made(13)
	list := other.Listings[0].Procedures
	list[0].Size = 0x80 // main; the size of the tail is not known of either
	base, test := openMade(t, d), openMade(t, other)
	for _, q := range []dcpidb.CompareQuery{{}, {Image: "app"}, {Image: "app", Procedure: "same"}, {Image: "lib"}} {
		c, err := dcpidb.Compare(t.Context(), base, test, q)
		if err != nil {
			t.Fatal(err)
		}
		d, find := q.Declared(), c.Find(table.MoveQuery{Min: table.AllMoves})
		profiletest.Table(t, d, find, "base", "test", "base_events", "test_events")
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 10_000}})
		if err != nil {
			t.Fatal(err)
		}
		changed := map[string]int{}
		for i, r := range table.RowsOf[dcpidb.ComparedRow](&page) {
			want := table.Matched
			switch b, t := r.Base, r.Test; {
			case b == nil:
				want = table.OnlyTest
			case t == nil:
				want = table.OnlyBase
			case b.Size > 0 && t.Size > 0 && b.Size != t.Size:
				want = table.Changed
				changed[string(r.Name)]++
			}
			called := ""
			if r.Kind == dcpidb.RowProcedure {
				called = string(r.Name)
			}
			if got := d.Field("procedure").Text(page.Row(i)); r.State != want || got != called {
				t.Errorf("%+v: %q of %+v, want %b", q, got, r, want)
			}
		}
		if (changed["main"] == 0) != (q.Image != "") || len(changed) > 1 {
			t.Errorf("%+v: %v changed", q, changed)
		}
	}
	if len(dcpidb.CommonEvents(base, test)) != 3 {
		t.Error(dcpidb.CommonEvents(base, test))
	}
	for _, q := range []dcpidb.CompareQuery{{Event: "dtbmiss"}, {Image: "none"}, {Image: "app", Procedure: "none"}} {
		if _, err := dcpidb.Compare(t.Context(), base, test, q); err == nil {
			t.Errorf("%+v compares something", q)
		}
	}
}

// Ranges of an image without procedures grow until there are few enough, and lose no sample.
func TestRangesOfALargeImage(t *testing.T) {
	d, _ := made(14)
	large := dcpi.Chunk{Offset: 1 << 40, Counts: []uint32{3, 0, 5}}
	var samples uint64
	for p := range d.Profiles() {
		if p.ImageIndex == 2 && p.Event == "cycles" {
			samples += p.Samples
			if samples == p.Samples { // the first
				each := p.Each
				p.Each = func(yield func(dcpi.Chunk) bool) {
					each(func(c dcpi.Chunk) bool { return yield(c) && yield(large) })
				}
				p.Samples, p.Nonzero, p.Chunks, samples = p.Samples+8, p.Nonzero+2, 2, samples+8
			}
		}
	}
	p := openMade(t, d)
	_, find, err := p.FindProcedures(t.Context(), dcpidb.Selection{Images: []int{2}, Events: []string{"cycles"}}, 16)
	if err != nil {
		t.Fatal(err)
	}
	page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 1000}})
	if err != nil {
		t.Fatal(err)
	}
	sum, far := uint64(0), 0
	for _, r := range table.RowsOf[dcpidb.ProcedureRow](&page) {
		sum += r.Cells[0].Samples
		if r.Size != 1<<21 || r.Address%r.Size != d.Images[2].Base%r.Size {
			t.Errorf("a range of %d bytes at %x", r.Size, r.Address)
		}
		if r.Address == d.Images[2].Base+1<<40 && r.Cells[0].Samples == 8 {
			far++
		}
	}
	if sum != samples || far != 1 {
		t.Errorf("%d samples, not %d; %d ranges are far", sum, samples, far)
	}
}

// Of more columns than a table may have the last epochs stay, and of others those with the most samples,
// in their order.
func TestTooManyColumns(t *testing.T) {
	const all, most = 70, 64
	d := &dcpi.Database{Images: []dcpi.Image{{ID: "aa", Label: "app", Listing: -1}}}
	count := func(i int) uint32 { return uint32(i*37%all + 1) }
	for i := range all {
		n := count(i)
		p := dcpi.Profile{Header: dcpi.Header{Platform: "h", Period: 1, Fraction: 1 << 16}}
		p.Event = fmt.Sprintf("event%02d", i)
		if p.Start = fmt.Sprintf("1997-11-04T09:%02d:00Z", i%60); i >= 60 {
			p.Start = fmt.Sprintf("1997-11-04T10:%02d:00Z", i%60)
		}
		p.Epoch, p.Stride, p.Chunks, p.Addresses, p.Nonzero, p.Samples = p.Start, 4, 1, 1, 1, uint64(n)
		p.Each = func(yield func(dcpi.Chunk) bool) { yield(dcpi.Chunk{Counts: []uint32{n}}) }
		q := p
		q.Event = "cycles"
		d.Files = append(d.Files, dcpi.File{Profiles: []dcpi.Profile{p, q}})
	}
	p := openMade(t, d)
	columns, hidden := p.Columns(dcpidb.Selection{By: dcpidb.ByEpoch})
	for i, c := range columns {
		if want := p.Overview.Epochs[all-most+i]; c.Name != want || c.Total.Samples != uint64(count(all-most+i)) {
			t.Errorf("column %d is %s of %d samples, not %s", i, c.Name, c.Total.Samples, want)
		}
	}
	if len(columns) != most || hidden != all-most {
		t.Errorf("%d columns of epochs, %d hidden", len(columns), hidden)
	}
	columns, hidden = p.Columns(dcpidb.Selection{})
	var want, got []string
	for i := range all { // cycles first, and one place less for the others
		if i == 0 {
			want = append(want, "cycles")
		}
		if count(i) > all-most+1 {
			want = append(want, fmt.Sprintf("event%02d", i))
		}
	}
	for _, c := range columns {
		got = append(got, c.Name)
	}
	if !slices.Equal(got, want) || hidden != all-most+1 {
		t.Errorf("%q, %d hidden; want %q", got, hidden, want)
	}
}

// A procedure is compared by offsets, wherever the linker put it; an image that one database has alone is
// compared with nothing.
func TestComparedWhereItMoved(t *testing.T) {
	d, _ := made(12)
	moved, _ := made(12)
	const by = 0x40_0000
	for i := range moved.Images {
		image := &moved.Images[i]
		image.Base, image.TextStart = image.Base+by, image.TextStart+by
		if image.Label == "lib" {
			image.Label = "other"
		}
	}
	for i := range moved.Listings {
		for n := range moved.Listings[i].Procedures {
			moved.Listings[i].Procedures[n].Address += by
		}
		moved.Listings[i].Line = nil
	}
	base, test := openMade(t, d), openMade(t, moved)
	rows := func(a, b *dcpidb.Profile, q dcpidb.CompareQuery) []dcpidb.ComparedRow {
		c, err := dcpidb.Compare(t.Context(), a, b, q)
		if err != nil {
			t.Fatal(err)
		}
		page, err := c.Find(table.MoveQuery{Min: table.AllMoves})(t.Context(),
			table.Query{RowQuery: query.RowQuery{Limit: 10_000}})
		if err != nil || page.Len() == 0 {
			t.Fatalf("%+v: %d rows, %v", q, page.Len(), err)
		}
		var list []dcpidb.ComparedRow
		for _, r := range table.RowsOf[dcpidb.ComparedRow](&page) {
			list = append(list, *r)
		}
		return list
	}
	for _, r := range rows(base, test, dcpidb.CompareQuery{Image: "app", Procedure: "main"}) {
		if r.State != table.Matched || r.Base == nil || r.Test == nil || r.Base.Offset != r.Test.Offset ||
			r.Base.Offset >= 0x100 || r.Base.Address+by != r.Test.Address || r.Base.Samples != r.Test.Samples {
			t.Errorf("main moved as a whole, and has %+v and %+v", r.Base, r.Test)
		}
	}
	for _, r := range rows(base, test, dcpidb.CompareQuery{Image: "lib"}) {
		if r.State != table.OnlyBase || r.Test != nil {
			t.Errorf("lib is in the base alone, and has %+v", r)
		}
	}
	for _, r := range rows(base, test, dcpidb.CompareQuery{Image: "other"}) {
		if r.State != table.OnlyTest || r.Base != nil {
			t.Errorf("other is in the test database alone, and has %+v", r)
		}
	}
}

// counted is a database of one image with two procedures, 16 bytes each, of counts by epoch and event.
func counted(counts map[[2]string][]uint32) *dcpi.Database {
	d := &dcpi.Database{
		Images: []dcpi.Image{{ID: "aa", Label: "app", Base: 0x1000, TextSize: 0x20}},
		Listings: []dcpi.Listing{{File: "nm", Procedures: []dcpi.Procedure{
			{Address: 0x1000, Size: 0x10, Name: "first"}, {Address: 0x1010, Size: 0x10, Name: "second"},
		}}},
	}
	for key, list := range counts {
		p := dcpi.Profile{Header: dcpi.Header{Platform: "h", Period: 1, Fraction: 1 << 16, Start: key[0], Event: key[1]}}
		p.Epoch, p.Stride, p.Chunks, p.Addresses = p.Start, 4, 1, uint64(len(list))
		for _, n := range list {
			if p.Samples += uint64(n); n > 0 {
				p.Nonzero++
			}
		}
		p.Each = func(yield func(dcpi.Chunk) bool) { yield(dcpi.Chunk{Counts: list}) }
		d.Files = append(d.Files, dcpi.File{Profiles: []dcpi.Profile{p}})
	}
	return d
}

// A cell is named by the procedure with the most samples of the first event, then of all, then the one that
// begins first.
func TestNamesOfCells(t *testing.T) {
	const epoch = "1997-11-04T09:00:00Z"
	for _, c := range []struct {
		cycles, imiss []uint32
		want          string
	}{
		{[]uint32{1, 0, 0, 0, 2}, []uint32{9, 0, 0, 0, 1}, "second"},
		{[]uint32{2, 0, 0, 0, 1}, []uint32{1, 0, 0, 0, 9}, "first"},
		{[]uint32{2, 0, 0, 0, 2}, []uint32{3, 0, 0, 0, 4}, "second"},
		{[]uint32{2, 0, 0, 0, 2}, []uint32{4, 0, 0, 0, 3}, "first"},
		{[]uint32{2, 0, 0, 0, 2}, []uint32{3, 0, 0, 0, 3}, "first"},
		{[]uint32{0, 0, 0, 1, 0}, []uint32{0, 0, 0, 0, 5}, "first"},
		{[]uint32{0, 1, 0, 0, 0, 1, 0, 0}, []uint32{0, 0, 0, 7, 6}, "first"},
	} {
		p := openMade(t, counted(map[[2]string][]uint32{{epoch, "cycles"}: c.cycles, {epoch, "imiss"}: c.imiss}))
		h, err := p.HeatMap(t.Context(), dcpidb.HeatQuery{Cell: 32, Cells: 1})
		if err != nil || h.Cells[0].Procedure == nil || h.Cells[0].Procedure.Name != c.want ||
			h.Cells[0].Procedure.Others != 1 {
			t.Errorf("cycles %v and imiss %v are of %+v, want %s; %v", c.cycles, c.imiss, h.Cells[0].Procedure, c.want, err)
		}
	}
}

// A set without samples is not scaled, and scales no other.
func TestNothingIsNotScaled(t *testing.T) {
	days := []string{"1997-11-04T09:00:00Z", "1997-11-05T09:00:00Z", "1997-11-06T09:00:00Z"}
	for empty, want := range map[int][]float64{0: {0, 6, 3}, 1: {6, 0, 6}, 2: {6, 6, 0}} {
		counts := map[[2]string][]uint32{}
		for i, n := range []uint32{6, 6, 3} {
			if i == empty {
				n = 0
			}
			counts[[2]string{days[i], "cycles"}] = []uint32{n}
		}
		find, err := openMade(t, counted(counts)).FindDiff(t.Context(), dcpidb.DiffQuery{Normalise: true})
		if err != nil {
			t.Fatal(err)
		}
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 9}})
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, v := range table.RowsOf[dcpidb.DiffRow](&page)[0].Values {
			got = append(got, v.Of)
		}
		if !slices.Equal(got, want) {
			t.Errorf("without samples in set %d a procedure has %v, want %v", empty, got, want)
		}
	}
}
