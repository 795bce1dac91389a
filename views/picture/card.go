package picture

import "proflens/views/page"

// Card is the picture of a shared link.
type Card struct {
	Title  string
	Kind   string     // family and format
	Says   string     // a sentence; may be empty
	Facts  page.Facts // the main figures, three at most
	Chart  *Chart
	Versus string // the other title of a comparison; empty for none
}

// Chart is a few rows, the largest first.
type Chart struct {
	Title string
	Rows  []Row
}

// Row is a bar from the left edge to To, or where From is set a move from there;
// both are shares of the width.
type Row struct {
	Label, Value string
	From         *float64
	To           float64
	Step         int  // of the heat ramp
	Cover        bool // is a share covered: the rest is drawn as what is not
}
