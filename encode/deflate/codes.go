package deflate

import (
	"math/bits"
	"slices"
)

// code is how a letter is written; one of no bits never is.
type code struct{ word, bits int }

// codesFor gives letters Huffman codes of so many bits at most, by how often each is used. Where two are
// used as often, which has the longer code is as zlib's heap has it. Behind the last that is used there are none;
// there are always two.
func codesFor(used []int, most int) []code {
	t := tree{used: slices.Clone(used), depth: make([]int, len(used))}
	last := -1
	for n, times := range used {
		if times > 0 {
			t.heap = append(t.heap, n)
			last = n
		}
	}
	for len(t.heap) < 2 {
		n := 0
		if last < 2 {
			last++
			n = last
		}
		t.used[n] = 1
		t.heap = append(t.heap, n)
	}
	codes := make([]code, last+1)
	t.limit(codes, t.build(), most)
	setWords(codes)
	return codes
}

// tree joins the letters that are used least until one is left.
type tree struct {
	used, depth []int // by node; letters come first
	parent      []int
	heap        []int
}

// build returns the nodes, parents before what they join.
func (t *tree) build() (nodes []int) {
	t.parent = make([]int, len(t.used), 2*len(t.used))
	for i := len(t.heap)/2 - 1; i >= 0; i-- {
		t.sink(i)
	}
	for len(t.heap) > 1 {
		least := t.heap[0]
		t.heap[0] = t.heap[len(t.heap)-1]
		t.heap = t.heap[:len(t.heap)-1]
		t.sink(0)
		next, joined := t.heap[0], len(t.used)
		nodes = append(nodes, least, next)
		t.used = append(t.used, t.used[least]+t.used[next])
		t.depth = append(t.depth, max(t.depth[least], t.depth[next])+1)
		t.parent = append(t.parent, 0)
		t.parent[least], t.parent[next] = joined, joined
		t.heap[0] = joined
		t.sink(0)
	}
	nodes = append(nodes, t.heap[0])
	slices.Reverse(nodes)
	return nodes
}

// sink moves what stands at a place of the heap below what goes before it.
func (t *tree) sink(at int) {
	node := t.heap[at]
	for {
		child := 2*at + 1
		if child >= len(t.heap) {
			break
		}
		if child+1 < len(t.heap) && t.before(t.heap[child+1], t.heap[child]) {
			child++
		}
		if t.before(node, t.heap[child]) {
			break
		}
		t.heap[at] = t.heap[child]
		at = child
	}
	t.heap[at] = node
}

func (t *tree) before(a, b int) bool {
	return t.used[a] < t.used[b] || t.used[a] == t.used[b] && t.depth[a] <= t.depth[b]
}

// limit sets how many bits codes have: the depth of their letters, so many at most. Where some are deeper, others
// become longer.
func (t *tree) limit(codes []code, nodes []int, most int) {
	var count [mostBits + 1]int // letters by bits
	length := make([]int, len(t.used))
	tooLong := 0
	for _, n := range nodes[1:] {
		length[n] = length[t.parent[n]] + 1
		if length[n] > most {
			length[n] = most
			tooLong++
		}
		if n < len(codes) {
			codes[n].bits = length[n]
			count[length[n]]++
		}
	}
	if tooLong == 0 {
		return
	}
	for ; tooLong > 0; tooLong -= 2 {
		shorter := most - 1
		for count[shorter] == 0 {
			shorter--
		}
		count[shorter]--
		count[shorter+1] += 2
		count[most]--
	}
	at := most
	for _, n := range slices.Backward(nodes) {
		if n >= len(codes) {
			continue
		}
		for count[at] == 0 {
			at--
		}
		count[at]--
		codes[n].bits = at
	}
}

// setWords numbers codes: those of fewer bits first, then by letter.
func setWords(codes []code) {
	next := 0
	for length := 1; length <= mostBits; length++ {
		for i := range codes {
			if codes[i].bits == length {
				codes[i].word = int(bits.Reverse16(uint16(next)) >> (16 - length))
				next++
			}
		}
		next <<= 1
	}
}

// cost is how many bits letters take.
func cost(codes []code, used []int) (n int) {
	for i, times := range used[:min(len(used), len(codes))] {
		n += codes[i].bits * times
	}
	return n
}

// fixedCodes are those that need no header.
func fixedCodes() (codes, distanceCodes []code) {
	codes = make([]code, 288)
	for i := range codes {
		switch {
		case i < 144 || i >= 280:
			codes[i].bits = 8
		case i < endOfBlock:
			codes[i].bits = 9
		default:
			codes[i].bits = 7
		}
	}
	distanceCodes = make([]code, distances)
	for i := range distanceCodes {
		distanceCodes[i].bits = 5
	}
	setWords(codes)
	setWords(distanceCodes)
	return codes, distanceCodes
}
