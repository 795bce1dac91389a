package symbol

// ParseNM is the functions of a listing, one for each address, as [Image.Procedures] has
// those of the program that it was made of: a global one before a weak one before a local
// one. The last without a size has none.
func ParseNM(data []byte) ([]Procedure, error) {
	rank := map[byte]int{'T': 3, 'W': 2, 'i': 2, 't': 1}
	var list []symbolEntry
	err := eachNM(data, func(e *nmEntry) {
		if rank := rank[e.kind]; rank > 0 {
			list = append(list, symbolEntry{e.Procedure, rank})
		}
	})
	if err != nil {
		return nil, err
	}
	return byAddress(list, func(uint64) uint64 { return 0 }), nil
}
