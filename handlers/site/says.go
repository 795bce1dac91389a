package site

// Objects are what its objects of the API are written from, by their names.
var Objects = map[string]any{"Suggestion": suggestions, "Sighting": occurrences}

// Params say what parameters are that mean the same on all routes of the API that take them,
// in the notation of package openapi.
const Params = `
	=site.Exact Count
	=figure.Exact Count
	=Count integer 0.. or /^[0-9]+$/: An exact integer that can exceed 2^64. A string of digits with counts=string.
	?id: ID of a profile.
	?fid: NameRef in 16 hexadecimal digits. For Machine IR Profiles, the signature, followed by - and the raw offset
	if several functions share it.
	?q: Words to find in the mangled or demangled name, in any order. ASCII case is ignored.
	?re: Regular expression (RE2) over the mangled or demangled name. Case-sensitive.
	?path: Prefix of the file path. Append ; to match the whole path; ; alone selects names without one.
	?rewrite list ..16: A rule from=to: replaces the start of file paths, in whole components. An empty to removes it.
	The first rule that fits a path applies.
	?namespace: Functions in a namespace or class and below. Append :: for only those directly in it; :: alone selects
	those in none.
	?page integer 1..: Page number, from 1.
	?cursor: next_cursor of the previous page.
	?limit integer 0..1000 =100: Maximum number of rows. A JSON page also ends at 8 MiB of rows; next_cursor continues
	from there.
	?cols: Columns, comma-separated.
	?names full|short|notemplates|mangled: Form of demangled names.
	?counts string|: Quotes counts, for JavaScript.
	?guard boolean: Puts an apostrophe before CSV text that a spreadsheet would read as a formula, except linkage
	names. Names are exact without it.
	?format json|csv|ndjson|text: Overrides the Accept header. csv, ndjson and text return every row unless you ask
	for a page.
	?total range: Range of the sum of the counters
	?max range: Range of the largest counter or count
	?entry range: Range of the entry count
	?pair: A...B: IDs of the base and test profiles, with three dots between them.
	?family instr|memprof|mip|dcpi|coverage|sample|ranks: Family to compare. Default: the first that both profiles
	have, or ranks if they have none in common.
	?project: Name of a project.
	?commit: Commit, or at least its first four characters; of a profile without one, its ID.
	?branch: Name of a branch.`
