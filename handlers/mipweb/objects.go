package mipweb

import "proflens/profile/mipdb"

// objects are what the family's objects of the API are written from, by their names: rows of
// tables with those of their lists.
var objects = map[string]any{
	"MIPFunction": mipdb.Functions, "MIPPlaced MIPOrderList": mipdb.Order,
	"MIPRun": mipdb.RawFiles,
}

// objectsSay is what objects are, and what members of structs and tables are more than they say.
const objectsSay = `
	=mipdb.Overview MIPFigures: Figures of Machine IR Profiles only. Removed blocks count only in removed_blocks.
	=mipdb.Row
	.fid: The signature, followed by - and the raw offset if several functions share it.
	.executed: True if the merge count or call count is above 0.
	.blocks: Number of blocks, with the entry and without removed blocks.
	.saturated: True if the call count is a lower bound; null if calls were not counted.
	.avg_timestamp: Average first-call position; null if the function never ran or the profile has no timestamps.
	.address: Link-time address; null unless the program was given.
	.function_offset: address minus the address of the raw section, in bytes.
	=mipdb.FunctionName
	.linkage_name: Name without the underscore of Mach-O.
	=mipdb.Around
	.complete: False if a text filter ran out of time. Ask again to continue.
	=mipdb.OrderedRow
	.avg_timestamp: Average first-call position; null if the function never ran or the profile has no timestamps.
	.fid: The signature, followed by - and the raw offset if several functions share it.
	.address: Link-time address; null unless the program was given.
	.function_offset: address minus the address of the raw section, in bytes.
	=mipdb.OrderAround
	.pages: Pages of 4 KiB that the functions span in link order.
	.needed_pages: Pages that would hold them packed together.
	=MIPFunctionDetail
	.+ MIPFunction fid size
	.entry_block MIPBlock
	.block_values_from integer 0..
	.block_values list MIPBlock !: All blocks except the entry, in file order.
	.runs list MIPFunctionRun !: Raw files in which the function ran.
	.same_signature list: fids of other functions with this signature.
	=MIPBlock
	.offset integer 0..: Bytes from the start of the function; 0 for the entry and for a removed block.
	.size integer 0..: Bytes to the next block or to the end.
	.covered boolean
	.removed boolean: Removed from the program; cannot be executed.
	=MIPFunctionRun
	.run integer 1..
	.file
	.call_count integer 0.. null
	.timestamp integer 0.. null: Position at first run, from 1.
	=MIPNode
	.depth integer 0..: Levels below the node asked for, which is 0.
	.kind
	.path
	.filter: Value of path or namespace that selects the node's functions; empty if it selects all.
	.functions Count
	.executed Count
	.never Count
	.executed_share number 0..1: Share of the functions.
	.bytes Count
	.executed_bytes Count
	.never_bytes Count
	.covered_bytes Count
	.covered_share number 0..1: Share of the bytes.
	.blocks Count
	.covered_blocks Count
	.call_count Count
	.share number 0..1: Share of the profile's bytes.
	=MIPNodeList
	.by path|namespace !
	.node MIPNode !
	.all integer 0.. !: Number of functions in the profile.
	.complete boolean !`
