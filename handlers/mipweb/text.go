package mipweb

import (
	"strconv"

	"proflens/decode/model"
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
		{Label: "functions executed", Value: uint(o.Executed), Note: of(o.Executed, o.Functions)},
		{Label: "bytes covered", Value: uint(o.CoveredBytes), Note: of(o.CoveredBytes, o.Bytes)},
	}
	if o.HasBlocks() {
		list = append(list, site.TextFigure{
			Label: "blocks covered", Value: uint(o.CoveredBlocks), Note: of(o.CoveredBlocks, o.Blocks),
		},
			site.TextFigure{Label: "blocks removed", Value: uint(o.RemovedBlocks), Note: "not in percentages"})
	}
	list = append(list, site.TextFigure{Label: "bytes never executed", Value: uint(o.Bytes - o.ExecutedBytes),
		Note: "in " + model.Amount(o.Functions-o.Executed, "function", "functions")})
	if o.HasCalls() {
		list = append(list, site.TextFigure{Label: "calls", Value: o.Calls.String(),
			Note: model.Amount(o.Saturated, "function", "functions") + " saturated"})
	}
	runs := site.TextFigure{Label: "runs", Value: strconv.Itoa(o.Runs), Note: "raw files"}
	if o.Runs == 0 {
		runs = site.TextFigure{Label: "runs", Value: uint(o.RunsAtLeast), Note: "or more: the largest merge count"}
	}
	t.List(append(list, runs))
}
