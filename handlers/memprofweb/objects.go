package memprofweb

import (
	"reflect"

	"proflens/analyze"
	"proflens/profile/memprofdb"
	"proflens/profile/table"
)

// objects are what the family's objects of the API are written from, by their names: rows of
// tables with those of their lists.
var objects = map[string]any{
	"CloningRow CloningList": memprofdb.Cloning, "PrunedRow PrunedList": memprofdb.MIBs,
	"HeapSiteRow SiteList": memprofdb.Sites, "HeapBlameRow SiteList": memprofdb.BlameSites,
	"HeapCallerRow CallerList": memprofdb.BlameNodes, "HeapCallRow CallList": memprofdb.Calls,
	"HeapModule ModuleList": memprofdb.Segments, "HeapCallSite CallSiteList": memprofdb.RecordedCalls,
	"StaticData DataAccessList": memprofdb.DataAccess, "Context ContextList": memprofdb.Allocations,
	"HeapSums": table.FieldsOf(reflect.TypeFor[analyze.MemProfTotals]()),
}

// objectsSay is what objects are, and what members of structs and tables are more than they say.
const objectsSay = `
	=memprofweb.inProfile MemProfFigures: Figures of a heap profile, alone or next to counters. Sums are null if
	the profile lacks the field.
	=analyze.MemProfTotals
	.contexts: Number of distinct call stacks.
	.lifetime: Milliseconds, over all objects.
	=memprofdb.Overview
	.call_stacks: How much of their call stacks contexts and call sites share.
	=memprofdb.Pruning
	.cut: True if some call stacks were not followed to the end.
	=memprofdb.PrunedMIB
	.stack_ids: Stack IDs as in !memprof metadata; empty if functions are unknown.
	=ContextWhole
	.+ Context
	.histogram list Count
	.recorded_under list fid
	.site_contexts integer 0..
	.others_of_site list fid
	=StackFrame: Stacks are leaf first. inline means inlined into the next frame. Unknown members are left out.
	.fid fid !
	.function !
	.linkage_name
	.module
	.build_id
	.address
	.file
	.line integer 0..
	.discriminator integer 0..
	.line_offset integer 0..
	.column integer 0..
	.inline boolean !
	=HeapNodeRow
	.depth integer 0..
	.kind
	.path
	.filter
	.contexts Count
	.bytes Count
	.count Count
	.accesses Count
	.total_lifetime Count
	.byte_ms Count
	.sites integer 0..
	.mixed integer 0..
	.cold_contexts Count
	.cold_bytes Count
	.notcold_contexts Count
	.notcold_bytes Count
	.hot_contexts Count
	.hot_bytes Count
	.unknown_contexts Count
	.unknown_bytes Count
	=ContextList
	.all integer 0..
	.classes map HeapClassSums
	.matching HeapSums
	.thresholds HeapThresholds
	=HeapClassSums
	.bytes Count
	.contexts integer 0..
	=HeapThresholds
	.cold_density number
	.cold_lifetime number
	.hot_density number
	=SiteList
	.by
	.items list HeapNodeRow
	.node HeapNodeRow`
