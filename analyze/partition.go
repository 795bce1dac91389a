package analyze

import (
	"cmp"
	"math"
	"slices"

	"proflens/decode/instrprof"
	"proflens/internal/mt19937"
)

// The parameters of LLVM's balanced partitioning.
const (
	splitDepth       = 18
	iterationsPerCut = 40
	skipProbability  = 0.1
	cachedLogarithms = 1 << 14
)

// PageOrder orders the functions of temporal traces, given by their NameRefs, so that a
// program which starts as they did causes few page faults: by recursive balanced graph
// partitioning, with the results of llvm-profdata order.
func PageOrder(traces []instrprof.Trace) []uint64 {
	nodes := partitionNodes(traces)
	p := partitioning{logs: make([]float32, cachedLogarithms)}
	for i := 1; i < cachedLogarithms; i++ {
		p.logs[i] = float32(math.Log2(float64(i)))
	}
	for i, n := range nodes {
		n.input = i
	}
	p.bisect(nodes, 0, 1, 0)
	slices.SortStableFunc(nodes, func(a, b *partitionNode) int { return cmp.Compare(a.bucket, b.bucket) })
	order := make([]uint64, len(nodes))
	for i, n := range nodes {
		order[i] = n.id
	}
	return order
}

// partitionNode is a function with its utilities: the stretches of traces by whose end it
// had run. Functions that share many should be close.
type partitionNode struct {
	id        uint64
	utilities []uint32
	bucket    uint32
	input     int // its place in the order of first runs
}

// partitionNodes are the functions of traces by the earliest time that they ran. A trace is
// cut at times that double; utilities that hardly any function has, or most have, tell
// nothing.
func partitionNodes(traces []instrprof.Trace) []*partitionNode {
	first := map[uint64]int{}
	utilities := map[uint64][]uint32{}
	var last uint32
	for _, t := range traces {
		began := map[uint64]uint32{}
		cut := 1
		for at, id := range t.NameRefs {
			if was, ok := first[id]; !ok || at < was {
				first[id] = at
			}
			if at >= cut {
				last++
				cut = 2 * at
			}
			if _, ok := began[id]; !ok {
				began[id] = last
			}
		}
		for id, u := range began {
			for ; u <= last; u++ {
				utilities[id] = append(utilities[id], u)
			}
		}
		last++
	}
	frequency := map[uint32]int{}
	for _, list := range utilities {
		for _, u := range list {
			frequency[u]++
		}
	}
	var nodes []*partitionNode
	for id, list := range utilities {
		list = slices.DeleteFunc(list, func(u uint32) bool {
			return frequency[u] <= 1 || 2*frequency[u] > len(utilities)
		})
		nodes = append(nodes, &partitionNode{id: id, utilities: list})
	}
	slices.SortFunc(nodes, func(a, b *partitionNode) int {
		return cmp.Or(cmp.Compare(first[a.id], first[b.id]), cmp.Compare(a.id, b.id))
	})
	return nodes
}

type partitioning struct{ logs []float32 }

// bisect gives nodes their buckets, from offset on.
func (p *partitioning) bisect(nodes []*partitionNode, depth int, root uint32, offset uint32) {
	if len(nodes) <= 1 || depth >= splitDepth {
		slices.SortFunc(nodes, byInput)
		for i, n := range nodes {
			n.bucket = offset + uint32(i)
		}
		return
	}
	left, right := 2*root, 2*root+1
	rng := mt19937.New(root)
	middle := (len(nodes) + 1) / 2
	slices.SortFunc(nodes, byInput)
	for i, n := range nodes {
		n.bucket = left
		if i >= middle {
			n.bucket = right
		}
	}
	p.iterate(nodes, left, right, &rng)
	cut := partition(nodes, func(n *partitionNode) bool { return n.bucket == left })
	p.bisect(nodes[:cut], depth+1, left, offset)
	p.bisect(nodes[cut:], depth+1, right, offset+uint32(cut))
}

func byInput(a, b *partitionNode) int { return cmp.Compare(a.input, b.input) }

// signature is how many nodes on either side have a utility, and what moving one is worth.
type signature struct {
	left, right     uint32
	toRight, toLeft float32
	valid           bool
}

// iterate moves nodes between two buckets while that gains something.
func (p *partitioning) iterate(nodes []*partitionNode, left, right uint32, rng *mt19937.Source) {
	degree := map[uint32]int{}
	for _, n := range nodes {
		for _, u := range n.utilities {
			degree[u]++
		}
	}
	numbers := map[uint32]uint32{}
	for _, n := range nodes {
		n.utilities = slices.DeleteFunc(n.utilities, func(u uint32) bool {
			return degree[u] == 1 || degree[u] == len(nodes)
		})
		for i, u := range n.utilities {
			number, ok := numbers[u]
			if !ok {
				number = uint32(len(numbers))
				numbers[u] = number
			}
			n.utilities[i] = number
		}
	}
	signatures := make([]signature, len(numbers))
	for _, n := range nodes {
		for _, u := range n.utilities {
			if n.bucket == left {
				signatures[u].left++
			} else {
				signatures[u].right++
			}
		}
	}
	for range iterationsPerCut {
		if p.iteration(nodes, left, right, signatures, rng) == 0 {
			break
		}
	}
}

// gain is what moving a node is worth.
type gain struct {
	of   float32
	node *partitionNode
}

func (p *partitioning) iteration(nodes []*partitionNode, left, right uint32, signatures []signature,
	rng *mt19937.Source) (moved int) {
	for i := range signatures {
		if s := &signatures[i]; !s.valid {
			cost := p.cost(s.left, s.right)
			s.toRight, s.toLeft, s.valid = 0, 0, true
			if s.left > 0 {
				s.toRight = cost - p.cost(s.left-1, s.right+1)
			}
			if s.right > 0 {
				s.toLeft = cost - p.cost(s.left+1, s.right-1)
			}
		}
	}
	gains := make([]gain, len(nodes))
	for i, n := range nodes {
		var sum float32
		for _, u := range n.utilities {
			if n.bucket == left {
				sum += signatures[u].toRight
			} else {
				sum += signatures[u].toLeft
			}
		}
		gains[i] = gain{sum, n}
	}
	cut := partition(gains, func(g gain) bool { return g.node.bucket == left })
	larger := func(a, b gain) int { return cmp.Compare(b.of, a.of) }
	slices.SortStableFunc(gains[:cut], larger)
	slices.SortStableFunc(gains[cut:], larger)
	for i := range min(cut, len(gains)-cut) {
		a, b := gains[i], gains[cut+i]
		if a.of+b.of <= 0 {
			break
		}
		moved += move(a.node, left, right, signatures, rng) + move(b.node, left, right, signatures, rng)
	}
	return moved
}

// move puts a node into the other bucket; now and then it does not, to get out of what is
// best only nearby.
func move(n *partitionNode, left, right uint32, signatures []signature, rng *mt19937.Source) int {
	if rng.Float32() <= skipProbability {
		return 0
	}
	change := uint32(1)
	if n.bucket == left {
		n.bucket, change = right, ^uint32(0)
	} else {
		n.bucket = left
	}
	for _, u := range n.utilities {
		s := &signatures[u]
		s.left += change
		s.right -= change
		s.valid = false
	}
	return 1
}

func (p *partitioning) cost(x, y uint32) float32 {
	return -(float32(x)*p.log2(x+1) + float32(y)*p.log2(y+1))
}

func (p *partitioning) log2(n uint32) float32 {
	if n < cachedLogarithms {
		return p.logs[n]
	}
	return float32(math.Log2(float64(n)))
}

// partition puts what holds before what does not, in the order in which std::partition of
// libstdc++ leaves both, and returns how many hold.
func partition[T any](list []T, holds func(T) bool) int {
	first, last := 0, len(list)
	for {
		for first < last && holds(list[first]) {
			first++
		}
		if first == last {
			return first
		}
		last--
		for first < last && !holds(list[last]) {
			last--
		}
		if first == last {
			return first
		}
		list[first], list[last] = list[last], list[first]
		first++
	}
}
