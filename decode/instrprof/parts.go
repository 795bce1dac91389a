package instrprof

import "math"

// Parted is a Source whose records several goroutines can read at once.
type Parted interface {
	// Parts yields what Functions does, in parts: each as often as it is asked, beside the
	// others. Errors are in the part where they are found, and in those behind it.
	Parts(n int) []Functions
}

// Parts implements [Parted]. Where records begin is known only from those before, so a
// part passes over the names and sizes of all that come before it.
func (x *Indexed) Parts(n int) []Functions {
	end := uint64(len(x.data))
	if x.buckets > x.payload && x.buckets < end {
		end = x.buckets // the hash table is the payload and, behind it, the buckets
	}
	parts := make([]Functions, n)
	from := x.payload
	for i := range parts {
		to := x.payload + (end-x.payload)/uint64(n)*uint64(i+1)
		if i == n-1 {
			to = math.MaxUint64 // where a damaged table ends nobody knows
		}
		parts[i] = x.functions(from, to)
		from = to
	}
	return parts
}
