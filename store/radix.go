package store

// keyed is a number to sort with the key to sort it by.
type keyed struct {
	key uint64
	id  uint32
}

// sortBy sorts ids by a 64-bit key, keeping the order of equal ones. Sorting
// by several keys is sorting by each, the last first.
func sortBy(ids []uint32, key func(id uint32) uint64) {
	items := make([]keyed, len(ids))
	for i, id := range ids {
		items[i] = keyed{key(id), id}
	}
	for i, item := range sortKeyed(items) {
		ids[i] = item.id
	}
}

// sortKeyed sorts by key, keeping the order of equal ones: a radix sort by the
// bytes in which keys differ. It takes over items and returns the result.
func sortKeyed(items []keyed) []keyed {
	var differ uint64
	for i := range items {
		differ |= items[i].key ^ items[0].key
	}
	var spare []keyed
	for shift := 0; differ>>shift != 0; shift += 8 {
		if byte(differ>>shift) == 0 {
			continue
		}
		if spare == nil {
			spare = make([]keyed, len(items))
		}
		var starts [256]int
		for i := range items {
			starts[byte(items[i].key>>shift)]++
		}
		sum := 0
		for b, n := range starts {
			starts[b], sum = sum, sum+n
		}
		for _, item := range items {
			b := byte(item.key >> shift)
			spare[starts[b]] = item
			starts[b]++
		}
		items, spare = spare, items
	}
	return items
}
