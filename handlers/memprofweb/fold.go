package memprofweb

import (
	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profiledb/memprofdb"
	"proflens/views/page"
)

// foldKeys are the parameters that leave frames out of stacks; "library", which
// says what of, is a filter's.
var foldKeys = []string{"lib", "rec"}

// The values of lib and rec.
const (
	foldWord     = "fold"
	showWord     = "show"
	collapseWord = "collapse"
)

// unknownType is the value of type for contexts whose type names do not tell; no
// type of C++ or Rust is called so.
const unknownType = "?"

// own is the list of what is a library's, unless an address has another.
func (s *room) own() *analyze.Library {
	if s.Library != nil {
		return s.Library
	}
	l, _ := analyze.ParseLibrary("") // the default, which is right
	return l
}

// libraryOf reads the list of what is a library's.
func libraryOf(v *site.Values, own *analyze.Library) *analyze.Library {
	text := v.One("library")
	if text == "" {
		return own
	}
	l, err := analyze.ParseLibrary(text)
	if err != nil {
		v.Fail("library", "%v", err)
		return own
	}
	return l
}

// foldOf reads what is left out of stacks; folded says whether anything is where
// an address does not say.
func foldOf(v *site.Values, own *analyze.Library, folded bool) memprofdb.Fold {
	lib, rec := []string{showWord, foldWord}, []string{showWord, collapseWord}
	if folded {
		lib, rec = []string{foldWord, showWord}, []string{collapseWord, showWord}
	}
	f := memprofdb.Fold{Recursion: site.Choice(v, "rec", rec...) == collapseWord}
	if site.Choice(v, "lib", lib...) == foldWord {
		f.Library = libraryOf(v, own)
	}
	return f
}

// foldSwitches turn folding of the library and of recursion on and off. folded is
// as in foldOf.
func foldSwitches(a site.Address, f memprofdb.Fold, folded bool) []page.Segment {
	to := func(key, on string, is bool) string {
		word := on
		if is {
			word = showWord
		}
		if (word == showWord) != folded {
			word = ""
		}
		return a.With(key, word).String()
	}
	return []page.Segment{
		{Label: "Library folded", Title: "folds frames of the allocator, the standard library and system headers into their caller", URL: to("lib", foldWord, f.Library != nil), Current: f.Library != nil},
		{Label: "Recursion collapsed", Title: "leaves out frames between two calls of the same function", URL: to("rec", collapseWord, f.Recursion), Current: f.Recursion},
	}
}

// folded is the address of a page where stacks are whole unless it says otherwise,
// with the folds of another.
func folded(a site.Address, f memprofdb.Fold) site.Address {
	if f.Library != nil {
		a = a.With("lib", foldWord)
	}
	if f.Recursion {
		a = a.With("rec", collapseWord)
	}
	return a
}
