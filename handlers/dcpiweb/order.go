package dcpiweb

import (
	"slices"
	"strings"

	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/query"
	"proflens/views/page"
)

// ordered makes the head of a column a link that orders by it, numbers with the largest
// first.
func (d *dcpiPage) ordered(h page.Head, by query.Column) page.Head {
	if d.usual == "" || strings.Contains(string(by), ",") { // which divide the words of sort=
		return h
	}
	word, desc := strings.CutPrefix(d.usual, "-")
	o := site.OrderOf(d.Sort, query.Key{Column: query.Column(word), Desc: desc}, d.address, d.usual)
	h.Sort, h.URL = o.Link(by, !h.Number)
	return h
}

// named is what a column of samples is sorted by: the first has two words for it.
func (d *dcpiPage) named(columns []dcpidb.Column, i int) query.Column {
	asked := slices.ContainsFunc(d.Sort, func(k query.Key) bool { return string(k.Column) == columns[i].Name })
	if i == 0 && !asked && strings.HasSuffix(d.usual, "samples") {
		return dcpidb.ColSamples
	}
	return query.Column(columns[i].Name)
}
