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
