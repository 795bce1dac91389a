package memprofweb

import (
	"proflens/handlers/site"
)

// params say what the family's parameters are.
const params = `
	?q: Contexts with this text in a function or source file of any frame, recorded or demangled. Case is ignored.
	?re: Contexts where this regular expression (RE2) matches a function or source file of any frame.
	?focus: Contexts where any frame matches this regular expression.
	?ignore: Contexts where no frame matches this regular expression.
	?path: Contexts where the source file of the allocating frame begins with this. Append ; to match the whole path.
	?class: Contexts of these classes by the thresholds: cold, notcold, hot, unknown; comma-separated.
	?blame fid: Contexts with this blame frame, the first outside the library: fid of its function; 0000000000000000
	for none.
	?type: Contexts that allocate this type, read from names, such as deque<Node>; ? if names do not tell.
	?library: Heap profiles: patterns of the functions and paths that count as library, comma-separated. default
	stands for the built-in list; - in front removes a pattern.
	?lib fold|show: Heap profiles: fold leaves library frames out of call stacks; show keeps them.
	?rec collapse|show: Heap profiles: collapse drops the frames between two calls of one function; show keeps them.
	?owner fid: Contexts that this function allocates, by fid.
	?function fid: Contexts with this function in any frame, by fid.
	?site fid: Contexts of this allocating call, as the list of sites by line names it.
	?mixed boolean: Contexts whose site has both cold and other contexts, so the compiler needs to clone.
	?truncated boolean: Contexts whose call stack has as many addresses as the runtime records, so is probably cut off
	at the root.
	?changed boolean: Contexts whose class by the request's thresholds differs from the compiler's own.
	?index: Range of the order in which stacks were first seen, from 0.
	?bytes span: Range of bytes
	?count span: Range of objects
	?min_size span: Range of bytes
	?avg_size span: Range of bytes
	?max_size span: Range of bytes
	?accesses span: Range of accesses
	?min_accesses span: Range of accesses per object
	?avg_accesses span: Range of accesses per object
	?max_accesses span: Range of accesses per object
	?min_density span: Range of accesses per byte
	?density span: Range of the average accesses per byte
	?max_density span: Range of accesses per byte
	?min_lifetime_density span: Range of accesses per byte and second
	?lifetime_density: Range of the average accesses per byte and second, such as 1000.. or ..0.5. Decides the class.
	?max_lifetime_density span: Range of accesses per byte and second
	?total_lifetime span: Range of milliseconds
	?min_lifetime span: Range of milliseconds
	?lifetime: Range of the average milliseconds, such as 1000.. or ..0.5. Decides the class.
	?max_lifetime span: Range of milliseconds
	?byte_ms span: Range of bytes times milliseconds lived
	?alloc_time span: Range of the milliseconds of the last merged object
	?dealloc_time span: Range of the milliseconds of the last merged object
	?alloc_cpu span: Range of the CPU number of the last merged object
	?dealloc_cpu span: Range of the CPU number of the last merged object
	?migrated_cpu: Range, such as 1000.. or ..0.5. 1 means that the first object was freed on another CPU.
	?lifetime_overlaps span: Range of objects made before the previously merged object was freed
	?same_alloc_cpu span: Range of objects made on the same CPU as the previously merged object
	?same_dealloc_cpu span: Range of objects freed on the same CPU as the previously merged object
	?histogram_size span: Range of the number of eight-byte pieces
	?stack_depth span: Range of frames
	?cold_density number 0.. =0.05: Cold threshold: below this many accesses per byte and second.
	?cold_lifetime number 0.. =200: Cold threshold: at least this many seconds.
	?hot_density number 0.. =1000: Hot threshold: above this many accesses per byte and second.
	?hot_hints boolean =false: Count hot contexts as the compiler does with -memprof-use-hot-hints. Changes no class.`

// api are the routes of the API.
func (s *handler) api(
	at func(string, site.Handler) site.Route, t map[string]site.TableExport, sites site.TableExport,
) []site.Route {
	list := s.Lists(at, t)
	return []site.Route{
		list("/allocations", `heap listAllocations: Allocation contexts of a heap profile
		What each distinct call stack allocated. class follows the compiler's own rule in 32-bit arithmetic: cold,
		notcold, hot, or unknown if the profile lacks a field that the rule needs. The compiler treats hot as notcold
		unless hot hints are on. classes holds the totals of the matching contexts.
		?sort: Comma-separated columns, with - for descending: index, name, class, bytes, count, min_size, avg_size,
		max_size, accesses, min_accesses, avg_accesses, max_accesses, min_density, density, max_density,
		min_lifetime_density, lifetime_density, max_lifetime_density, total_lifetime, min_lifetime, lifetime,
		max_lifetime, byte_ms, alloc_time, dealloc_time, alloc_cpu, dealloc_cpu, migrated_cpu, lifetime_overlaps,
		same_alloc_cpu, same_dealloc_cpu, histogram_size, stack_depth. Unknown values sort last. Default: -bytes.
		>200 ContextList table`),
		at("/allocations/{context}", s.getContext).Say(`heap getContext: One allocation context in full
		Its whole call stack and access histogram, the functions that record it, and the other contexts of its site.
		?context: Address of the context, as the list gives it.
		?format json|: Only json.
		>200 ContextWhole`, contextKeys...),
		at("/sites", s.Listed("-sites", sites)).Say(`heap listSites: Allocation sites of a heap profile
		Adds up contexts by allocating function (regardless of inlining), call to the allocator, source file, blame
		frame (the first outside the library) or type read from names, or as a tree of folders. mixed counts calls
		with both cold and other contexts: these need cloning.
		?by function|line|file|path|blame|type =function: What to group by.
		?node: With by=path: the folder to start below.
		?depth integer 1..64 =1: With by=path: levels below that folder.
		?sort: Comma-separated columns, with - for descending: bytes, count, contexts, accesses, byte_ms, cold_bytes,
		sites, mixed, name; with by=blame and by=type also type, avg_size, lifetime, density. Default: -bytes.
		>200 SiteList table`, sites.Keys...),
		at("/callers", s.listCallers).Say(`heap listCallers: Callers of a blame frame
		The selected contexts, for example those of blame=FID, as a tree of the callers of their blame frames, in
		preorder. callers lists the callers that all contexts of a node share, from the inside out. context is the
		address of a node's only context.
		?nodes integer 1..10000 =60: Maximum number of nodes. The largest are kept.
		>200 CallerList table`, callerKeys...),
		list("/calls", `heap listCalls: Calls that lead to allocations, or calls of a sample profile
		One row per address with a call: what is inlined there, and the totals of the contexts that go through it,
		each counted once. sites counts the sites it reaches. mixed is 1 if it reaches both cold and other contexts,
		so needs a clone. In a sample profile, one row per caller and callee, inlined or not.
		?q: Words to find in the caller, the callee, an inlined function or the file; in a sample profile, in the
		caller or the callee.
		?re: Sample profiles: regular expression (RE2) over the mangled or demangled names. Case-sensitive.
		?mixed boolean: Only calls that reach contexts of several classes.
		?clone boolean: Only calls that need a clone.
		?lib fold|show =fold: With fold, leaves out calls made by the library.
		?sort: Comma-separated columns, with - for descending: bytes, count, contexts, sites, cold_bytes, hot_bytes,
		accesses, caller, callee. Default: -bytes. Sample profiles: weight, calls, inlined, places, inlined_at,
		caller, callee. Default: -weight.
		>200 CallList table`),
		at("/suggest", s.Suggest(s.suggest)).Say("", site.SuggestKeys...),
		at("/flamegraph", s.getFlameGraph).Say(`heap getFlameGraph: The merged call tree of a heap or a sample profile
		Nodes are functions. Columns list nodes in preorder, widest sibling first, after the chain to node z. Node IDs
		are hashes of the path and do not depend on order. hidden counts the nodes left out below a node; pass its ID
		as z to see them. lifetime weighs by bytes times milliseconds lived. A sandwich has callers and callees, each
		a tree that starts at the function. folded and speedscope hold the stacks of all selected contexts.
		?w bytes|allocations|lifetime|accesses|body|total: The weight that widths show. Heap profiles: bytes (the
		default), allocations, lifetime or accesses. Sample profiles: body (the default) or total.
		?layout callees|callers|sandwich =callees: Tree from the root, from the allocating functions, or around one
		function.
		?around fid: With layout=sandwich: fid of the function.
		?z fid: ID of the node to start from.
		?limit integer 1..500000 =20000: Maximum number of nodes. The widest are kept.
		?depth integer 0..: Levels below the first node; 0 means all.
		?min_share number 0..1: Leaves out nodes with a smaller share of the first node.
		?format json|folded|speedscope =json: The tree as json, or whole stacks as folded or speedscope.
		>200 FlameGraph text`, flameAPIKeys...),
		list("/cloning", `heap listCloning: Allocation sites that need cloning
		What LLVM 21 and 22 would clone by these thresholds: sites with both cold and other contexts that call stacks
		can tell apart. separated_bytes counts the cold bytes that get hints in clones. clones is an upper bound. The
		members beside items cover the whole profile.
		?q: Words to find in the function and the file, in any order; all must match.
		?re: Regular expression (RE2) over the same text.
		?cold_bytes: Range of cold bytes: N, N.., ..N or N..M.
		?bytes: Range of bytes.
		?clones: Range of the number of clones.
		>200 CloningList table`),
		list("/pruned-contexts", `heap listPrunedContexts: MIBs of allocation sites after pruning
		What LLVM 21 and 22 make of each site's contexts by these thresholds: the shortest prefixes of call stacks
		that tell classes apart, with the compiler's stack IDs. A site with one class gets an attribute instead, and
		has one row. Sites with the most cold bytes come first.
		?q: Words to find in the functions of the kept frames and the file of the site, in any order; all must match.
		?re: Regular expression (RE2) over the same text.
		?cold_bytes: Range of cold bytes: N, N.., ..N or N..M.
		?bytes: Range of bytes.
		>200 PrunedList table`),
		list("/modules", `heap listModules: Segments of raw heap profiles
		Executable segments mapped when the profile was written. wanted is true if frames are still addresses in the
		segment. Add the executable with that build ID to the profile to name them.
		?q: Words to find in the path, the executable or the build ID, in any order; all must match.
		?re: Regular expression (RE2) over the same text.
		?frames: Range of the number of frames without names: N, N.., ..N or N..M.
		?contexts: Range of the number of contexts with such frames.
		>200 ModuleList table`),
		list("/call-sites", `heap listCallSites: Call sites recorded in an indexed heap profile
		The calls on the way to allocations that an indexed profile records for its functions, in its order, with the
		possible callees of indirect calls.
		?q: Words to find in the function, the frames with their files, and the callees, in any order; all must match.
		?re: Regular expression (RE2) over the same text.
		?stack_depth: Range of the number of frames: N, N.., ..N or N..M.
		?callees: Range of the number of callees.
		>200 CallSiteList table`),
		list("/data-access", `heap listDataAccess: Static data and its accesses
		From a data access profile: most accessed first, then data known to be cold.
		?q: Words to find in the symbol or a literal's hash, and in the declaring files, in any order; all must match.
		?re: Regular expression (RE2) over the same text.
		?access_count: Range of accesses: N, N.., ..N or N..M.
		>200 DataAccessList table`),
	}
}
