package handlers

// rowsSay is what objects are that no struct is encoded to, of all families.
const rowsSay = `
	=TableExport: A whole table, with the items of its list.
	.items list object !
	.next_cursor nothing !
	.total integer 0.. !
	.partial list: Partially decoded files, if any.
	.*
	=site.Suggestion
	.fid: Empty for functions without one.
	.measure: Unit of total; lines of a source file.
	.share: Share of the profile.
	=site.whole
	.complete: False if there was no time to search every name.
	=site.Sighting
	.profile: ID of the other profile.
	.relation: What the profiles have in common.
	.fid: ID of the function there; empty if it has none.
	.func_hash: FuncHash of the record with the largest total. A different FuncHash means that the counters belong to
	different code.
	.measure: What total counts: counts, bytes allocated below the function, bytes of its code that ran, or samples.
	.share: Share of the profile; for covered, of the function.
	=Move: A row of either profile. Figures missing from one profile are null. The columns are the family's, prefixed
	with base_ and test_.
	.state: Words separated by spaces.
	.change number: Test minus base, as a fraction of 1 for shares, otherwise in unit.
	.*
	=MoveList
	.all integer 0.. !
	=Speedscope: A speedscope file.
	.profiles any !
	.shared any !
	.*`
