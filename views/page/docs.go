package page

// Docs is a page of the manual.
type Docs struct {
	Title    string
	Nav      []Segment // all pages
	Contents []Link    // the sections of this page
	HTML     string    // sanitised, from the manual's own markdown

	Limits []LimitRow // of the page of limits
	Calls  []CallGroup
}

// DocsIndex lists the pages of the manual.
type DocsIndex struct {
	Pages    []DocsEntry
	Commands []Command
}

// DocsEntry is a page of the manual in the index.
type DocsEntry struct{ Title, URL, Summary string }

// Link is an address with its text.
type Link struct{ Label, URL string }

// LimitRow is a limit of this server.
type LimitRow struct{ Name, Value, Flag, Env, Meaning string }

// CallGroup is calls of the API on one subject.
type CallGroup struct {
	ID, Title string
	Calls     []Call
}

// Call is a route of the API with a method.
type Call struct {
	ID, Method, Path string
	Summary, Text    string
	Params           []CallParam
	Body             string // media types of what is sent, with commas
	Answers          []CallAnswer
	Example          string // a command line with this server's address
}

// CallParam is a parameter of a call.
type CallParam struct {
	Name, In, Type string
	Required       bool
	Text           string
}

// CallAnswer is a status with what it means.
type CallAnswer struct{ Status, Text string }
