package instrweb

import "proflens/profile/instrdb"

// objects are what the family's objects of the API are written from, by their names: rows of
// tables with those of their lists.
var objects = map[string]any{
	"TraceRow TraceList": instrdb.Traced, "OrderRow TraceList": instrdb.Order, "Comparison": comparisonObject{},
	"Pair Comparison": instrdb.Pairs, "ValueSiteRow ValueSiteList": instrdb.ValueSites, "VTable": instrdb.VTables,
	"VTableSite": instrdb.VTableSites, "Function": instrdb.Functions, "BitmapRecord BitmapList": instrdb.Bitmaps,
}

// objectsSay is what objects are, and what members of structs and tables are more than they say.
const objectsSay = `
	=instrweb.comparedObject ComparedProfile
	=instrweb.comparisonObject Comparison
	.hotter: Matched records with a larger share in the test profile.
	.warning: Why the figures mean little, if they do: the counters count different things.
	=instrweb.counts
	.file_records: Records in the file, as llvm-profdata show counts them: records with the same name and FuncHash
	count separately. Equals functions in most files.
	=instrdb.Overview
	.histogram: Number of counters that are 0, then of those in 2^(i-1) .. 2^i-1.
	=instrweb.overlapObject Overlap: What llvm-profdata overlap computes.
	.score: Overlap of the counters in the sums only. Differs from edge.overlap if a profile has both plain and
	context-sensitive records.
	=instrweb.overlapPart OverlapPart: Fractions of 1, and the sums of counts.
	=instrweb.quality Quality: What to know before you trust the profile. Figures that do not apply are null.
	.counters_of_99_percent: How many of the largest counters hold 99 % of the total.
	=analyze.QualityFigures
	.all_ones: Functions with several counters, all of them 1. Null for byte coverage.
	.entry_zero: Functions that ran but have entry count 0. Null if there are no entry counts.
	.short_sites: Value sites whose counts add up to less than their function's only counter, by kind.
	=instrprof.Summary Summary
	=analyze.Thresholds Thresholds
	=instrdb.ValueRow
	.func_hash: FuncHash of the record.
	.top: Name of the top value; null if unknown.
	=instrdb.PairRow
	.change: Change of the share of the total, test minus base.
	.overlap: Score of the counters by the records' own sums, as llvm-profdata overlap --function prints it. Null if
	there is none.
	=instrdb.TraceSums
	.traces: Number of traces in the profile.
	.trace_stream_size: Number of traces ever seen.
	=instrdb.PlacedFunction
	.max: Largest counter; 0 without a record.
	=instrdb.VTable
	.class: Class of the vtable; null if its name does not say.
	.size: Size in bytes of the vtable at that address.
	.ranges: Where it was in memory, lowest address first. Several libraries or runs give several places.
	=instrdb.VTableSite
	.vtable: NameRef of the vtable.
	.class: Class of the vtable; null if its name does not say.
	.addresses: Values of the site that are addresses in the vtable. A vtable has one address point per base.
	=instrdb.BitmapRow
	.bits: Eight per byte. Some may be unused.
	=instrdb.Row
	.rank: Rank in the default order, from 1.
	.fid: NameRef: the first eight bytes of the MD5 of the PGO name, read as little-endian.
	.func_hash: FuncHash; null for merged records.
	.file: File that the function is declared in, by the debug info or the coverage mapping of a program given with
	the profile; null if not known.
	.line: Line of the declaration; null if not known.
	.class: Null if the summary has no hot threshold, and for pseudo counts.
	.share: Share of the profile's total, 0 to 1.
	.share_matching: Share of the total of the matching rows. Only in filtered answers.
	.cum: Running total of the shares in this order.
	.max: Largest counter; 0 without a record.
	.max_index: Index of the first counter with the maximum.
	.counters: Number of counters in the record.
	.value_sites: Number of value sites of all kinds.
	.ordinal: Position in the file, from 0.
	.records: Number of records in the row when names are merged. If more than one, figures are sums; fid,
	name and path come from the record with the largest total.
	=instrdb.Page
	.all: Number of records in the profile.
	.complete: False if a text filter ran out of time. Ask again to continue.
	.records: Number of matching records when names are merged.
	.scanned: Records the filter has read so far, if not complete.
	=FunctionList
	.next_cursor null: Position of the next page; null on the last. While complete is false, the same position again.
	.total integer 0..: Number of matching rows.
	=FunctionRecord: A function record in full.
	.+ Function -share_matching -records rank fid name linkage_name demangled path class total share cum entry max counters
	zero executed value_sites context_sensitive pseudo
	.func_hash fid !: FuncHash of the record.
	.max_index integer 0.. !: Index of the first counter with the maximum.
	.ordinal integer 0.. !: Position in the file, from 0.
	.counter_values_from integer 0.. !: Index of the first value in counter_values.
	.counter_values list Count !
	.sites list ValueSite !
	.bitmap /^([0-9a-f]{2})*$/ null !: MC/DC bitmap bytes in hexadecimal.
	.mcdc MCDC null !: The same bitmap by bits: bit i is bit i%8 of byte i/8, lowest first.
	=MCDC
	.layout test-vectors|condition-masks null !: What a bit stands for: a test vector of a decision since LLVM 19, or
	which conditions were true in LLVM 18. Null if the profile does not say.
	.bits integer 8.. !: Eight per byte. Some may be unused.
	.set list integer 0.. !: Numbers of the set bits, ascending.
	=FunctionDetail: Every record of one name.
	.fid fid !: NameRef: the first eight bytes of the MD5 of the PGO name, read as little-endian.
	.name null !: Recorded (PGO) name, with U+FFFD for bytes that are not UTF-8. Null if the file has no name.
	.name_hex: Bytes of the name in hexadecimal; present only if it is not UTF-8.
	.linkage_name null !: Name without the file path.
	.demangled null !: Demangled name, in the form that names asks for.
	.path !: File path of a local function; empty for others.
	.records list FunctionRecord !: At most 1000 records, hottest first, always with the records of the requested hash.
	.total integer 1001..: Number of records of the name, if more than are listed.
	=ValueOverlaps: The same by kind of value site, if there are counts.
	.* KindOverlap
	=KindOverlap
	.overlap number !
	.base number !
	.test number !
	=TreeNode
	.depth integer 0..: Levels below the node asked for, which is 0.
	.kind branch|leaf|direct|none: branch: has nodes below it. leaf: has none. direct: functions of a branch that are in
	no node below it. none: functions without a path, or in no namespace.
	.path: Full path; empty for all and for none.
	.filter: Selects the node's functions when passed as path, with the same rewrite, or as namespace.
	.functions Count
	.executed Count
	.never Count
	.executed_share number 0..1: Share of the functions.
	.counters Count
	.zero Count
	.counters_share number 0..1: Share of counters above 0.
	.total Count
	.share number 0..1: Share of the profile's total.
	=TreeNodeList
	.by path|namespace !
	.node TreeNode !
	.total integer 0..: Number of nodes.
	.all integer 0.. !: Function records in the profile.
	.complete boolean !: False if reading all names ran out of time. Ask again to continue.
	.scanned integer 0..: Records in the tree so far, if not complete.
	.crowded boolean: True if there were too many nodes. Functions without a node of their own count in the nearest node
	above.
	=ChangeNode
	.kind branch|leaf|direct|none: As in TreeNode. branch if either profile has nodes below it.
	.path: Full path; empty for all and for none.
	.filter: Selects the node's records in a comparison when passed as path, with the same rewrite, or as namespace.
	.change number -1..1: Change of the share, test minus base.
	.base_share number 0..1: Share of the base profile's total.
	.test_share number 0..1: Share of the test profile's total.
	.base_total Count
	.test_total Count
	.base_functions Count
	.test_functions Count
	.base_executed Count
	.test_executed Count
	=ChangeNodeList
	.by path|namespace !
	.node ChangeNode !
	.total integer 0..: Number of nodes.
	.crowded boolean: True if there were too many nodes. Functions without a node of their own count in the nearest node
	above.
	=ValueSite
	.kind IPVK_IndirectCallTarget|IPVK_MemOPSize|IPVK_VTableTarget !
	.index integer 0.. !: Index of the site within its kind.
	.values list Value !
	=Value
	.value Count !
	.count Count !
	.target Target null
	=Target
	.fid fid !: NameRef of the target.
	.has_record boolean !
	.name
	.linkage_name
	.demangled`
