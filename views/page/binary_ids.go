package page

// BinaryIDs is the page of the build ids of the profiled programs.
type BinaryIDs struct {
	List
	Says string
	Rows []BinaryID
}

// BinaryID is one build id.
type BinaryID struct{ Place, ID, Bytes string }
