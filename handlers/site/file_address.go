package site

import (
	"slices"
	"strconv"
	"strings"
)

// FileURL is the page of a source file by its name. A name that a browser would change on
// the way is a parameter.
func FileURL(base, name string) string {
	path := strings.TrimPrefix(name, "/")
	if survives(path) {
		return NewAddress(base + "/files/" + path).String()
	}
	return NewAddress(base+"/files").With("file", name).String()
}

// LineURL is the page of a source file at a line; 0 for the file.
func LineURL(base, name string, line uint32) string {
	to := FileURL(base, name)
	if line == 0 {
		return to
	}
	sign := "?"
	if strings.Contains(to, "?") {
		sign = "&"
	}
	n := strconv.Itoa(int(line))
	return to + sign + "sel=" + n + "#L" + n
}

// PlaceWords are a file and line for people: "lib/x.c:12". Long paths lose their beginning.
func PlaceWords(name string, line uint32) string {
	const parts = 2
	list := strings.Split(name, "/")
	name = strings.Join(list[max(len(list)-parts, 0):], "/")
	if line == 0 {
		return name
	}
	return name + ":" + strconv.Itoa(int(line))
}

// survives reports whether a path arrives as it was sent: browsers fold "." and "..",
// and some servers on the way what is empty.
func survives(path string) bool {
	return !slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool {
		return part == "" || part == "." || part == ".."
	})
}
