package site

import (
	"fmt"
	"strings"
)

// FileName makes a name for a download of a profile's name: what file systems
// and shells understand without quoting.
func FileName(name, suffix string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-+", r):
			return r
		}
		return '_'
	}, name)
	if name = strings.TrimLeft(name, "."); name == "" {
		name = "profile"
	}
	return fmt.Sprintf("%.100s%s", name, suffix)
}
