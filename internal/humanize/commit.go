package humanize

import "strings"

// Commit is as much of a commit as people compare.
func Commit(commit string) string {
	if len(commit) > commitDigits && strings.Trim(commit, "0123456789abcdef") == "" {
		return commit[:commitDigits]
	}
	return Printable(commit)
}

const commitDigits = 8
