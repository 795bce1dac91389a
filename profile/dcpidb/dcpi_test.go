package dcpidb_test

import (
	"database/sql"
	"encoding/json"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profile"
	"proflens/profile/dcpidb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/stored"
	"proflens/profile/table"
)

const dcpiDatabase = "../../decode/dcpi/testdata/db"

// databaseFiles are the profiles of the database, with a listing beside them.
func databaseFiles(t testing.TB, listings ...string) []format.File {
	t.Helper()
	var files []format.File
	err := filepath.WalkDir(dcpiDatabase, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".json") {
			return err
		}
		name, _ := filepath.Rel(dcpiDatabase, path)
		if !strings.Contains(name, "/") && !slices.Contains(listings, name) {
			return nil
		}
		data, err := os.ReadFile(path)
		files = append(files, format.File{Name: name, Data: data})
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// openDCPI stores a database and opens it.
func openDCPI(t testing.TB, files ...format.File) (*dcpidb.Profile, *decodetest.Profile) {
	t.Helper()
	d, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	p, err := dcpidb.Of(profiletest.Store(t, d.Profile))
	if err != nil {
		t.Fatal(err)
	}
	return p, d
}

// dcpiTables are the tables that the fixture's own decoder made of the database.
type dcpiTables struct {
	Events map[string]map[string]procedureTable
	// Combined has with_sizes and without_sizes, by listing.
	Combined map[string]struct {
		WithSizes       procedureTable `json:"with_sizes"`
		WithoutSizes    procedureTable `json:"without_sizes"`
		HotInstructions [][2]any       `json:"hot_instructions"`
	}
	Diff map[string]struct {
		Before, After string
		Rows          [][4]any
	}
}

type procedureTable struct {
	Total uint64
	Rows  []struct {
		Procedure *string
		Samples   uint64
		Percent   float64
		Cum       float64 `json:"cum_percent"`
	}
}

func readDCPITables(t testing.TB) (tables dcpiTables) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dcpiDatabase, "expected.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &tables); err != nil {
		t.Fatal(err)
	}
	return tables
}

// check holds a page against a table.
func (want *procedureTable) check(t *testing.T, page *dcpidb.ProcedurePage) {
	t.Helper()
	if len(page.Columns) != 1 || page.Columns[0].Total.Samples != want.Total || len(page.Rows) != len(want.Rows) {
		t.Fatalf("%+v, %d rows; want %d in %d", page.Columns, len(page.Rows), want.Total, len(want.Rows))
	}
	round := func(share float64) float64 { return math.Round(share*1e6) / 1e4 }
	for i, w := range want.Rows {
		row := &page.Rows[i]
		if name := row.Name; w.Procedure == nil && row.Kind != dcpidb.RowNone || w.Procedure != nil &&
			(*w.Procedure != name || row.Kind != dcpidb.RowProcedure) {
			t.Errorf("row %d is %s %q", i, row.Kind, name)
		}
		n := row.Cells[0].Samples
		if n != w.Samples || round(float64(n)/float64(want.Total)) != w.Percent || round(row.Cum) != w.Cum {
			t.Errorf("row %d, %s: %d, cum %f; want %+v", i, row.Name, n, row.Cum, w)
		}
	}
}

var dcpiEpochs = map[string]string{"9711040900": "1997-11-04T09:00:00Z", "9711050900": "1997-11-05T09:00:00Z"}

func TestProceduresOfADatabase(t *testing.T) {
	tables := readDCPITables(t)
	sized, _ := openDCPI(t, databaseFiles(t, "app.nmS")...)
	unsized, _ := openDCPI(t, databaseFiles(t, "app.nm")...)
	for event, combined := range tables.Combined {
		q := dcpidb.ProcedureQuery{Selection: dcpidb.Selection{Events: []string{event}}, Limit: 100}
		for _, test := range []struct {
			p    *dcpidb.Profile
			want procedureTable
		}{{sized, combined.WithSizes}, {unsized, combined.WithoutSizes}} {
			page, err := test.p.Procedures(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			test.want.check(t, page)
		}
		for epoch, want := range tables.Events[event] {
			q.Epochs = []string{dcpiEpochs[epoch]}
			page, err := sized.Procedures(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			want.check(t, page)
		}
		page, err := sized.Addresses(t.Context(), dcpidb.AddressQuery{
			Selection: dcpidb.Selection{Events: []string{event}}, Limit: len(combined.HotInstructions),
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range combined.HotInstructions {
			row := page.Rows[i]
			if "0x"+strconv.FormatUint(row.Address, 16) != want[0] || float64(row.Cells[0].Samples) != want[1] {
				t.Errorf("%s: address %d is 0x%x with %d, not %v", event, i, row.Address, row.Cells[0].Samples, want)
			}
		}
	}
}

func TestDifferenceOfEpochs(t *testing.T) {
	p, _ := openDCPI(t, databaseFiles(t, "app.nmS")...)
	for event, want := range readDCPITables(t).Diff {
		find, err := p.FindDiff(t.Context(), dcpidb.DiffQuery{
			Selection: dcpidb.Selection{Events: []string{event}, By: dcpidb.ByEpoch}, A: dcpiEpochs[want.Before],
			B: dcpiEpochs[want.After],
		})
		if err != nil {
			t.Fatal(err)
		}
		page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 100}})
		if err != nil {
			t.Fatal(err)
		}
		rows := table.RowsOf[dcpidb.DiffRow](&page)
		if len(rows) != len(want.Rows) {
			t.Fatalf("%s: %d rows, not %d", event, len(rows), len(want.Rows))
		}
		for i, w := range want.Rows {
			row := rows[i]
			if name, _ := w[0].(string); name != row.Name || row.Before.Of != w[1] || row.After.Of != w[2] ||
				row.Delta.Of != w[3] || row.Spread.Of != math.Abs(row.Delta.Of) {
				t.Errorf("%s: row %d is %s %v; want %v", event, i, row.Name, row.Values, w)
			}
		}
	}
}

// Every figure of the tables must add up to what the profiles hold.
func TestSamplesAreNeverLost(t *testing.T) {
	for name, files := range map[string][]format.File{
		"symbols": databaseFiles(t, "app.nmS"), "none": databaseFiles(t), "cat": catFiles(t),
	} {
		t.Run(name, func(t *testing.T) {
			p, d := openDCPI(t, files...)
			want := map[string]uint64{}
			for f := range d.DCPI.Profiles() {
				want[f.Event] += f.Samples
			}
			for _, by := range dcpidb.Dimensions {
				s := dcpidb.Selection{By: by}
				procedures, err := p.Procedures(t.Context(), dcpidb.ProcedureQuery{Selection: s, Limit: 1000})
				if err != nil {
					t.Fatal(err)
				}
				addresses, err := p.Addresses(t.Context(), dcpidb.AddressQuery{Selection: s, Limit: 100_000})
				if err != nil {
					t.Fatal(err)
				}
				images, columns := p.Totals(s, dcpidb.OfImage)
				sums := make([][3]uint64, len(columns))
				for i := range columns {
					for _, row := range procedures.Rows {
						sums[i][0] += row.Cells[i].Samples
					}
					for _, row := range addresses.Rows {
						sums[i][1] += row.Cells[i].Samples
					}
					for _, row := range images {
						sums[i][2] += row.Cells[i].Samples
					}
					total := columns[i].Total.Samples
					if sums[i] != [3]uint64{total, total, total} || by == dcpidb.ByEvent && total != want[columns[i].Name] {
						t.Errorf("by %s, %s: %v of %d", by, columns[i].Name, sums[i], total)
					}
				}
				if last := addresses.Rows[len(addresses.Rows)-1]; addresses.Matching == len(addresses.Rows) &&
					math.Abs(last.Cum-1) > 1e-9 {
					t.Errorf("by %s: shares add up to %f", by, last.Cum)
				}
			}
		})
	}
}

func catFiles(t testing.TB) []format.File {
	t.Helper()
	var files []format.File
	for _, name := range []string{"dump0.txt", "dump1.txt"} {
		data, err := os.ReadFile(filepath.Join("../../decode/dcpi/testdata/cat", name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, format.File{Name: name, Data: data})
	}
	return files
}

func TestHeatMapAddsUp(t *testing.T) {
	p, d := openDCPI(t, databaseFiles(t)...)
	extent, err := p.HeatExtent(t.Context(), 0)
	if err != nil || extent < d.DCPI.Images[0].TextSize {
		t.Fatal(extent, err)
	}
	for _, cell := range []uint64{4, 64, 100, 8192} {
		var sum uint64
		for from := uint64(0); from < extent; {
			h, err := p.HeatMap(t.Context(), dcpidb.HeatQuery{Image: 0, From: from, Cell: cell, Cells: 7})
			if err != nil || len(h.Cells) == 0 {
				t.Fatal(len(h.Cells), err)
			}
			for _, c := range h.Cells {
				for i := range c.Cells {
					sum += c.Cells[i].Samples
				}
			}
			from += uint64(len(h.Cells)) * cell
		}
		if sum != p.Overview.Samples.Lo {
			t.Errorf("cells of %d bytes hold %d samples of %v", cell, sum, p.Overview.Samples)
		}
	}
}

// The tables keep what the decoder read: every count at its offset, and the
// header's lines.
func TestDCPITablesKeepTheCounts(t *testing.T) {
	paths, err := filepath.Glob("../../decode/dcpi/testdata/hand/*.prof")
	if err != nil || len(paths) == 0 {
		t.Fatal(err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p, d := openDCPI(t, format.File{Name: filepath.Base(path), Data: data})
		want := map[uint64]uint32{}
		profile := &d.DCPI.Files[0].Profiles[0]
		for chunk := range profile.Each {
			for i, n := range chunk.Counts {
				if n > 0 {
					want[chunk.Offset+profile.Stride*uint64(i)] = n
				}
			}
		}
		page, err := p.Addresses(t.Context(), dcpidb.AddressQuery{Limit: len(want) + 1})
		if err != nil || len(page.Rows) != len(want) {
			t.Fatalf("%s: %d counts of %d, %v", path, len(page.Rows), len(want), err)
		}
		for _, row := range page.Rows {
			if got := row.Cells[0].Samples; got != uint64(want[row.Offset]) {
				t.Errorf("%s: %d at %d, not %d", path, got, row.Offset, want[row.Offset])
			}
		}
		lines, err := p.Lines(t.Context(), 0)
		if err != nil || len(lines) != len(profile.Lines) {
			t.Fatal(len(lines), err)
		}
		for i, l := range lines {
			if w := profile.Lines[i]; l.Key != w.Key || l.Value != w.Value || l.Kind != w.Kind || l.Offset != w.Offset {
				t.Errorf("%s: line %d is %+v", path, i, l)
			}
		}
	}
}

func TestListingsThatDoNotFit(t *testing.T) {
	profiles := databaseFiles(t)
	for _, test := range []struct{ name, listing, code string }{
		{"app.nm", "0000000000001000 T main\n0000000000001100 T other\n", "dcpi.symbols_elsewhere"},
		{"app.nm", "0000000120001000 T main\n0000000120001100 T other\n", ""},
		{"lib.nm", "0000000120001000 T main\n0000000120001100 T other\n", ""}, // in the only text
	} {
		p, _ := openDCPI(t, append(slices.Clone(profiles), format.File{Name: test.name, Data: []byte(test.listing)})...)
		o := p.Profile.Overview
		found := slices.ContainsFunc(o.Findings, func(f model.Finding) bool { return f.Code == test.code })
		if test.code != "" && !found || test.code == "" && len(o.Findings) > 0 {
			t.Errorf("%s: findings are %+v", test.name, o.Findings)
		}
		if test.code != "dcpi.symbols_elsewhere" {
			continue
		}
		page, err := p.Procedures(t.Context(), dcpidb.ProcedureQuery{
			Selection: dcpidb.Selection{Shift: 0x120001000 - 0x1000}, Limit: 10,
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(page.Rows, func(r dcpidb.ProcedureRow) bool { return r.Name == "main" }) {
			t.Error("moved symbols name nothing")
		}
	}
}

func TestDCPIAsSQLite(t *testing.T) {
	p, _ := openDCPI(t, databaseFiles(t, "app.nmS")...)
	path := filepath.Join(t.TempDir(), "export.db")
	if err := profile.WriteSQLite(t.Context(), p.Profile, path); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for event, want := range readDCPITables(t).Combined {
		rows, err := db.QueryContext(t.Context(),
			`SELECT coalesce(procedure, ''), samples, percent FROM procedure_view WHERE event = ?`, event)
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		n := 0
		for ; rows.Next(); n++ {
			var name string
			var samples uint64
			var percent float64
			if err := rows.Scan(&name, &samples, &percent); err != nil || n >= len(want.WithSizes.Rows) {
				t.Fatal(event, n, err)
			}
			w := want.WithSizes.Rows[n]
			if w.Procedure == nil {
				w.Procedure = new("")
			}
			if name != *w.Procedure || samples != w.Samples || percent != w.Percent {
				t.Errorf("%s: row %d is %s, %d, %v; want %+v", event, n, name, samples, percent, w)
			}
		}
		if err := rows.Err(); err != nil || n != len(want.WithSizes.Rows) {
			t.Errorf("%s: %d rows of %d, %v", event, n, len(want.WithSizes.Rows), err)
		}
	}
}

// The catalog shows procedures and samples; a database's addresses are all in the
// distribution.
func TestFigures(t *testing.T) {
	p, d := openDCPI(t, databaseFiles(t, "app.nmS")...)
	prepared, err := dcpidb.Family.Prepare(t.Context(), &stored.Preparing{Profile: d.Profile, Records: d.DCPI})
	if err != nil {
		t.Fatal(err)
	}
	counts := prepared.Figures()
	procedures, sum, want := 0, uint64(0), uint64(0)
	for i := range p.Overview.Images {
		procedures += p.Overview.Images[i].Symbols
	}
	for i := range p.Overview.Profiles {
		want += p.Overview.Profiles[i].Nonzero
	}
	for _, n := range counts.Magnitudes[1:] {
		sum += n
	}
	if counts.Functions != procedures || procedures == 0 || counts.Total != p.Overview.Samples.String() || sum != want {
		t.Errorf("%d procedures, %s samples, %d addresses; expected %d, %s and %d", counts.Functions, counts.Total, sum,
			procedures, p.Overview.Samples, want)
	}
}

func TestUnknownColumnsAndSets(t *testing.T) {
	p, _ := openDCPI(t, databaseFiles(t)...)
	find := func(d *table.Declaration, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, c := range d.Sorts() {
			words = append(words, string(c))
		}
		return strings.Join(words, " ")
	}
	procedures, ask, err := p.FindProcedures(t.Context(), dcpidb.Selection{}, 0)
	if got := find(procedures, err); got != "name kind image address size samples cycles imiss imiss_ratio" {
		t.Errorf("procedures are sorted by %s", got)
	}
	addresses, _, err := p.FindAddresses(t.Context(), dcpidb.Selection{}, 0, 0)
	if got := find(addresses, err); got != "address image samples cycles imiss imiss_ratio" {
		t.Errorf("addresses are sorted by %s", got)
	}
	_, err = ask(t.Context(), table.Query{
		RowQuery: query.RowQuery{Sort: []query.Key{{Column: "cycles"}, {Column: "cycle"}, {Column: "x"}}},
	})
	if err == nil || !strings.HasPrefix(err.Error(), `cannot sort by "cycle"; use name`) &&
		!strings.HasPrefix(err.Error(), `cannot sort by "x"; use name`) {
		t.Error(err)
	}
	if _, err := p.FindDiff(t.Context(), dcpidb.DiffQuery{A: "x", B: "y"}); err == nil ||
		err.Error() != "there is no profile of x" {
		t.Error(err)
	}
}

// Rows are told apart, ordered both ways, ranged and found by what the columns are called.
func TestRowsAreSortedAndSelected(t *testing.T) {
	p, _ := openDCPI(t, databaseFiles(t, "app.nmS")...)
	for _, by := range dcpidb.Dimensions {
		for _, unit := range dcpidb.Units {
			s := dcpidb.Selection{By: by, Unit: unit}
			finds := map[string]func() (*table.Declaration, table.Find, error){
				"procedures": func() (*table.Declaration, table.Find, error) { return p.FindProcedures(t.Context(), s, 0) },
				"addresses":  func() (*table.Declaration, table.Find, error) { return p.FindAddresses(t.Context(), s, 0, 0) },
			}
			for _, of := range []dcpidb.TotalOf{dcpidb.OfImage, dcpidb.OfEpoch, dcpidb.OfPlatform} {
				finds[string(of)] = func() (*table.Declaration, table.Find, error) { return p.FindTotals(t.Context(), s, of) }
			}
			for name, open := range finds {
				d, find, err := open()
				if err != nil {
					t.Fatal(err)
				}
				ask := func(q query.RowQuery) []float64 {
					page, err := find(t.Context(), table.Query{RowQuery: q})
					if err != nil {
						t.Fatal(name, err)
					}
					var of []float64
					for i := range page.Len() {
						row := page.Row(i).Addr().Interface().(dcpidb.Figured)
						of = append(of, row.Figures()[0].Value(unit))
					}
					return of
				}
				for _, column := range d.Sorts() {
					up, down := ask(query.RowQuery{Sort: []query.Key{{Column: column}}, Limit: 1000}), ask(query.RowQuery{
						Sort: []query.Key{{Column: column, Desc: true}}, Limit: 1000,
					})
					slices.Sort(up)
					if column == "samples" && !slices.IsSortedFunc(down, func(a, b float64) int {
						return int(math.Copysign(1, b-a)) * min(1, int(math.Ceil(math.Abs(b-a))))
					}) {
						t.Errorf("%s by %s, %s: -samples gives %v", name, by, unit, down)
					}
					if slices.Sort(down); !slices.Equal(up, down) {
						t.Errorf("%s by %s: %d rows one way and %d the other", name, column, len(up), len(down))
					}
				}
				all := ask(query.RowQuery{Limit: 1000})
				few := ask(query.RowQuery{Limit: 1000, Ranges: []query.Range{{Column: "samples", Min: 100, Max: math.MaxUint64}}})
				if name == "procedures" && (len(few) == 0 || len(few) >= len(all)) {
					t.Errorf("%s: %d of %d have 100 samples", name, len(few), len(all))
				}
				if none := ask(query.RowQuery{Limit: 1000, Text: "no such name"}); len(none) > 0 {
					t.Errorf("%s: %d rows of no name", name, len(none))
				}
			}
		}
	}
}
