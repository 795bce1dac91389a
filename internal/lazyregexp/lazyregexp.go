// Package lazyregexp makes regular expressions that are compiled when the first text is matched:
// a program starts sooner where most runs match none.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New is a regular expression. It panics where that is wrong, once it is asked for.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
