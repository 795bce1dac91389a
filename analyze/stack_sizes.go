package analyze

import "proflens/decode/memprof"

// StackSizes is how much the call stacks of a heap profile share, and what that
// saves a file: those of its allocation contexts and call sites, each once.
type StackSizes struct {
	Stacks int    `api:"stacks"`                                          // that differ in what a file has of frames
	Frames int    `api:"frames" doc:"Distinct frames."`                   // distinct ones
	Refs   uint64 `api:"frame_refs" doc:"Frames of all stacks added up."` // frames of all stacks added up
	// Nodes are of the tree that they make from the roots on: what they share is one.
	Nodes int `api:"tree_nodes"`
	Roots int // of that tree
}

// Flat is the bytes of the stacks as lists: eight for the length of each, and
// eight for each of its frames.
func (s *StackSizes) Flat() uint64 { return 8 * (uint64(s.Stacks) + s.Refs) }

// Radix is the bytes of the array that MemProf versions 3 and 4 write
// (memprof.md §3.7), in words of four: one for each node, one for the length of
// each stack, and a jump to what it shares for each stack but the first of a root.
func (s *StackSizes) Radix() uint64 { return 4 * uint64(s.Nodes+2*s.Stacks-s.Roots) }

// Shared is the mean number of frames that a stack has from others, 0 without
// stacks.
func (s *StackSizes) Shared() float64 {
	if s.Stacks == 0 {
		return 0
	}
	return float64(s.Refs-uint64(s.Nodes)) / float64(s.Stacks)
}

// API adds what the sizes come to.
func (s StackSizes) API() any {
	type sizes StackSizes
	return struct {
		sizes
		Shared float64 `api:"shared_frames" is:"0.." doc:"Mean number of frames that a stack shares with others."`
		Flat   uint64  `api:"flat_bytes" doc:"Size in bytes as flat lists."`
		Radix  uint64  `api:"radix_bytes" doc:"Size in bytes as MemProf versions 3 and 4 write them."`
	}{sizes(s), s.Shared(), s.Flat(), s.Radix()}
}

// StackSizesOf counts the stacks of a profile: those of its records, and of its
// contexts where it has no records, as they are addresses.
func StackSizesOf(p *memprof.Profile) StackSizes {
	var s StackSizes
	numbers := bareStacks(p, true)
	frames, distinct := bareFrames(p, true)
	seenFrame := make([]bool, distinct)
	const node, stack = 1, 2
	seen := make([]uint8, len(p.Stacks)) // by number, which is below the number of stacks
	use := func(id memprof.StackID) {
		if id == memprof.NoStack || seen[numbers[id]]&stack != 0 {
			return
		}
		seen[numbers[id]] |= stack
		s.Stacks++
		s.Refs += uint64(p.Stacks[id].Depth)
		for at := id; at != memprof.NoStack && seen[numbers[at]]&node == 0; at = p.Stacks[at].Caller {
			seen[numbers[at]] |= node
			s.Nodes++
			if p.Stacks[at].Caller == memprof.NoStack {
				s.Roots++
			}
			if f := frames[p.Stacks[at].Frame]; !seenFrame[f] {
				seenFrame[f] = true
				s.Frames++
			}
		}
	}
	for i := range p.Records {
		for _, n := range p.Records[i].AllocSites {
			use(p.Contexts[n].Stack)
		}
		for _, c := range p.Records[i].CallSites {
			use(c.Stack)
		}
	}
	if len(p.Records) == 0 {
		for i := range p.Contexts {
			use(p.Contexts[i].Stack)
		}
	}
	return s
}
