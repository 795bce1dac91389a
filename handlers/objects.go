package handlers

// rowsSay is what objects are that no struct is encoded to, of all families.
const rowsSay = `
	=TableExport: A whole table, with the items of its list.
	.items list object !
	.next_cursor nothing !
	.total integer 0.. !
	.partial list: Partially decoded files, if any.
	.*
	=SuggestionList
	.complete boolean !: False if there was no time to search every name.
	=Suggestion: A name and its page. With cols, only the columns asked for.
	.fid: Empty for functions without one.
	.measure counts|bytes|size|samples|lines: Unit of total; lines of a source file.
	.total Count
	.share number: Share of the profile.
	.path: Path of its page, below the profile's.
	.demangled
	=Sighting: A function in another profile of the same program. With cols, only the columns asked for.
	.profile: ID of the other profile.
	.family
	.relation build|commit|project|name: What the profiles have in common.
	.fid: ID of the function there; empty if it has none.
	.func_hash null: FuncHash of the record with the largest total. A different FuncHash means that the counters belong
	to different code.
	.measure counts|bytes|covered|samples: What total counts: counts, bytes allocated below the function, bytes of its
	code that ran, or samples.
	.total Count
	.share number: Share of the profile; for covered, of the function.
	.rank integer 1.. null: Rank by total.
	.first number null: Position in the order of first run, from 0.
	.profile_name
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
