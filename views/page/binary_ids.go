package page

// BinaryIDs is the page of the build IDs of the profiled programs.
type BinaryIDs struct {
	List
	Says string
	Rows []BinaryID
}

// BinaryID is one build ID.
type BinaryID struct{ Place, ID, Bytes string }
