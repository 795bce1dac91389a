package collected

// records is a list that grows without moving.
type records struct {
	chunks [][]Record
	ends   []uint32 // of each chunk: how many records stand in it and before it
	n      int
}

const chunkShift = 12

func (r *records) add(rec *Record) {
	last := len(r.chunks) - 1
	if last < 0 || len(r.chunks[last]) == 1<<chunkShift {
		r.chunks = append(r.chunks, make([]Record, 0, 1<<chunkShift))
		r.ends = append(r.ends, uint32(r.n))
		last++
	}
	r.chunks[last] = append(r.chunks[last], *rec)
	r.ends[last]++
	r.n++
}

// addAll adds the records of another list, whose chunks it takes over.
func (r *records) addAll(o *records) {
	for i, chunk := range o.chunks {
		r.chunks = append(r.chunks, chunk)
		r.ends = append(r.ends, uint32(r.n)+o.ends[i])
	}
	r.n += o.n
}

func (r *records) at(i uint32) *Record {
	c := int(i >> chunkShift)
	for i >= r.ends[c] { // where lists meet, chunks are not full
		c++
	}
	chunk := r.chunks[c]
	return &chunk[len(chunk)-int(r.ends[c]-i)]
}
