package instrweb

import (
	"proflens/handlers/site"
)

// params say what the family's parameters are.
const params = `
	?by path|namespace: What to build the tree from. Machine IR Profiles default to namespaces.
	?depth integer 1..64 =1: Levels below the node.
	?named: Functions with exactly this name, in the form that names asks for.
	?merge names|: Combines matching records with the same name, in the form that names asks for, into one row.
	Context-sensitive records stay separate.
	?class: Any of hot, warm, cold, never, none; comma-separated.
	?executed boolean: true keeps functions with a counter, merge count or call count above 0; false keeps the others.
	?cs boolean: true keeps context-sensitive records; false keeps plain ones.
	?quality
	/^(saturated|all-ones|entry-zero|hashes|no-name|pseudo|blocks-differ)(,(saturated|all-ones|entry-zero|hashes|no-name|pseudo|blocks-differ))*$/:
	Suspicious records, as a comma-separated list. saturated: a counter at the largest legal value. all-ones: several
	counters, all 1. entry-zero: ran but has entry count 0. hashes: the name has several FuncHashes. no-name: has no
	name. pseudo: holds a pseudo count. For Machine IR: no-name, and blocks-differ if files disagree about its blocks.
	?counters range: Range of the number of counters
	?zero range: Range of the number of counters that are 0
	?sites range: Range of the number of value sites
	?ordinal range: Range of the position in the file, from 0
	?rank range: Range of the rank in the default order, from 1
	?hash: FuncHash in hexadecimal.
	?sel: Ignored here; used by pages.`

// treeParams say what the parameters of trees of functions are.
const treeParams = `
	?q: Words to find in a node's path or namespace, in any order; all must match.
	?functions: Range of the number of functions at or below a node: N, N.., ..N or N..M.
	?path: A node: a path or a namespace. ; selects names without a path; :: selects functions in no namespace.
	Default: all.
	?sort: Comma-separated columns, with - for descending: name, functions, executed, never, counters, zero,
	total. Machine IR Profiles: name, functions, executed, never, bytes, never_bytes, covered_bytes,
	covered_share, blocks, covered_blocks, call_count. Default: -total; for Machine IR -bytes.`

// calls are the routes of the API.
func (s *handler) calls(
	at func(string, site.Handler) site.Route, t map[string]site.TableExport, values site.TableExport,
) []site.Route {
	list := s.Lists(at, t)
	return []site.Route{
		list("/functions", `functions listFunctions: The function table
		?sort: Comma-separated columns, with - for descending: total, max, entry, counters, zero, sites, name, hash,
		ordinal, file, rank. Machine IR Profiles: size, covered_bytes, missed_bytes, covered_share, blocks,
		merge_count, call_count, weight, avg_timestamp, name, address, index. Sample profiles: total, head, entry,
		body, sum, max, own, inlined, inlined_at, inlinees, calls, contexts, places, lost, name. Default: the default
		order; for Machine IR -size, for sample profiles -total.
		>200 FunctionList table: The rows.`),
		list("/functions/", ""),
		at("/functions/{fid}", s.getFunction).Say(`
			functions getFunction: One function: every record, counter and value site
		With format csv, ndjson or text, the counters as a table: func_hash, cs, index, count and share, in order or
		by count. Machine IR and sample profiles have only JSON.
		?counters: Indices of the counters to list: N, N.., ..N or N..M.
		?range: Counters that the page enlarges: N, N.., ..N or N..M. Ignored here.
		?sort: Order of the counter table: index or count, with - for descending. Ignored in JSON.
		>200 FunctionDetail table: The function.`, recordKeys...),
		at("/functions/{fid}/elsewhere", s.Elsewhere(s.named)).Say(`
			functions listElsewhere: One function in other profiles of its program
		Listed profiles that contain a function of this name. Profiles of the same build ID come first, then those of
		the same project and commit label, the same project, and the same name. Unlisted profiles never appear.
		>200 SightingList table: The profiles that contain it.`, site.ListingKeys...),
		at("/suggest", s.Suggest(s.suggest)).Say(`functions listSuggestions: Suggest names for a search
		Up to ten functions or procedures whose names contain every word of q, largest total first. Answers within a
		fraction of a second; complete is false if there was no time to search every name.
		>200 SuggestionList table: The names.`, site.SuggestKeys...),
		at("/tree", s.getTree).Say(`functions getTree: Functions by file path or namespace
		Nodes in preorder, siblings sorted by total. A chain of single children is one node.
`+treeParams+`
		>200 TreeNodeList table: The nodes.`, treeKeys...),
		at("/coverage", s.getCoverage).Say(`
			functions getCoverage: Functions and counters executed, by file path or namespace
		One row per file or namespace with functions of its own; its figures leave out nested ones. node holds the
		sums.
`+treeParams+`
		>200 TreeNodeList table: The nodes.`, coverageKeys...),
		at("/values", s.Listed("-values", values)).Say(`functions listValues: Value sites of one kind
		Sorted by the count of the top value unless sort is given. For indirect calls, the best candidates for call
		promotion come first.
		?target: Words to find in the name of one value that a site saw, in any order; all must match. A value is a
		call target, a vtable, or the decimal digits of a size.
		?kind indirect|memop|vtable: Kind of value site. Default: indirect calls.
		?quality /^(full|short)(,(full|short))*$/: Sites that may lack values, as a comma-separated list. full: as
		many values as the runtime keeps. short: counts below those of the function's only counter.
		?q: Words to find in the function's name, mangled or demangled, in any order.
		?re: Regular expression (RE2) over the function's name.
		?sum: Range of the sum of the site's counts: N, N.., ..N or N..M.
		?top_count: Range of the top value's count.
		?top_share span: Range in per cent of the top value's share of the sum.
		?distinct: Range of the number of values.
		?index: Range of the site's index in its function.
		?sort: Comma-separated columns, with - for descending: top_count, top_share, sum, distinct, index, name, rank.
		Default: -top_count.
		>200 ValueSiteList table: The sites.`, values.Keys...),
		list("/vtables", `functions listVTables: Classes with a vtable
		Each vtable's place in the program's memory, which only raw profiles record, and how often value sites of kind
		IPVK_VTableTarget saw it. The most seen come first. The row with fid 0000000000000000 holds the addresses
		outside any vtable.
		?q: Part of the name, mangled or demangled.
		?re: Regular expression (RE2) over the name.
		?seen boolean: true keeps vtables that a value site saw; false keeps the others.
		?count: Range of how often sites saw it: N, N.., ..N or N..M.
		?sites: Range of the number of sites.
		?functions: Range of the number of function records with these sites.
		?size: Range of the vtable's size in bytes. Leaves out vtables of unknown size.
		>200 VTableList table: The vtables.`),
		at("/vtables/{fid}", s.listVTableSites).Say(`functions listVTableSites: Value sites that saw a vtable
		Those that saw it most often come first unless sort is given. fid is the vtable's NameRef, or 0000000000000000
		for addresses outside any vtable.
		?fid: NameRef of the vtable.
		?q: Words to find in the function's name, mangled or demangled, in any order.
		?re: Regular expression (RE2) over the function's name.
		?count: Range of how often the site recorded it: N, N.., ..N or N..M.
		?site_share span: Range in per cent of the vtable's share of what the site recorded.
		?addresses: Range of the number of addresses in the vtable that the site saw.
		?sort: Comma-separated columns, with - for descending: count, site_share, addresses, name, rank. Default:
		-count.
		>200 VTableSiteList table: The sites.`, s.vtableSites("").Export(s.Site).Keys...),
		list("/bitmaps", `functions listBitmaps: Functions with an MC/DC bitmap
		The largest bitmap comes first unless sort is given. A bit that is set is a combination of conditions that was
		executed. The profile does not say which bits are in use.
		?q: Words to find in the function's name, mangled or demangled, in any order.
		?re: Regular expression (RE2) over the function's name.
		?bytes: Range of the bitmap's size: N, N.., ..N or N..M.
		?set: Range of the number of bits set.
		?unset: Range of the number of bits not set.
		>200 BitmapList table: The functions.`),
		at("/traces", s.listTraces).Say(`functions listTraces: Temporal traces: functions in order of first run
		One row per function and trace. With by=function, one row per function, sorted by its earliest position in any
		trace, then by NameRef. For Machine IR Profiles: one row per function that ran, sorted by average first-call
		position.
		?by trace|function: One row per function and trace, or one per function.
		?q: For traces with by=function: words to find in the function's name, mangled or demangled, in any order.
		?re: With by=function: regular expression (RE2) over the function's name.
		?first: With by=function: range of the earliest position in any trace: N, N.., ..N or N..M.
		?traces: With by=function: range of the number of traces that contain the function.
		?max: With by=function: range of the largest counter.
		?sort: Comma-separated columns, with - for descending. With by=function: place, first, traces, max, name.
		Machine IR Profiles: place, or the columns of their function table. Default: place.
		>200 TraceList table: The functions.`, traceKeys()...),
	}
}
