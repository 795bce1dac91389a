package dcpiweb

import (
	"cmp"
	"math"
	"net/http"
	"slices"
	"strings"

	"proflens/handlers/lists"
	"proflens/handlers/site"
	"proflens/profile/dcpidb"
	"proflens/views/dcpiview"
	"proflens/views/page"
)

// What the page of epochs shows.
const showDifference = "difference"

var epochShows = []string{"totals", "images", "procedures", showDifference}

// epochKeys are the parameters of that page, whatever it shows.
var epochKeys = strings.Fields("show by a b normalise range")

// epochsPage is GET /p/{id}/epochs: epochs or hosts with their totals, images and
// procedures side by side over them, and the difference of two.
func (s *handler) epochsPage(w http.ResponseWriter, r *http.Request) error {
	show, by := showOf(site.AddressOf(r.URL)), r.URL.Query().Get("by")
	var d *lists.Declared
	switch show {
	case "totals":
		of := dcpidb.OfEpoch
		if by == string(dcpidb.ByPlatform) {
			of = dcpidb.OfPlatform
		}
		d = s.totals(of)
		d.Own = slices.DeleteFunc(slices.Clone(d.Own), func(key string) bool { return key == "by" })
	case "images":
		d = s.totals(dcpidb.OfImage)
		d.ID = "series-table"
	case "procedures":
		d = s.procedures()
		d.ID = "series-table"
	case showDifference:
		d = s.diff()
	default:
		return &site.ParamError{Param: "show", Msg: "use totals, images, procedures or difference"}
	}
	if show == "totals" {
		find := d.Vary
		d.Vary = func(v *site.Values) lists.Varied { // by says whether of epochs or hosts
			return find(&site.Values{Query: site.Address{Query: v.Query}.Without("by").Query})
		}
	} else if by != string(dcpidb.ByPlatform) {
		a := site.AddressOf(r.URL).With("by", string(dcpidb.ByEpoch))
		r = r.Clone(r.Context())
		r.URL.RawQuery = a.Query.Encode()
	}
	d.View, d.Title = site.EpochsView, "Hosts"
	if by != string(dcpidb.ByPlatform) {
		d.Title = "Epochs"
	}
	d.Page = slices.DeleteFunc(slices.Clone(epochKeys), func(key string) bool { return slices.Contains(d.Own, key) })
	return d.Serve(s.Site)(w, r)
}

// showOf is what a page of epochs shows.
func showOf(a site.Address) string {
	if a.Query.Get("a") != "" {
		return showDifference
	}
	return cmp.Or(a.Query.Get("show"), epochShows[0])
}

// epochSwitches choose what is shown, and of epochs or of hosts.
func (d *dcpiPage) epochSwitches(show string) []dcpiview.Switch {
	a := d.address.FirstPage("sort", "a", "b")
	var shows []site.Way
	for _, word := range epochShows {
		shows = append(shows, site.Way{word, word, ""})
	}
	of := dcpiview.Switch{Label: "Of", Segments: []page.Segment{
		{Label: "epochs", URL: a.Without("by").String(), Current: d.By != dcpidb.ByPlatform},
		{Label: "hosts", URL: a.With("by", string(dcpidb.ByPlatform)).String(), Current: d.By == dcpidb.ByPlatform},
	}}
	return []dcpiview.Switch{{Label: "Show", Segments: a.Ways("show", epochShows[0], show, shows)}, of}
}

// setSelects choose the two sets, and whether they are scaled.
func (d *dcpiPage) setSelects(diff *dcpidb.DiffAround) []dcpiview.SampleSelect {
	names, chosen := d.db.Epochs, [2]string{d.A, d.B}
	if d.By == dcpidb.ByPlatform {
		names = d.db.Platforms
	}
	if d.A == "" && len(diff.Names) > 0 {
		chosen = [2]string{diff.Names[0].Name, diff.Names[len(diff.Names)-1].Name}
	}
	var list []dcpiview.SampleSelect
	for i, name := range []string{"a", "b"} {
		s := dcpiview.SampleSelect{Name: name, Label: []string{"Before", "After"}[i]}
		word := chosen[i]
		if start, ok := d.db.FindEpoch(word); ok && d.By == dcpidb.ByEpoch {
			word = start
		}
		for _, set := range names[max(0, len(names)-maxSelectOptions):] {
			s.Options = append(s.Options, page.Option{Value: set, Label: dcpidb.Label(d.By, set), Selected: set == word})
		}
		list = append(list, s)
	}
	return append(list, dcpiview.SampleSelect{Name: "normalise", Label: "Totals", Options: []page.Option{
		{Value: "", Label: "as they are", Selected: !d.Normalise},
		{Value: "true", Label: "scaled to be equal", Selected: d.Normalise},
	}})
}

// signed writes a difference with its sign.
func signed(v float64, unit dcpidb.Unit) string {
	switch text := dcpiNumber(math.Abs(v), unit); {
	case v > 0:
		return "+" + text
	case v < 0:
		return "−" + text
	default:
		return text
	}
}
