package tables_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/profile/dcpidb"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// sampled is the fixture's database with a listing that has sizes.
func sampled(t testing.TB) *stored.Profile {
	t.Helper()
	all, err := filepath.Glob(testdata + "dcpi/testdata/db/*/*/*s")
	if err != nil || len(all) != 8 {
		t.Fatal(all, err)
	}
	paths := []string{"dcpi/testdata/db/app.nmS"}
	for _, path := range all {
		paths = append(paths, strings.TrimPrefix(path, testdata))
	}
	return database(t, paths...)
}

// sampledTables are those that come with the fixture.
type sampledTables struct {
	Events map[string]map[string]struct{ Total uint64 } // by event and epoch
	// Combined has with_sizes, by event.
	Combined map[string]struct {
		WithSizes struct {
			Total uint64
			Rows  []struct {
				Procedure *string
				Samples   uint64
				Cum       float64 `json:"cum_percent"`
			}
		} `json:"with_sizes"`
		Hot [][2]any `json:"hot_instructions"`
	}
	Diff map[string]struct {
		Before, After string
		Rows          [][4]any
	}
}

func expectedTables(t testing.TB) (want sampledTables) {
	t.Helper()
	if err := json.Unmarshal(content(t, "dcpi/testdata/db/expected.json"), &want); err != nil {
		t.Fatal(err)
	}
	return want
}

// Procedures have the samples of each event that the fixture's own tables say, in
// their order and with their running share.
func TestProceduresOfADatabase(t *testing.T) {
	want := expectedTables(t)
	rows := rowsOf(t, sampled(t), "procedures")
	if len(rows) != len(want.Combined["cycles"].WithSizes.Rows) {
		t.Fatalf("%d procedures", len(rows))
	}
	byName := map[string]map[string]any{}
	for i, row := range rows {
		name, _ := row["procedure"].(string)
		byName[name] = row
		w := want.Combined["cycles"].WithSizes.Rows[i]
		if cum, _ := row["cum_share"].(json.Number).Float64(); w.Procedure != nil && *w.Procedure != name ||
			fmt.Sprintf("%.4f", 100*cum) != fmt.Sprintf("%.4f", w.Cum) {
			t.Errorf("row %d is %s with %v so far; want %+v", i, name, row["cum_share"], w)
		}
	}
	for event, table := range want.Combined {
		for _, w := range table.WithSizes.Rows {
			name := ""
			if w.Procedure != nil {
				name = *w.Procedure
			}
			row := byName[name]
			share, _ := row[event+"_share"].(json.Number).Float64()
			if row[event] != json.Number(strconv.FormatUint(w.Samples, 10)) ||
				share != float64(w.Samples)/float64(table.WithSizes.Total) {
				t.Errorf("%q has %v of %s, a share of %v; want %d of %d", name, row[event], event, row[event+"_share"], w.Samples,
					table.WithSizes.Total)
			}
		}
	}
	if main := byName["main"]; main["address"] != "0x120001000" || main["size"] != json.Number("232") ||
		main["image"] != "app" || main["image_id"] != "660b03cd5eed" || main["kind"] != "procedure" {
		t.Errorf("%v", main)
	}
}

func TestSamplesOfADatabase(t *testing.T) {
	want := expectedTables(t)
	list := listed(t, opened(t, sampled(t), "samples", options), 0, -1)
	byAddress := map[string]map[string]any{}
	sums := map[string]int64{}
	for _, row := range list.Items {
		byAddress[row["address"].(string)] = row
		for event := range want.Combined {
			n, err := row[event].(json.Number).Int64()
			if err != nil {
				t.Fatal(err)
			}
			sums[event] += n
		}
	}
	for event, table := range want.Combined {
		if sums[event] != int64(table.WithSizes.Total) {
			t.Errorf("%d samples of %s, want %d", sums[event], event, table.WithSizes.Total)
		}
		for i, hot := range table.Hot {
			row := byAddress[hot[0].(string)]
			if row == nil || row[event] != json.Number(fmt.Sprint(hot[1])) {
				t.Errorf("%s at %v: %v, want %v", event, hot[0], row[event], hot[1])
			}
			if event == "cycles" && list.Items[i]["address"] != hot[0] {
				t.Errorf("row %d is %v, want %v", i, list.Items[i]["address"], hot[0])
			}
		}
	}
	if row := byAddress["0x120001010"]; row["procedure"] != "main" || row["procedure_offset"] != json.Number("16") ||
		row["offset"] != json.Number("4112") {
		t.Errorf("%v", row)
	}
	columns, _ := list.more["columns"].([]any)
	if len(columns) != 2 {
		t.Fatalf("%v", list.more)
	}
	first := columns[0].(map[string]any)
	if first["name"] != "cycles" || first["unit"] != "samples" || first["total"] != json.Number("12723") ||
		first["samples"] != json.Number("12723") {
		t.Errorf("%v", first)
	}
}

// What differs between the epochs is what the fixture says, those that differ most
// first.
func TestDiffOfADatabase(t *testing.T) {
	p := sampled(t)
	for event, want := range expectedTables(t).Diff {
		db, err := dcpidb.Of(p)
		if err != nil {
			t.Fatal(err)
		}
		find, err := db.FindDiff(t.Context(), dcpidb.DiffQuery{Selection: dcpidb.Selection{Events: []string{event}}})
		if err != nil {
			t.Fatal(err)
		}
		table := dcpidb.Differences.Open(find, table.Query{}, options, true)
		got := map[any][3]string{}
		for _, row := range listed(t, table, 0, -1).Items {
			got[row["procedure"]] = [3]string{fmt.Sprint(row["before"]), fmt.Sprint(row["after"]), fmt.Sprint(row["delta"])}
		}
		for _, w := range want.Rows {
			if figures := [3]string{fmt.Sprint(w[1]), fmt.Sprint(w[2]), fmt.Sprint(w[3])}; got[w[0]] != figures {
				t.Errorf("%s of %v: %v, want %v", event, w[0], got[w[0]], figures)
			}
		}
		if len(got) != len(want.Rows) {
			t.Errorf("%s: %d rows, want %d", event, len(got), len(want.Rows))
		}
	}
}

func TestTotalsOfADatabase(t *testing.T) {
	p := sampled(t)
	want := expectedTables(t)
	stamps := map[string]string{"1997-11-04T09:00:00Z": "9711040900", "1997-11-05T09:00:00Z": "9711050900"}
	epochs := rowsOf(t, p, "epochs")
	for _, row := range epochs {
		for event, of := range want.Events {
			if total := of[stamps[row["epoch"].(string)]].Total; row[event] != json.Number(strconv.FormatUint(total, 10)) {
				t.Errorf("epoch %v has %v of %s, want %d", row["epoch"], row[event], event, total)
			}
		}
	}
	if len(epochs) != 2 || epochs[0]["epoch"] != "1997-11-04T09:00:00Z" || epochs[0]["profiles"] != json.Number("4") ||
		epochs[0]["platforms"] != json.Number("2") {
		t.Errorf("%v", epochs)
	}
	if _, has := epochs[0]["epochs"]; has {
		t.Error("an epoch has epochs")
	}
	images := rowsOf(t, p, "images")
	if len(images) != 1 || images[0]["listing"] != "app.nmS" || images[0]["cycles"] != json.Number("12723") ||
		images[0]["imiss"] != json.Number("26733") ||
		images[0]["text_start"] != "0x120000000" || images[0]["cycles_share"] != json.Number("1") ||
		images[0]["symbols"] != json.Number("7") {
		t.Errorf("%v", images)
	}
}

// The profiles have every line of the fixture's own reading of their headers.
func TestProfilesOfADatabase(t *testing.T) {
	rows := rowsOf(t, database(t, "dcpi/testdata/hand/all_lines.prof"), "dcpi-profiles")
	want := []map[string]any{{
		"event": "cycles", "epoch": "1996-12-04T23:34:00Z", "platform": "walnut", "image": "x emacs <b>&.exe",
		"image_id": "19970328c0c18b", "samples": json.Number("24"),
		"addresses": json.Number("3"), "events": json.Number("1523712"), "period": json.Number("63488"),
		"fraction": json.Number("10000"), "cpuspeed": json.Number("333"),
		"cpuamask": "0x303", "cpuimplv": json.Number("2"), "cpucount": json.Number("4"), "chunks": json.Number("1"),
		"stride": json.Number("4"), "version": "pdb-0.07",
		"file": "all_lines.prof",
	}}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
	bare := rowsOf(t, database(t, "dcpi/testdata/hand/short_edition.prof"), "dcpi-profiles")[0]
	for _, column := range []string{"version", "cpuamask", "cpuimplv", "cpucount"} {
		if value, has := bare[column]; !has || value != nil {
			t.Errorf("%s is %v where the header has none", column, value)
		}
	}
}

// An event that is called like another column is told apart from it.
func TestEventsCalledLikeColumns(t *testing.T) {
	var dump strings.Builder
	dump.WriteString("image 12\nepoch 199805191724\nplatform walnut\ntext_start 0x1000\n")
	for _, event := range []string{"address", "offset", "cum", "image", "image_share"} {
		dump.WriteString("event 1 " + event + ":100:10000\n")
	}
	dump.WriteString("0x1000 1 1 1 1 1\n")
	p := store(t, file("dump.txt", dump.String()))
	row := rowsOf(t, p, "samples")[0]
	for _, column := range []string{"column_address", "column_offset", "column_cum", "column_image", "image_share"} {
		if row[column] != json.Number("1") {
			t.Errorf("%s is %v in %v", column, row[column], row)
		}
	}
	if row["address"] != "0x1000" || row["offset"] != json.Number("0") || row["image"] != "12" {
		t.Errorf("%v", row)
	}
}

func TestHeatOfADatabase(t *testing.T) {
	db, err := dcpidb.Of(sampled(t))
	if err != nil {
		t.Fatal(err)
	}
	d, find, err := db.FindHeat(t.Context(), dcpidb.HeatQuery{Image: 0, Cell: 256, Cells: 100})
	if err != nil {
		t.Fatal(err)
	}
	list := listed(t, d.Open(find, table.Query{}, options, true), 0, -1)
	sum := int64(0)
	for i, row := range list.Items {
		n, err := row["cycles"].(json.Number).Int64()
		if err != nil || row["bytes"] != json.Number("256") {
			t.Fatalf("%v, %v", row, err)
		}
		sum += n
		offset, _ := row["offset"].(json.Number).Int64()
		if offset%256 != 0 || row["address"] != fmt.Sprintf("0x%x", 0x120000000+offset) || i > 0 &&
			row["address"].(string) <= list.Items[i-1]["address"].(string) {
			t.Errorf("%v", row)
		}
	}
	if sum != 12723 || list.more["cells"] == nil || list.more["extent"] == nil {
		t.Errorf("%d samples, %v", sum, list.more)
	}
}
