package sampleweb

import "proflens/profile/sampledb"

// objects are what the family's objects of the API are written from, by their names: rows of
// tables with those of their lists.
var objects = map[string]any{
	"SampleFunction": sampledb.Functions, "SampleEntry": sampledb.EntryRows,
	"SampleRecord": sampledb.Records, "SampleTarget": sampledb.Targets, "SampleEdge": sampledb.Edges,
	"SampleSymbol": sampledb.Symbols, "SampleSummaryEntry SampleSummary": sampledb.Cutoffs,
	"SampleSection": sampledb.Sections,
}

// objectsSay is what objects are, and what members of structs and tables are more than they say.
const objectsSay = `
	=sample.Quality
	.unlisted: Functions with counts that the list of symbols lacks; null without a list.
	=sampleweb.inProfile SampleFigures: Figures of sample profiles only.
	=sampledb.Overview
	.program: How the profile stands in the programs given with it; null if none was.
	=sampledb.Cutoff
	.cutoff: Share of all samples, in millionths.
	.counts: Number of counts of at least min_count.
	=sampledb.summed
	.max_function: Largest head.
	.in_file: False if the file has no summary and it is computed.
	=sampledb.Section
	.flags: As llvm-profdata prints them.
	=sampledb.Ident
	.fid: First eight bytes of the MD5 of the name, little-endian.
	.name: Linkage name; null if only the MD5 is known.
	=sampledb.Name
	.name_given: True if the name was given by a program or a list of symbols; the file has its MD5.
	.rank: Rank by total, from 1; null for a function that is only inlined or called.
	.total: Total samples of the function and of all that is inlined into it, as the file has them.
	.entry: Entries, estimated as llvm-profdata does.
	.body: Sum of its own counts, without those of inlined functions.
	.own: Sum of its own counts, also where it is inlined into others.
	.contexts: Rows of the profile: one, or one for each calling context; 0 for a function that is only inlined or
	called.
	.checksum: Checksum of the control flow graph; null without one.
	.attributes: Bits: 1 was inlined, 2 should be inlined, 4 is merged into the base profile.
	.heat: By max and the thresholds of the summary; null for a function that has no row.
	.fit: How it stands in the program given: the same code, another checksum, or gone. Null if that cannot be told.
	.lost: Part of sum that is of stale or gone functions; null without a program that tells.
	.listed: True if it is in the list of symbols; null without a list.
	.file: File that it is declared in, by the debug info of a program given with the profile.
	.line: Line of the declaration.
	=sampledb.FunctionSums
	.matching_total: Totals of the matching rows; with among=sampled, own counts.
	=sampledb.EntryRow
	.index: Row of the profile, from 1.
	.entry: Entries, estimated as llvm-profdata does.
	.checksum: Null without one.
	.depth: Frames of the calling context; 0 without one.
	.context: Calling context as llvm-profdata prints it, or the name.
	=sampledb.EntrySums
	.all_total: Totals of all rows, modulo 2^64 as llvm-profdata adds them.
	.matching_total: The same of the matching rows.
	.hot_count: Smallest hot count, by the summary.
	=sampledb.Record
	.context: Calling context; null without one.
	=sampledb.Where
	.entry_index: Row of the profile, from 1, as in contexts.
	.inlined_path: Functions from the row's down to the one that the place is in, with the places of the calls; null if
	nothing is inlined.
	.depth: How deep it is inlined; 0 is not at all.
	.offset: Lines below the declaration; with probes, number of the probe. 65535 stands for the line above the
	declaration.
	.line: Line of the source, if known.
	=sampledb.Symbol
	.contexts: Rows of the profile that it has.
	=SampleFunctionDetail: One function of a sample profile. The lists of records, callees and vtables end after about 8
	MiB; left_out counts what is missing.
	.+ SampleFunction fid total contexts
	.records list SampleRecordObject !
	.inlined_callees list SampleCallee !
	.vtables list SampleVTable
	.left_out SampleLeftOut !
	.calling_contexts SampleEntryList !
	.callers SampleEdgeList !
	.callees SampleEdgeList !
	=SampleLeftOut
	.records integer 0..
	.targets integer 0..
	.inlined_callees integer 0..
	.vtables integer 0..
	=SampleRecordObject: The count at a place, and the functions called from there.
	.offset integer 0..
	.discriminator integer 0..
	.line integer 0.. null: Line of the source, if known.
	.count Count
	.targets list SampleTargetObject
	=SampleTargetObject
	.fid fid
	.linkage_name null
	.demangled null
	.count Count
	.share number 0..1: Share of the place.
	=SampleVTable: How often a type was seen at a place.
	.offset integer 0..
	.discriminator integer 0..
	.line integer 0.. null: Line of the source, if known.
	.fid fid
	.linkage_name null
	.demangled null
	.count Count
	=SampleCallee: A function inlined at a place.
	.offset integer 0..
	.discriminator integer 0..
	.line integer 0.. null: Line of the source, if known.
	.fid fid
	.linkage_name null
	.demangled null
	.total Count
	.checksum Count null: Null without one.
	.sum Count: Its counts and those of what is inlined into it.
	.records list SampleRecordObject
	.inlined_callees list SampleCallee
	.vtables list SampleVTable`
