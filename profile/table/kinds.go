package table

// Named is a field that is a function, or what stands for one where its name is missing.
type Named interface {
	// Named is its linkage or PGO name, the number it is known by where that is empty, or
	// else what stands for both.
	Named() (linkage []byte, ref uint64, other string)
}

// Located is a field that is a place in the source.
type Located interface {
	// At is its file and line, 0 where that is not known, and what else is known of where
	// it is, such as "line +3".
	At() (file string, line uint32, other string)
}

// Parted is a field that is a part of a whole: its share orders it, and pages have it.
type Parted interface {
	// Part is how much of how much. Of nothing there is no share.
	Part() (part, whole int)
}

// shareOf is the share of a part, from 0 to 1; ok is unset of nothing.
func shareOf(x Parted) (share float64, ok bool) {
	part, whole := x.Part()
	if whole == 0 {
		return 0, false
	}
	return float64(part) / float64(whole), true
}
