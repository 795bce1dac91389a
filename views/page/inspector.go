package page

import (
	"proflens/internal/humanize"
	"proflens/views/chart"
)

// Inspector is the summary of the row that is selected, beside its table.
type Inspector struct {
	Label   string // "Selected call"
	Close   string // address without the selection
	Missing string // why there is nothing to show; then nothing else is set
	Tags    []Tag
	Rank    string // "row 3 of 311"
	Name    humanize.Name
	Place   string // below the name: file and line
	Facts   Facts
	Lists   []Lines
	URL     string // what Enter opens
	Open    string // and what that is: "Open function"
	Links   []Segment
	Posts   []Post
}

// Post is a button that has something kept.
type Post struct {
	Label, Title, Action string
	Fields               []Hidden
}

// Lines are a few lines under a heading: the frames of a stack, the values of a site.
type Lines struct {
	Title, Note string
	List        []NoteLine
	More        string
}

// NoteLine is one of them.
type NoteLine struct {
	Text, Title, URL string
	Note, NoteURL    string // what stands behind it, and where that leads
	Bar              *chart.Bar
}

// Selected is the rows of a table of which one may be selected: what sel= names.
type Selected struct {
	Select   string // address with the row selected
	Selected bool
}
