package query

// Keyed is a number to sort with the key to sort it by.
type Keyed struct {
	Key uint64
	ID  uint32
}

// SortBy sorts ids by a 64-bit key, keeping the order of equal ones. Sorting
// by several keys is sorting by each, the last first.
func SortBy(ids []uint32, key func(id uint32) uint64) {
	items := make([]Keyed, len(ids))
	for i, id := range ids {
		items[i] = Keyed{key(id), id}
	}
	for i, item := range SortKeyed(items) {
		ids[i] = item.ID
	}
}

// SortKeyed sorts by key, keeping the order of equal ones: a radix sort by the
// bytes in which keys differ. It takes over items and returns the result.
func SortKeyed(items []Keyed) []Keyed {
	var differ uint64
	for i := range items {
		differ |= items[i].Key ^ items[0].Key
	}
	var spare []Keyed
	for shift := 0; differ>>shift != 0; shift += 8 {
		if byte(differ>>shift) == 0 {
			continue
		}
		if spare == nil {
			spare = make([]Keyed, len(items))
		}
		var starts [256]int
		for i := range items {
			starts[byte(items[i].Key>>shift)]++
		}
		sum := 0
		for b, n := range starts {
			starts[b], sum = sum, sum+n
		}
		for _, item := range items {
			b := byte(item.Key >> shift)
			spare[starts[b]] = item
			starts[b]++
		}
		items, spare = spare, items
	}
	return items
}
