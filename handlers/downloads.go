package handlers

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/profile/exports"
	"proflens/profile/stored"
	"proflens/profile/tables"
	"proflens/views"
	"proflens/views/page"
)

// downloadsPage is GET /p/{id}/downloads: every form that the profile can be had in, and
// what becomes of it in each indexed version, to be seen before the file is made.
func (s *server) downloadsPage(w http.ResponseWriter, r *http.Request) error {
	p, err := parseConvert(r.URL.Query())
	if err != nil {
		return err
	}
	if p.Format != "" {
		r.URL.Path = s.Base(r) + "/convert" // as the API calls it
		return site.AnswerByAPI(w, r)
	}
	e := s.Entry(r)
	if e.State != catalog.Ready {
		return s.statusPage(w, r)
	}
	if s.NotModifiedPage(w, r) {
		return nil
	}
	v := page.Convert{Action: site.PageOf(e.ID) + "/downloads"}
	d := downloads{s: s, e: e, api: site.ShellWord(site.Origin(r) + site.APIOf(e.ID))}
	if s.Indexable(e) {
		o, err := s.convertible(r, p)
		fault, ok := model.FaultIn(err)
		switch {
		case ok && fault.Kind == model.KindUnsymbolized:
			v.Empty = &page.Blank{Title: "No indexed form yet", Text: site.Sentence(humanize.Printable(fault.Message()))}
		case err != nil:
			return err
		default:
			convertModel(&v, e, o, p)
			d.add("Indexed profile", "/export/profdata", "a .profdata for clang and llvm-profdata; other versions below", nil)
		}
	} else if why := s.FirstFamily(e).NoIndexed; why != "" {
		v.Empty = &page.Blank{Title: "No indexed form", Text: why}
	}
	if opened, ok := r.Context().Value(site.ProfileKey).(*stored.Profile); ok {
		d.exports(opened)
	}
	d.add("Original", "/original", "as uploaded, unpacked but otherwise unchanged", nil)
	v.Others = d.list
	return s.Render(w, r, views.Downloads(s.ProfileShell(r, site.DownloadsView, ""), v))
}

// downloads is the list of forms in the making.
type downloads struct {
	s    *server
	e    *catalog.Entry
	api  string // the profile's address, as a shell takes it
	list []page.DownloadForm
}

func (d *downloads) add(label, path, does string, switches []page.Switch) {
	c := site.Command("saved: -OJ " + path)
	d.list = append(d.list, page.DownloadForm{
		ID: "download-" + strconv.Itoa(len(d.list)), Label: humanize.Printable(label), URL: site.APIOf(d.e.ID) + path,
		For:     humanize.Printable(does),
		Command: c.Line(d.s.Curl(), d.api), Switches: switches,
	})
}

// exports are the forms that suit the profile.
func (d *downloads) exports(p *stored.Profile) {
	for i := range exports.All {
		export := &exports.All[i]
		offers, err := export.Offered(d.e.Families, p)
		if err != nil {
			continue // what the page itself needs of the tables says so
		}
		for _, o := range offers {
			path := "/export/" + export.Name
			if o.Query != "" {
				d.add(o.Label, path+"?"+o.Query, o.For, nil)
				continue
			}
			d.add(o.Label, path, o.For, d.switches(export, o.Words))
		}
	}
}

// switches are what can be asked of an export of the profile; suit are the words of an
// option that suit it, where not all do.
func (d *downloads) switches(e *exports.Export, suit map[string][]string) []page.Switch {
	form, err := e.For(d.e.Families)
	if err != nil {
		return nil
	}
	var list []page.Switch
	for _, o := range e.Options() {
		if !slices.Contains(form.Takes, o.Name) {
			continue
		}
		_, does, _ := strings.Cut(strings.ReplaceAll(o.Does, "`", ""), ": ")
		s := page.Switch{Name: o.Name, Does: does, Words: o.Word}
		if words, ok := suit[o.Name]; ok {
			s.Words = words
		}
		switch {
		case o.Kind == exports.Yes:
			s.Tick = true
		case o.Kind == exports.Number:
			s.High = strconv.Itoa(o.High)
		case o.Name == "table":
			for _, t := range tables.Of(d.e.Families) {
				s.Words = append(s.Words, t.Name)
			}
		}
		list = append(list, s)
	}
	return list
}
