package sampleweb

import (
	"proflens/handlers/site"
)

// params say what the family's parameters are.
const params = `
	?caller fid: Sample profiles: fid of the caller.
	?callee fid: Sample profiles: fid of the callee.
	?function fid: fid of a function: only its rows and what is inlined there; of one that is only inlined, where it
	is.
	?heat hot|warm|cold: Sample profiles: hot, warm or cold functions, by the thresholds of the summary.
	?fit: Sample profiles: any of same, stale, gone, unknown; comma-separated.
	?among sampled|: Sample profiles: sampled lists all functions with counts of their own, inlined ones too, by own
	counts.
	?unlisted boolean: Sample profiles: only functions that the list of symbols lacks.
	?unnamed boolean: Sample profiles: only functions known by the MD5 of their name alone.
	?hot boolean: Only rows with a hot count, as show --hot-func-list.
	?never boolean: Only symbols without a count.
	?head range: Sample profiles: range of head samples
	?body range: Sample profiles: range of the sum of own counts, without inlined ones
	?own range: Sample profiles: range of own counts, wherever the code is
	?inlined range: Sample profiles: range of counts where inlined
	?inlinees range: Sample profiles: range of functions inlined into it
	?calls range: Sample profiles: range of calls to it
	?contexts range: Sample profiles: range of calling contexts
	?sum range: Sample profiles: range of the sum of counts, with inlined ones
	?depth range: Sample profiles: range of frames of the context
	?places range: Sample profiles: range of places with calls
	?inlined_at range: Sample profiles: range of places where it is inlined`

// calls are the routes of the API.
func (s *handler) calls(at func(string, site.Handler) site.Route, t map[string]site.TableExport) []site.Route {
	list := s.Lists(at, t)
	return []site.Route{
		list("/functions", ">200 SampleFunctionList"),
		list("/functions/", ""),
		at("/functions/{fid}", s.FunctionCall("; records?function= lists its counts", "functions of sample profiles",
			s.functionObject)).Say(">200 SampleFunctionDetail", site.RecordKeys...),
		at("/functions/{fid}/elsewhere", s.Elsewhere(s.named)).Say("", site.ListingKeys...),
		at("/suggest", s.Suggest(s.suggest)).Say("", site.SuggestKeys...),
		at("/calls", s.Listed("-calls", t["edges"])).Say(">200 SampleEdgeList", t["edges"].Keys...),
		at("/flamegraph", s.getFlameGraph).Say("", flameAPIKeys...),
		list("/hot", `samples listHot: Hot functions of a sample profile
		What llvm-profdata show --hot-func-list lists: rows with a count that is hot by the summary, by total. Empty
		for a profile without functions.
		>200 SampleEntryList table: The rows.`),
		list("/contexts", `samples listContexts: Rows of a sample profile
		Functions or, with calling contexts, each context of one, by total. q and re look at all frames.
		>200 SampleEntryList table: The rows.`),
		list("/records", `samples listRecords: Counts of a sample profile, place by place
		In the order of the profile: of functions, and of what is inlined into them.
		>200 SampleRecordList table: The rows.`),
		list("/targets", `samples listTargets: Functions called from places of a sample profile
		In the order of the profile: calls that were not inlined.
		>200 SampleTargetList table: The rows.`),
		list("/symbols", `samples listSymbols: Symbols of a profiled program
		Those of its list or, without one, those of the programs given with it.
		>200 SampleSymbolList table: The rows.`),
		list("/summary", `samples listSummary: Detailed summary of a sample profile
		The counts that make up each share of all samples, as show --detailed-summary prints it.
		>200 SampleSummary table: The rows.`),
		list("/sections", `samples listSections: Sections of a sample profile
		Those of an extensible file in the order of its table; empty for other files.
		>200 SampleSectionList table: The rows.`),
	}
}
