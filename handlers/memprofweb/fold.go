package memprofweb

import (
	"net/http"

	"proflens/analyze"
	"proflens/catalog"
	"proflens/handlers/flameweb"
	"proflens/handlers/site"
	"proflens/profile/memprofdb"
	"proflens/views/page"
)

// foldKeys are the parameters that leave frames out of stacks; "library", which
// says what of, is a filter's.
var foldKeys = []string{"lib", "rec"}

// The values of lib.
const (
	foldWord = "fold"
	showWord = "show"
)

// unknownType is the value of type for contexts whose type names do not tell; no
// type of C++ or Rust is called so.
const unknownType = "?"

// own is the list of what is a library's, unless an address has another.
func (s *handler) own() *analyze.Library {
	if s.Library != nil {
		return s.Library
	}
	l, _ := analyze.ParseLibrary("") // the default, which is right
	return l
}

// keptAddress is that of a page with the list of library frames that the browser keeps for one
// of its profiles, so that its links and copies of its address show the same; empty where it
// keeps none, or the address has a list.
func keptAddress(r *http.Request, entries ...*catalog.Entry) string {
	kept := site.KeptLibrary(r, entries...)
	if _, err := analyze.ParseLibrary(kept); kept == "" || err != nil || r.URL.Query().Has("library") {
		return ""
	}
	return site.AddressOf(r.URL).With("library", kept).String()
}

// toKept leads a page there; that of calls as recorded takes no list.
func (s *handler) toKept(page site.Handler) site.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		if to := keptAddress(r, s.Entry(r)); to != "" && r.URL.Query().Get("by") != recordedWord {
			site.RedirectOnce(w, r, to)
			return nil
		}
		return page(w, r)
	}
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
	lib := []string{showWord, foldWord}
	if folded {
		lib = []string{foldWord, showWord}
	}
	f := memprofdb.Fold{Recursion: flameweb.Recursion(v, folded)}
	if site.Choice(v, "lib", lib...) == foldWord {
		f.Library = libraryOf(v, own)
	}
	return f
}

// foldSwitches turn folding of the library and of recursion on and off. folded is
// as in foldOf.
func foldSwitches(a site.Address, f memprofdb.Fold, folded bool) []page.Segment {
	word := ""
	if is := f.Library != nil; is == folded {
		word = map[bool]string{true: showWord, false: foldWord}[is]
	}
	return []page.Segment{
		{
			Label: "Library folded", Title: "folds frames of the allocator, the standard library and system headers into " +
				"their caller", URL: a.With("lib", word).String(), Current: f.Library != nil,
		},
		flameweb.RecursionSwitch(a, f.Recursion, folded),
	}
}

// folded is the address of a page where stacks are whole unless it says otherwise,
// with the folds of another.
func folded(a site.Address, f memprofdb.Fold) site.Address {
	if f.Library != nil {
		a = a.With("lib", foldWord)
	}
	if f.Recursion {
		a = a.With("rec", "collapse")
	}
	return a
}
