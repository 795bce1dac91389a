// Package page holds what the templates are given: view models with figures
// already formatted and rows already sorted, and the plain functions that
// format and draw them. It imports nothing of ours.
package page

import (
	"strings"

	"proflens/internal/humanize"
)

// Shell is the frame round every page: title, bars, tabs, notices.
type Shell struct {
	Title string // of the browser's tab, without the product's name
	Here  string // path and query of this page: where the theme form comes back to
	Theme Theme
	// LoggedIn is whether the browser keeps a token of the server, and can be told to
	// forget it.
	LoggedIn bool
	Assets   Assets
	Preview  *Preview // of a link to the page; nil for none
	Profile  *Header  // nil on a page that is not about one profile
	Project  *Link    // that the page is of; nil for none
	Tabs     []Tab
	// Builds are the families of profiles of the same build, this one among them; nil
	// where there is no other.
	Builds  []Tab
	Search  *Search // nil hides the box
	Notices []Notice
	Keys    []Key // keys of this page, after the general ones in the help dialog
	Refresh int   // seconds after which the page asks again by itself; 0 never
	// Onward is where the page goes by itself without scripts, as a query of its own
	// address; empty for nowhere.
	Onward string
	// Wide lets the content use the whole window; otherwise it is a column of
	// readable width, as the home page is.
	Wide bool
}

// Theme is a reader's choice of colours.
type Theme string

// The themes. System follows the browser's setting.
const (
	System Theme = ""
	Light  Theme = "light"
	Dark   Theme = "dark"
)

// Next is the theme that a press of the button leads to when no script knows
// what the system's setting is.
func (t Theme) Next() Theme {
	if t == Dark {
		return Light
	}
	return Dark
}

// Assets are the addresses of the built files, each with its content's hash.
type Assets struct {
	Style, Script, Icon string
	SansFont, MonoFont  string // preloaded: the two faces that every page shows first
}

// Header is the profile in the top bar.
type Header struct {
	ID     string
	URL    string // of its overview
	Name   string
	Format string // the tag beside the name: "IR · v13"; may be empty
	Digest string // first eight hex digits; may be empty
	// What the foot of the page says: when it came, how long it is kept, who
	// can see it. Delete leads to the page that deletes it.
	Added      humanize.Moment
	Kept, Seen string
	Delete     string
	Rename     string   // leads to the form for name, project and labels
	Build      *Link    // of its project; nil for none
	Compare    string   // where to choose what to compare it with; may be empty
	Receipt    *Receipt // shown once, to the one who uploaded it
}

// Tab is one view of the profile. A view that the format cannot have is absent.
type Tab struct {
	Label   string
	URL     string
	Count   humanize.Number // beside the label; may be empty
	Current bool
	Title   string
	Apart   bool // stands at the far end: it makes something, rather than shows it
	// Group is what it stands under, with the tabs beside it of the same; empty for a tab of
	// its own.
	Group string
}

// TabGroups are tabs as they stand: those that follow each other in one group are together.
// Where none of a group is the current one, the first of several groups is open.
func TabGroups(tabs []Tab) (groups [][]Tab, open string) {
	first, several := "", false
	for _, t := range tabs {
		if n := len(groups); n > 0 && t.Group != "" && groups[n-1][0].Group == t.Group {
			groups[n-1] = append(groups[n-1], t)
		} else {
			groups = append(groups, []Tab{t})
		}
		if first == "" {
			first = t.Group
		}
		several = several || t.Group != "" && t.Group != first
		if t.Current {
			open = t.Group
		}
	}
	if open == "" && several {
		open = first
	}
	return groups, open
}

// Search is the box in the top bar: a form that works without scripts.
type Search struct {
	Action  string
	Label   string // also its placeholder: "Find function, path or hash"
	Value   string
	Keep    []Hidden
	Suggest string // where a script asks for suggestions; may be empty
}

// Notice is a standing bar over the content.
type Notice struct {
	Tone Tone
	Text string
	URL  string // where more is said; may be empty
	Link string // the link's text
	// Follow is the id of a profile that is being decoded: the page renews
	// itself when that is done.
	Follow string
}

// Key is a line of the help dialog.
type Key struct {
	Keys []string
	Does string
}

// Keys are those of lines such as "n p: next, previous page".
func Keys(lines ...string) []Key {
	list := make([]Key, len(lines))
	for i, line := range lines {
		keys, does, _ := strings.Cut(line, ": ")
		list[i] = Key{strings.Fields(keys), does}
	}
	return list
}

// Receipt is what an uploader is told once.
type Receipt struct {
	Link  string // the whole address
	Token string // deletes the profile; empty when it is not known any more
}
