package site

import (
	"slices"
	"strconv"

	"proflens/catalog"
)

// PickFile is the index of the file that a parameter names, by name or by
// number from 0; -1 when there is none.
func PickFile(files []catalog.FileEntry, pick string) int {
	i := slices.IndexFunc(files, func(f catalog.FileEntry) bool { return f.Name == pick })
	if n, err := strconv.Atoi(pick); i < 0 && err == nil && n >= 0 && n < len(files) {
		i = n
	}
	return i
}

// FilePick is the parameter that [PickFile] finds a file by; empty for the only
// one.
func FilePick(files []catalog.FileEntry, i int) string {
	switch {
	case len(files) == 1:
		return ""
	case files[i].Name != "" && PickFile(files, files[i].Name) == i:
		return files[i].Name
	}
	return strconv.Itoa(i)
}
