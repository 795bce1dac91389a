package page

// Preview is what a shared link shows before it is opened.
type Preview struct {
	URL, Image string // whole addresses, of the page and of its picture
	Title      string // without the view, where it is the first one
	Says       string // what it is, with its main figures
	Seen       string // what the picture shows, for who cannot see it
}

// Card is the picture of a shared link.
type Card struct {
	Title  string
	Kind   string // family and format
	Says   string // a sentence; may be empty
	Facts  []Fact // the main figures, three at most
	Chart  *CardChart
	Versus string // the other title of a comparison; empty for none
}

// CardChart is a few rows, the largest first.
type CardChart struct {
	Title string
	Rows  []CardRow
}

// CardRow is a bar from the left edge to To, or where From is set a move from there;
// both are shares of the width.
type CardRow struct {
	Label, Value string
	From         *float64
	To           float64
	Step         int  // of the heat ramp
	Cover        bool // is a share covered: the rest is drawn as what is not
}
