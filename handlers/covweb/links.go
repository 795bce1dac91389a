package covweb

import (
	"fmt"
	"strings"

	"proflens/handlers/site"
	"proflens/profile/covdb"
)

// fileURL is the page of a file. A path that a browser would change on the way is a
// parameter.
func fileURL(base string, f *covdb.File) string {
	if to := site.FileURL(base, f.Path); !strings.Contains(to, "?") {
		return to
	}
	return site.FileURL(base, f.Name)
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

// baseName is a path's last part.
func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
