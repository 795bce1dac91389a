package covweb

import (
	"strings"

	"proflens/profiledb/covdb"
	"proflens/say"
	"proflens/sources"
	"proflens/views/covview"
)

// elsewhere is where a file is on another host; nil where nothing says where sources
// are. Line 0 is the file.
func elsewhere(links *sources.Links, f *covdb.File, line uint32) *covview.Elsewhere {
	if links == nil || f == nil {
		return nil
	}
	e := &covview.Elsewhere{Host: say.Printable(links.Host)}
	link := links.File(f.Name, f.Path)
	if e.URL = link.Whole(); line > 0 {
		e.URL = link.At(line)
	}
	switch missing := links.Missing; {
	case e.URL != "":
	case len(missing) == 1:
		e.Why = "No link to " + e.Host + ": the profile needs the label " + say.Printable(missing[0]) + "."
	case len(missing) > 1:
		e.Why = "No link to " + e.Host + ": the profile needs the labels " + say.Printable(strings.Join(missing, ", ")) + "."
	default:
		e.Why = "No link to " + e.Host + ": this file is not below the directory of the label " + sources.RootLabel + "."
	}
	return e
}
