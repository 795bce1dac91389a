package collected

// arena holds byte strings in chunks that never move. Several arenas become one by
// [arena.join]: each numbers its chunks so that none has the number of another's.
type arena struct {
	chunks      [][]byte
	first, step int // the numbers of its chunks, as they are made; step 0 is 1
}

const arenaChunk = 4 << 20

// add copies parts to one place, one after another.
func (a *arena) add(parts ...[]byte) (at uint64) {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	last := len(a.chunks) - 1
	if last < 0 || size > cap(a.chunks[last])-len(a.chunks[last]) {
		chunk := arenaChunk
		if last < 0 {
			chunk = 64 << 10 // most profiles are small
		}
		a.chunks = append(a.chunks, make([]byte, 0, max(chunk, size)))
		last++
	}
	c := &a.chunks[last]
	at = uint64(a.first+last*max(1, a.step))<<32 | uint64(len(*c))
	for _, p := range parts {
		*c = append(*c, p...)
	}
	return at
}

// from is what was added at a place, and what was added behind it.
func (a *arena) from(at uint64) []byte { return a.chunks[at>>32][uint32(at):] }

// bytes is what was added at a place, of a known size.
func (a *arena) bytes(at uint64, size uint32) []byte { return a.from(at)[:size:size] }

// join puts the chunks of arenas together, by their numbers: the i-th of n arenas has begun
// with i and stepped by n.
func join(arenas []arena) (all arena) {
	longest := 0
	for i := range arenas {
		longest = max(longest, len(arenas[i].chunks))
	}
	all.chunks = make([][]byte, longest*len(arenas))
	for i := range arenas {
		for k, chunk := range arenas[i].chunks {
			all.chunks[i+k*len(arenas)] = chunk
		}
	}
	return all
}
