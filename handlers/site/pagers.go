package site

import (
	"strconv"

	"proflens/internal/humanize"
	"proflens/names"
	"proflens/views/page"
)

// ListPager leads through the rows of a list.
func ListPager(a Address, l *Listing, rows int) page.Pager {
	limit, current := max(l.Limit, 1), l.Page()
	pages := max((rows+limit-1)/limit, 1)
	to := func(n int) string {
		if n < 1 || n > pages || n == current {
			return ""
		}
		if n == 1 {
			return a.FirstPage().String()
		}
		return a.Without("cursor").With("page", strconv.Itoa(n)).String()
	}
	return page.Pager{
		Page: humanize.Int(current), Pages: humanize.Int(pages),
		First: to(1), Previous: to(min(current-1, pages)), Next: to(current + 1), Last: to(pages),
	}
}

// ModeSegments switches how symbols are written.
func ModeSegments(a Address, current names.Mode) []page.Segment {
	return a.Ways("names", string(names.Full), string(current), []Way{
		{string(names.Full), "Demangled", "names in full"},
		{string(names.NoTemplates), "No templates", "names without template arguments"},
		{string(names.Short), "Short", "names without arguments"},
		{string(names.Mangled), "Mangled", "linkage names as recorded"},
	})
}

// PageSizes are the choices of limit.
var PageSizes = []int{50, 100, 250, 1000}

// NameColumn is the key of the column that a table of functions cannot be without.
const NameColumn = "demangled"
