package memprofview

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/internal/humanize"
	"proflens/profile/memprofdb"
	"proflens/profile/query"
)

// addresses names functions by their addresses.
type addresses struct{}

func (addresses) Function(f *memprofdb.Function) humanize.Name {
	return humanize.Name{Base: fmt.Sprintf("0x%x", f.Address)}
}
func (a addresses) Short(f *memprofdb.Function) string {
	if f == nil {
		return "all"
	}
	return a.Function(f).Base
}
func (addresses) LineURL(string, uint32) string { return "" }

// A place is as much of it as is known.
func TestPlaces(t *testing.T) {
	for want, f := range map[string]memprofdb.Frame{
		"a.c:7:3": {Function: &memprofdb.Function{}, File: "a.c", Line: 7, LineOffset: 2, Column: 3},
		"a.c +2":  {Function: &memprofdb.Function{}, File: "a.c", LineOffset: 2},
		"line +2": {Function: &memprofdb.Function{GUID: 1}, LineOffset: 2},
		"line +2:3": {Function: &memprofdb.Function{Name: "f"},
			LineOffset: 2, Column: 3},
		"": {Function: &memprofdb.Function{}, LineOffset: 2, Column: 3},
	} {
		if got := Place(&f); got != want {
			t.Errorf("%+v is at %q, not %q", f, got, want)
		}
	}
}

// A context is called by the function that it is of, its title has the first frames, and what it
// lacks is a dash.
func TestCellsOfContexts(t *testing.T) {
	row := &memprofdb.Row{Context: 5, Depth: 14, Own: 1}
	for i := range 14 {
		row.Stack = append(row.Stack, memprofdb.Frame{Function: &memprofdb.Function{Address: uint64(i + 1)}})
	}
	lines := strings.Split(stackTitle(row, addresses{}), "\n")
	if len(lines) != 13 || lines[0] != "0x1" || lines[12] != "… 2 more" {
		t.Errorf("%q", lines)
	}
	if row.Depth, row.Stack = 12, row.Stack[:12]; strings.Contains(stackTitle(row, addresses{}), "more") {
		t.Error("there is more than all")
	}
	if got := Allocator(row, addresses{}).Base; got != "0x2" {
		t.Errorf("it is called %q", got)
	}
	if got := Allocator(&memprofdb.Row{}, addresses{}).Base; got != "no frames" {
		t.Errorf("without frames it is called %q", got)
	}
	row.MIB = memprof.MIB{Schema: 1<<memprof.AllocCount | 1<<memprof.TotalLifetime, Values: []uint64{30000, 90000}}
	for column, want := range map[query.Column]string{
		"bytes": "–", "count": humanize.Count(30000).Text, "lifetime": humanize.Milliseconds(3).Text, "stack_depth": "12",
	} {
		if got := Figure(column, row).Text; got != want {
			t.Errorf("%s is %q, not %q", column, got, want)
		}
	}
}

// What some sites come to is said by class, and how many need cloning.
func TestWordsOfSums(t *testing.T) {
	totals := &memprofdb.SiteTotals{}
	totals.Bytes.Lo = 300
	totals.Classes[0] = memprofdb.ClassTotals{Contexts: 2, Bytes: analyze.Sum{Lo: 90}}
	totals.Classes[1] = memprofdb.ClassTotals{Contexts: 3, Bytes: analyze.Sum{Lo: 210}}
	if ClassBytes(totals, analyze.MemProfCold).Text != humanize.Bytes(90).Text ||
		ClassBytes(totals, analyze.MemProfHot).Text != "" {
		t.Errorf("%+v", totals.Classes)
	}
	for of, want := range map[[2]int]string{
		{3, 2}: "2 need cloning", {1, 1}: "needs cloning", {2, 1}: "1 needs cloning", {2, 0}: "",
	} {
		totals.Sites, totals.Mixed = of[0], of[1]
		if got := Mixed(totals); got != want {
			t.Errorf("%v: %q, not %q", of, got, want)
		}
	}
	var texts []string
	for _, tag := range ClassTags(totals) {
		texts = append(texts, tag.Text)
	}
	if want := []string{"not cold", humanize.Percent(0.3, 0) + " cold"}; !slices.Equal(texts, want) {
		t.Errorf("%q, not %q", texts, want)
	}
	totals.Classes[0].Contexts, totals.Classes[3] = 0, memprofdb.ClassTotals{Contexts: 1}
	if tags := ClassTags(totals); len(tags) != 1 {
		t.Errorf("%+v", tags)
	}
	of := &memprofdb.BlameSite{}
	of.Bytes.Lo, of.Lifetimes[1].Lo, of.Lifetimes[5].Lo = 300, 75, 225
	if got, want := lifetimesSay(of), "0.1 to 1 ms "+humanize.Percent(0.25, 1)+", 1 s or more "+
		humanize.Percent(0.75, 1); got != want {
		t.Errorf("%q, not %q", got, want)
	}
	if More(0)+More(1) != "" || More(3) != "+2" {
		t.Errorf("%q, %q, %q", More(0), More(1), More(3))
	}
}
