package handlers

import (
	"strconv"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/names"
	"proflens/profiledb/memprofdb"
	"proflens/tables"
)

// heapFigures are the numbers of a heap profile for a terminal, exact. What the
// profile has no field for is left out.
func heapFigures(t *profileWriter, o *memprofdb.Overview) {
	uint := func(n uint64) string { return strconv.FormatUint(n, 10) }
	list := []textFigure{{"contexts", uint(o.Contexts), "of " + strconv.Itoa(o.Sites) + " sites in " + strconv.Itoa(o.Owners) + " functions"}}
	for _, f := range []struct {
		field memprof.MIBField
		textFigure
	}{
		{memprof.TotalSize, textFigure{"bytes", o.Bytes.String(), "requested"}},
		{memprof.AllocCount, textFigure{"allocations", o.Allocations.String(), "objects"}},
		{memprof.TotalAccessCount, textFigure{"accesses", o.Accesses.String(), ""}},
		{memprof.TotalLifetime, textFigure{"lifetime", o.Lifetime.String(), "ms, of all objects"}},
		{memprof.MaxLifetime, textFigure{"longest lifetime", uint(uint64(o.Longest)), "ms"}},
	} {
		if o.Schema.Has(f.field) {
			list = append(list, f.textFigure)
		}
	}
	for i, class := range analyze.HeapClasses {
		if c := &o.Classes[i]; c.Contexts > 0 {
			name := string(class)
			if class == analyze.HeapUnknown {
				name = "of unknown class"
			}
			list = append(list, textFigure{name, uint(c.Contexts), "contexts, " + c.Bytes.String() + " bytes"})
		}
	}
	mixed := textFigure{"mixed sites", strconv.Itoa(o.MixedSites), "none needs cloning"}
	if o.MixedSites > 0 {
		mixed.note = "of cold contexts and others: they need cloning"
	}
	t.list(append(list, mixed))
}

// heapSites are the functions that allocate most.
func heapSites(t *profileWriter, page *memprofdb.SitePage, modules []memprofdb.Module) {
	if len(page.Rows) == 0 {
		return
	}
	width, whole := len(page.Rows[0].Bytes.String()), page.Totals.Bytes.Float64()
	short := func(linkage string) string { return names.Demangle(linkage, names.Short) }
	t.line("\nfunctions that allocate, by bytes")
	for i := range page.Rows {
		r := &page.Rows[i]
		name := "<no call stack>"
		if r.Function != nil {
			name = textWord(tables.HeapFunctionName(r.Function, modules, short))
		}
		t.line("  %*s  %6.2f%%  %s", width, r.Bytes.String(), 100*part(r.Bytes.Float64(), whole), name)
	}
}

// heapCommands are what can be asked of a heap profile.
func heapCommands(t *profileWriter, next func(does, call string)) {
	next("allocation contexts", quoted(t.api, "/allocations?format=text"))
	next("those with a function", quoted(t.api, "/allocations?format=text&q=NAME"))
	next("cold ones", quoted(t.api, "/allocations?format=text&class=cold"))
	next("calls that allocate", quoted(t.api, "/sites?format=text&by=line"))
	next("by source file", quoted(t.api, "/sites?format=text&by=file"))
	next("folded, for flame graphs", quoted(t.api, "/flamegraph?format=folded"))
	next("for go tool pprof", "-OJ "+quoted(t.api, "/export/pprof"))
	if t.wanted {
		next("wanted executables", quoted(t.api, "/modules?format=text"))
		next("to give one", "-F file=@PROGRAM "+quoted(t.api, "/files"))
	}
}
