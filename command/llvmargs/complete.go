package llvmargs

import (
	"maps"
	"slices"
	"strings"
)

// Complete is what a word can become behind other arguments, options with two dashes; files
// reports whether it may also be a file's name.
func (o Options) Complete(args []string, word string) (list []string, files bool) {
	name, value, has := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(word, "-"), "-"), "=")
	begin := ""
	switch isOption := strings.HasPrefix(word, "-"); {
	case isOption && !has:
		return Beginning(slices.Sorted(maps.Keys(o)), "--", name), false
	case isOption:
		begin = "--" + name + "="
	default:
		name, value = "", word
		if n := len(args) - 1; n >= 0 && strings.HasPrefix(args[n], "-") {
			name = strings.TrimPrefix(args[n][1:], "-")
		}
	}
	switch to := o[name].(type) {
	case Choice:
		return Beginning(to.Words, begin, value), false
	case *uint32, *uint64:
		return nil, false
	}
	return nil, true
}

// Beginning is the words that begin like this, behind a text.
func Beginning(words []string, behind, like string) (list []string) {
	for _, w := range words {
		if strings.HasPrefix(w, like) {
			list = append(list, behind+w)
		}
	}
	return list
}
