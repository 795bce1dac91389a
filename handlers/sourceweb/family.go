// Package sourceweb is the pages and the API of source files, for whatever the families
// of a profile have by line. It is of no family: where one has pages of its own at these
// addresses, they stand before these.
package sourceweb

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/lines"
)

// handler is what answers.
type handler struct {
	*site.Site
	syntax *Syntax
}

// Family is how profiles answer at the addresses of source files. It has no profiles of
// its own.
func Family(of *site.Site) *site.Family {
	s := &handler{of, &Syntax{}}
	return &site.Family{
		Params: objectsSay,
		Pages: []site.Route{
			{Path: "/files", Answer: s.filesPage, Always: true}, {Path: "/files/*", Answer: s.sourcePage, Always: true},
		},
		API: []site.Route{
			{Path: "/files", Answer: s.listFiles, Always: true, Keys: fileList(&anyColumns).Keys(), Says: `
				profiles listFiles: Source files with their figures
				Files that the debug info or the coverage mapping of a program names, with whatever the profile has of
				them: functions declared there with their entry counts, or their totals where counter 0 is no entry
				count; bytes and allocations, and bytes allocated by call stacks through the file; samples of each
				event. 404 if the profile has no lines.
				?q: words of the file's name
				?re: RE2 expression over the name
				?sort: columns separated by commas, - in front to descend: file and the figures. Default: the first
				figure but functions, largest first
				?functions: range of this figure: N, N.., ..N or N..M
				?entry: range of this figure: N, N.., ..N or N..M
				?total: range of this figure: N, N.., ..N or N..M
				?bytes: range of this figure: N, N.., ..N or N..M
				?allocations: range of this figure: N, N.., ..N or N..M
				?through_bytes: range of this figure: N, N.., ..N or N..M
				>200 SourceFileList table`},
			{Path: "/lines", Answer: s.listLines, Always: true, Keys: keys("file"), Says: `
				profiles listLines: Source lines with their figures
				The lines of a file, or of all files, that have a figure, with the columns of files.
				?file: one file by its name; without it, all
				>200 SourceLineList table`},
		},
	}
}

// objectsSay is what the objects are: the columns are those of the figures that a profile has.
const objectsSay = `
	=SourceFile: A source file with the figures that the profile has of it. Samples are in samples_EVENT.
	.file !
	.functions Count
	.entry Count
	.total Count
	.bytes Count
	.allocations Count
	.through_bytes Count
	.* Count
	=SourceLine: A line with its figures, as a file has them.
	.file !
	.line integer 1.. null
	.functions Count
	.entry Count
	.total Count
	.bytes Count
	.allocations Count
	.through_bytes Count
	.* Count`

// errNoLines is the answer for a profile without lines.
var errNoLines error = &site.Absent{
	Title:  "No lines of source files are known",
	Detail: "give the program that ran, with its debug info, together with the profile",
}

// figures are those of the request's profile.
func (s *handler) figures(r *http.Request) (*lines.Table, error) {
	t, err := s.Lines(r.Context(), s.Profile(r))
	if err == nil && t == nil {
		err = errNoLines
	}
	return t, err
}

// fileOf is the file that an address names, or the only one whose name ends so; which of
// the two it is, exact says.
func fileOf(t *lines.Table, name string) (f *lines.File, exact bool, err error) {
	for _, name := range []string{name, "/" + name} {
		if f := t.Find(name); f != nil {
			return f, true, nil
		}
	}
	if f := t.EndsWith(name); f != nil {
		return f, false, nil
	}
	return nil, false, &site.Absent{
		Title:  "No such file",
		Detail: "the profile has nothing in a file " + humanize.Printable(name),
	}
}

// Has reports whether a table has the file of a page's address.
func Has(t *lines.Table, r *http.Request) bool {
	_, _, err := fileOf(t, nameIn(r))
	return err == nil
}

// nameIn is the name of a file in the address of its page.
func nameIn(r *http.Request) string {
	if name := r.URL.Query().Get("file"); name != "" {
		return name
	}
	name, err := url.PathUnescape(chi.URLParam(r, "*"))
	if err != nil {
		name = chi.URLParam(r, "*")
	}
	return name
}

func init() { site.OrderKeys([]string{"file"}) }

func keys(own ...string) []string { return slices.Concat(own, site.ListingKeys) }
