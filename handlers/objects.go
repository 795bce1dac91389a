package handlers

import (
	"proflens/handlers/anatomyweb"
	"proflens/handlers/gateweb"
	"proflens/handlers/moves"
	"proflens/handlers/nameweb"
	"proflens/handlers/projectweb"
	"proflens/handlers/site"
	"proflens/ingest/tasks"
	"proflens/profile/tables"
)

// objects are the structs of objects by their names.
var objects = []map[string]any{
	{
		"Profile": profileObject{}, "Sources": sourcesObject{}, "SourcesAdded": sourcesAdded{},
		"SourcesMatched": sourcesMatched{}, "Merge": mergeBody{},
		"Conversion": convertObject{},
		"Recognise":  tasks.Recognise{}, "Recognition": tasks.Recognition{},
	},
	{"Profile": profileTables{}}, {"Profile": uploadedObject{}},
	{"BinaryID": tables.BinaryIDs}, site.Objects, anatomyweb.Objects, nameweb.Objects, gateweb.Objects,
	projectweb.Objects, moves.Objects,
}

// objectsSay is what objects of all families are, and what members of structs are more than they say.
const objectsSay = `
	=decode.Head FileHead: The beginning of a file.
	=encode.HashFit HashFit control-flow|kept|mismatch|unknown: Whether clang finds the profile's hashes. Clang hashes
	functions as the file's version tells it to. control-flow: hashes of an IR profile, the same in every version.
	kept: the producer's own generation.
	=anatomyweb.anatomyObject Anatomy: Layout of one file, as far as it could be read.
	.matches: Functions whose name contains the given words, if no name equals them.
	=handlers.contributionObject Contribution: What an input has in a sum.
	.overlap: With the sum of all other inputs, as llvm-profdata overlap computes it, of 1. Null if one side has no
	count.
	=handlers.convertObject Conversion
	.identical_to: The tool that writes the same file byte for byte, except for the order of several hashes under one
	name.
	.mismatched: Records that clang will not match. Null if the profile does not show how many.
	.findings: What is written in a changed form, and what clang will not match.
	=handlers.inputObject Input
	=handlers.memprofObject
	.memprof_version: Version of the section in the file; null if it is left out.
	.histograms_left_out: Contexts with an access histogram, which no indexed file can hold.
	=handlers.mergeBody Merge
	.visibility: Default: the server's. Unlisted if any input is.
	.leave_out: Leave out profiles that failed, or cannot be read or merged; merged.inputs then says why.
	=handlers.mergedInputObject
	.contribution: Null for inputs left out, and where the sum is not of counters alone.
	=handlers.mergedObject Merged: What a profile was merged from.
	=handlers.producerObject
	.first_version: Oldest indexed version written by the LLVM releases that may have made the profile.
	=handlers.profileObject Profile: A profile. Members from variant on appear only when you ask for one profile and
	its tables are ready. counts, quality, summary, thresholds, histogram, curve, hot90 and hot99 belong to
	instrumentation; memprof, mip and dcpi to their families. link and delete_token appear only in the answer to an
	upload.
	.pending: True while the profile waits for decoding or is being decoded, for the first time or again.
	.version: Version of the format. Null for text and DCPI, whose versions are in describe.
	.functions: Function records. In a heap profile without counters, functions that allocate; for DCPI, known
	procedures; in a sample profile, functions with a row of their own.
	.total: Sum of all counters. In a heap profile without counters, bytes; for Machine IR, calls; for DCPI and sample
	profiles, samples.
	=handlers.versionObject
	.memprof_version: Version of the heap profile in it; null if there is none or it is left out.
	=ingest.Progress Progress
	=model.Field Field
	=model.Finding Finding
	=model.Location Location: Where a file keeps the data of one function, and how that is computed.
	=model.Match LocationMatch
	=model.Partial Partial: The readable part of a raw file that is cut short.
	=model.Section Section
	.field_count: Number of fields in the section, if fields does not list them all.
	=model.Sum
	.of: Which part: record, name, counters, bitmap, uniform counters or value data; bucket in an indexed file.
	=moves.moveSideObject MoveSide
	=moves.movesObject MoveList
	.unit: Unit of changes and of min: points, bytes, places, objects or lines.
	=TableExport: A whole table, with the items of its list.
	.items list object !
	.next_cursor nothing !
	.total integer 0.. !
	.partial list: Partially decoded files, if any.
	.*
	=Move: A row of either profile. Figures missing from one profile are null. The columns are the family's, prefixed
	with base_ and test_.
	.state: Words separated by spaces.
	.change number: Test minus base, as a fraction of 1 for shares, otherwise in unit.
	.*
	=MoveList
	.all integer 0.. !
	=ProfileList
	.more boolean: True if at least total profiles match: 10 000 are counted where words, several labels, or a label and
	a kind are asked for, and words of one or two characters are looked for in the newest 20 000. A page that looks at
	as many and finds less than limit ends there; next_cursor goes on.
	=Speedscope: A speedscope file.
	.profiles any !
	.shared any !
	.*`
