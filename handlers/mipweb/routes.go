package mipweb

import (
	"proflens/handlers/site"
)

// params say what the family's parameters are.
const params = `
	?saturated boolean: Machine IR: functions whose call count is a lower bound.
	?size range: Machine IR: range of bytes
	?covered_bytes range: Machine IR: range of bytes in blocks that ran
	?covered_share span: Machine IR: range in per cent of bytes in blocks that ran
	?missed_bytes range: Machine IR: range of bytes in blocks that did not run
	?blocks range: Machine IR: range of the number of blocks, without removed ones
	?merge_count range: Machine IR: range of the number of runs that executed the function
	?call_count range: Machine IR: range of calls
	?weight range: Machine IR: range of calls times bytes
	?avg_timestamp range: Machine IR: range of the average first-call position
	?index range: Machine IR: range of the position in link order, from 0
	?run integer 1..: Machine IR: functions executed in this raw file, from 1.
	?only-run integer 1..: Machine IR: functions executed only in this raw file, from 1.
	?min-runs integer 1..: Machine IR: functions that ran in at least this many runs.`

// calls are the routes of the API.
func (s *handler) calls(
	at func(string, site.Handler) site.Route, t map[string]site.TableExport, tree, coverage site.TableExport,
) []site.Route {
	list := s.Lists(at, t)
	return []site.Route{
		list("/functions", ">200 MIPFunctionList"),
		list("/functions/", ""),
		at("/functions/{fid}", s.FunctionCall("", "machine IR functions", s.functionObject)).Say(">200 MIPFunctionDetail",
			site.RecordKeys...),
		at("/functions/{fid}/elsewhere", s.Elsewhere(s.named)).Say("", site.ListingKeys...),
		at("/suggest", s.Suggest(s.suggest)).Say("", site.SuggestKeys...),
		at("/tree", s.Listed("-tree", tree)).Say(">200 MIPNodeList", tree.Keys...),
		at("/coverage", s.Listed("-coverage", coverage)).Say(">200 MIPNodeList", coverage.Keys...),
		at("/traces", s.Listed("-order", t["order"])).Say(">200 MIPOrderList", t["order"].Keys...),
		list("/runs", `functions listRuns: Raw files of a Machine IR Profile
		In the order given: what each run executed, what only it executed, and what it and earlier runs executed
		together. Empty for a .mip, which does not tell its runs apart. 404 for other profiles.
		>200 MIPRunList table: The runs.`),
	}
}
