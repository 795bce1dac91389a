package page

// BinaryIDs is the page of the build IDs of the profiled programs.
type BinaryIDs struct {
	Says  string
	CSV   string
	Rows  []BinaryID
	Pager Pager
	Empty *Blank
}

// BinaryID is one build ID.
type BinaryID struct{ Place, ID, Bytes string }
