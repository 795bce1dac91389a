package covview

import (
	"strconv"

	"proflens/analyze/coverage"
	"proflens/internal/humanize"
	"proflens/views/page"
	"proflens/views/sourceview"
)

// Source is a file, line by line.
type Source struct {
	Dir, Name string // "src/", "node.cpp"
	Measures  []Measure
	Ways      []page.Segment // all lines, gaps
	Previous  string         // the gap before and after the selected line, or the first
	Next      string
	NoText    bool
	Embedded  bool                   // the text is that which the program holds
	Ask       *sourceview.AskText    // nil where the text is there and fits
	Figures   []FigureHead           // columns of other families; none where they have nothing in the file
	Things    []sourceview.LineGroup // what they have at the selected line
	Rows      []Line
	Minimap   *Minimap
	Inspector *LineInspector
	Functions []FunctionRow
	Says      string // "13, 1 never ran"
	More      string // functions that are not listed
	Gaps      string // "19 gaps, 41 lines"
	GapAt     string // "7 of 19"
	Shown     string // "lines 1–1 000 of 4 211"
	Earlier   string // address of the lines before, and after
	Later     string
	CSV       string
	Elsewhere *sourceview.Elsewhere // nil where nothing says where the sources are
	Empty     *page.Blank
}

// FigureHead is a column of figures of another family.
type FigureHead struct{ Label, Title string }

// Line is a line of source, or a fold of several.
type Line struct {
	page.Selected
	*coverage.Row        // what is known of it; nil of a line that the mapping does not know
	ID            string // of its anchor: "L126"
	Number        string
	Gap           bool // a gap begins here
	Ribbon        []Piece
	Open          bool // nothing says where it ends
	Text          []sourceview.Code
	Chips         []Sides           // its conditions, as far as there is room
	Figures       []humanize.Number // by column of Source.Figures
	Summary       string            // of sides that are too many to show: "2 of 4 sides"
	MCDC          string            // "MC/DC 1/3"
	Missed        bool              // some of Summary or MCDC is missing
	Toggle        string            // shows or hides Details; empty where there are none
	Unfold        string            // what Toggle leads to: "macro, MC/DC"
	Unfolded      bool
	Source        string // its address on another host; empty for none
	Details       []Detail
	Fold          *Fold
}

// Fold stands for lines on end.
type Fold struct {
	URL   string // shows them; empty where there is nothing to show
	Text  string // "35 lines, all covered"
	Names []string
	Says  string // "all covered"
	Never bool   // they are a function that never ran
}

// Piece is a part of a line's ribbon, which is drawn by column.
type Piece struct {
	X, Width, Class string
	Rest            bool // what is left of the line after a region; there may be nothing
}

// maxMarks is how many counts a line has room for.
const maxMarks = 4

// marks are where in a line regions begin, where there is something to tell apart.
func (l *Line) marks() (list []coverage.Segment) {
	if l.Row == nil {
		return nil
	}
	for _, s := range l.Segments {
		if s.HasCount && s.Entry && !s.Gap && (s.Column != 1 || len(l.Segments) > 1) {
			list = append(list, s)
		}
	}
	return list
}

// state is what is known of a line.
func (l *Line) state() coverage.State {
	if l.Row == nil {
		return coverage.Unmapped
	}
	return l.State
}

// Sides is a condition with how often it was true, and false.
type Sides struct {
	*coverage.Sides
	Title  string
	Counts [2]humanize.Number // of the sides, as they are shown
}

// Minimap is the whole file in a strip.
type Minimap struct {
	Bands  []Band
	Gaps   []Band // with addresses
	Window *Band  // the lines that are shown
	Says   string
}

// Band is a piece of a minimap.
type Band struct{ Y, Height, Class, URL, Title string }

// FunctionRow is a function of the file, or several that begin at one place.
type FunctionRow struct {
	Line      uint32
	Name      humanize.Name
	URL       string
	Lines     coverage.Metric
	Instances int
	Never     bool
	Current   bool
}

// LineInspector says a line in words.
type LineInspector struct {
	Title     string
	State     coverage.State
	Close     string
	Missing   string // why there is nothing
	Says      string
	Regions   []Fact
	Function  *FunctionRow
	Link      string
	LinkText  string
	Elsewhere *sourceview.Elsewhere
}

// Fact is a figure of a line.
type Fact struct {
	Term  string
	Value humanize.Number
	None  bool // 0
}

// Times says a count.
func Times(n uint64) string {
	if n == 0 {
		return "never ran"
	}
	return humanize.Plural(n, "time")
}

// columns is how many columns of the table a cell goes over, with those of other families.
func columns(own int, v Source) string { return strconv.Itoa(own + len(v.Figures)) }
