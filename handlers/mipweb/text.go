package mipweb

import (
	"strconv"

	"proflens/handlers/site"
	"proflens/profiledb/mipdb"
	"proflens/tables"
)

// mipFigures are the numbers of a Machine IR Profile for a terminal, exact.
func mipFigures(t *site.ProfileWriter, o *mipdb.Overview) {
	uint := func(n uint64) string { return strconv.FormatUint(n, 10) }
	of := func(part, whole uint64) string {
		return "of " + uint(whole) + ", " + strconv.FormatFloat(100*tables.PartOf(part, whole), 'f', 1, 64) + " %"
	}
	list := []site.TextFigure{
		{"functions executed", uint(o.Executed), of(o.Executed, o.Functions)},
		{"bytes covered", uint(o.CoveredBytes), of(o.CoveredBytes, o.Bytes)},
	}
	if o.HasBlocks() {
		list = append(list, site.TextFigure{"blocks covered", uint(o.CoveredBlocks), of(o.CoveredBlocks, o.Blocks)},
			site.TextFigure{"blocks removed", uint(o.RemovedBlocks), "in no percentage"})
	}
	list = append(list, site.TextFigure{"bytes never executed", uint(o.Bytes - o.ExecutedBytes), "in " + uint(o.Functions-o.Executed) + " functions"})
	if t.Ordered = o.HasTimestamps(); t.Ordered {
		list = append(list, site.TextFigure{"calls", o.Calls.String(), strconv.Itoa(o.Saturated) + " functions saturated"})
	}
	runs := site.TextFigure{"runs", strconv.Itoa(o.Runs), "raw files"}
	if o.Runs == 0 {
		runs = site.TextFigure{"runs", uint(o.RunsAtLeast), "or more: the largest merge count"}
	}
	t.List(append(list, runs))
}
