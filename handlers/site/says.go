package site

// Objects are what its objects of the API are written from, by their names.
var Objects = map[string]any{
	"Suggestion": suggestions, "Sighting": occurrences, "Problem": Problem{}, "Version": Version{},
}

// ObjectsSay is what these are.
const ObjectsSay = `
	=site.Suggestion
	.fid: Empty for functions without one.
	.measure: Unit of total; lines of a source file.
	.share: Share of the profile.
	=site.whole
	.complete: False if there was no time to search every name.
	=site.Occurrence
	.profile: ID of the profile that has it.
	.relation: What the profiles have in common.
	.fid: ID of the function there; empty if it has none.
	.func_hash: FuncHash of the record with the largest total. A different FuncHash means that the counters belong to
	different code.
	.measure: What total counts: counts, bytes allocated below the function, bytes of its code that ran, or samples.
	.share: Share of the profile; for covered, of the function.
	=site.Problem Problem: A problem as in RFC 9457.
	.kind: The field's own term, such as truncated, bad_magic, unsupported_version or malformed, or a general one such
	as not_found or bad_parameter. Of a server that cannot do it just now: catalog_away, store_unavailable and
	newer_version with status 503, store_full and no_room with 507, all with Retry-After.`

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
	?family {families}|ranks: Family to compare. Default: the first that both profiles
	have, or ranks if they have none in common.
	?project: Name of a project.
	?commit: Commit, or at least its first four characters; of a profile without one, its ID.
	?branch: Name of a branch.`
