package flameweb

// ObjectsSay is what the objects of flame graphs are, to the API's document.
const ObjectsSay = `
	=FlameTree: Columns by node: id, parent (-1 for the first), frame (-1 for the root), inline; bytes, allocations,
	lifetime and accesses if the profile has them; body and total of sample profiles; contexts, objects_lifetime in
	milliseconds, density (sum of lifetime access densities times 100), self of the weight, hidden and hidden_children.
	.frames list FlameFrame !
	.nodes FlameNodes !
	=FlameFrame
	.name !
	.function fid !
	.linkage
	.file
	.module
	=FlameNodes
	.id list fid !
	.parent list any !
	.frame list any !
	.hidden list any !
	.* list any
	=FlameGraph: The tree, or callers and callees for a sandwich. With format=speedscope, a speedscope file.
	.weight
	.unit
	.known boolean: True if the profile has the weight.
	.layout
	.total Count
	.matching Count
	.all_frames integer 0..
	.depth_limit integer 0..
	.callers FlameTree
	.callees FlameTree
	.*`
