package sourceweb

import (
	"strings"

	"proflens/analyze/sources"
	"proflens/internal/humanize"
	"proflens/views/sourceview"
)

// Elsewhere is where a file is on another host, by its name as recorded or by its path
// below the directory that all files share; nil where nothing says where sources are.
// Line 0 is the file.
func Elsewhere(links *sources.Links, name, path string, line uint32) *sourceview.Elsewhere {
	if links == nil {
		return nil
	}
	e := &sourceview.Elsewhere{Host: humanize.Printable(links.Host)}
	link := links.File(name, path)
	if e.URL = link.Whole(); line > 0 {
		e.URL = link.At(line)
	}
	switch missing := links.Missing; {
	case e.URL != "":
	case len(missing) == 1:
		e.Why = "No link to " + e.Host + ": the profile needs the label " + humanize.Printable(missing[0]) + "."
	case len(missing) > 1:
		e.Why = "No link to " + e.Host + ": the profile needs the labels " +
			humanize.Printable(strings.Join(missing, ", ")) + "."
	default:
		e.Why = "No link to " + e.Host + ": this file is not below the directory of the label " + sources.RootLabel + "."
	}
	return e
}
