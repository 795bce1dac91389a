package tables_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// seen is what a vtable's row has, or should have.
type seen struct {
	Address     string
	Size, Sites int
	Count       uint64
}

var (
	shownRecord = regexp.MustCompile(`^  (\S.*):$`)
	shownVTable = regexp.MustCompile(`^\t\[ +(\d+), (.*), +(\d+) \]`)
)

// shownVTables are the sites and counts of every vtable as llvm-profdata show
// --show-vtables has them. It writes no name for an address in none.
func shownVTables(t *testing.T, path string) map[string]*seen {
	t.Helper()
	list, sites, record := map[string]*seen{}, map[string]bool{}, ""
	for line := range strings.Lines(string(content(t, path))) {
		line = strings.TrimSuffix(line, "\n")
		if m := shownRecord.FindStringSubmatch(line); m != nil {
			record = m[1]
		}
		m := shownVTable.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		v := list[m[2]]
		if v == nil {
			v = &seen{}
			list[m[2]] = v
		}
		n, err := strconv.ParseUint(m[3], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		v.Count += n
		if site := record + " " + m[1] + " " + m[2]; !sites[site] {
			sites[site] = true
			v.Sites++
		}
	}
	return list
}

const vtablesAt = "instrprof/testdata/vtables/vtables"

// Every vtable stands where the program has it, and was seen as often, at as many
// sites, as llvm-profdata says: one with two address points, one of a template,
// one local to the file, construction vtables, and addresses in the C++ library.
func TestVTables(t *testing.T) {
	want := shownVTables(t, vtablesAt+".show.txt")
	for line := range strings.Lines(string(content(t, vtablesAt+".nm.txt"))) {
		f := strings.Fields(line)
		address, _ := strconv.ParseUint(f[0], 16, 64)
		size, _ := strconv.ParseUint(f[1], 16, 64)
		name := f[3]
		if f[2] == "r" { // local
			name = "vtables.cpp;" + name
		}
		if want[name] == nil {
			want[name] = &seen{}
		}
		want[name].Address, want[name].Size = fmt.Sprintf("0x%x", address), int(size)
	}
	got := map[string]*seen{}
	last := uint64(1<<64 - 1)
	for _, row := range rowsOf(t, database(t, vtablesAt+".profraw"), "vtables") {
		name, _ := row["name"].(string)
		got[name] = seenIn(t, row)
		if n := got[name].Count; n > last {
			t.Errorf("%s stands behind one that was seen less", name)
		} else {
			last = n
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(got) != 14 || got[""] == nil || got["_ZTV4Rect"].Sites != 2 {
		t.Errorf("%d vtables", len(got))
	}
}

func seenIn(t *testing.T, row map[string]any) *seen {
	t.Helper()
	number := func(column string) uint64 {
		n, err := strconv.ParseUint(fmt.Sprint(row[column]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	v := &seen{Sites: int(number("sites")), Count: number("count")}
	if address, ok := row["address"].(string); ok {
		v.Address, v.Size = address, int(number("size"))
	}
	return v
}

// An indexed profile has names and counts, but no addresses; the sites of all
// vtables add up to the classes.
func TestVTablesOfIndexed(t *testing.T) {
	p := database(t, vtablesAt+".profdata")
	want := shownVTables(t, vtablesAt+".show.txt")
	counts := map[string]uint64{}
	for _, row := range rowsOf(t, p, "vtables") {
		name, _ := row["name"].(string)
		v := seenIn(t, row)
		if v.Address != "" || v.Sites > 0 && (want[name] == nil || v.Count != want[name].Count) {
			t.Errorf("%s: %+v", name, v)
		}
		if v.Sites > 0 {
			counts[fmt.Sprint(row["fid"])] = v.Count
		}
	}
	if len(counts) != len(want) {
		t.Errorf("%d vtables were seen, want %d", len(counts), len(want))
	}
	sums := map[string]uint64{}
	for _, row := range rowsOf(t, p, "vtable-sites") {
		n, _ := strconv.ParseUint(fmt.Sprint(row["count"]), 10, 64)
		sums[fmt.Sprint(row["vtable"])] += n
	}
	if diff := cmp.Diff(counts, sums); diff != "" {
		t.Error(diff)
	}
}
