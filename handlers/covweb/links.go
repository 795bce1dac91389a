package covweb

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/covdb"
	"proflens/say"
)

// fileURL is the page of a file. A path that a browser would change on the way is a
// parameter.
func fileURL(base string, f *covdb.File) string {
	at := site.Address{Path: base + "/files/" + f.Path, Query: url.Values{}}
	if !survives(f.Path) {
		at = site.Address{Path: base + "/files", Query: url.Values{"file": {f.Name}}}
	}
	return at.String()
}

// lineURL is the page of a file at a line.
func lineURL(base string, f *covdb.File, line uint32) string {
	to := fileURL(base, f)
	if line == 0 {
		return to
	}
	sign := "?"
	if strings.Contains(to, "?") {
		sign = "&"
	}
	return fmt.Sprintf("%s%ssel=%d#L%d", to, sign, line, line)
}

// survives reports whether a path arrives as it was sent: browsers fold "." and "..",
// and some servers on the way what is empty.
func survives(path string) bool {
	return !slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return part == "" || part == "." || part == ".." })
}

// divided is a path's directory, with a slash, and its last part, for a page.
func divided(path string) (folder, base string) {
	base = baseName(path)
	return say.Printable(path[:len(path)-len(base)]), say.Printable(base)
}

// baseName is a path's last part.
func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
