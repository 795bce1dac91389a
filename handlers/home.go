package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"proflens/catalog"
	"proflens/handlers/examples"
	"proflens/handlers/nameweb"
	"proflens/handlers/projectweb"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views"
	"proflens/views/page"
)

// homePage is where profiles are given and found.
func (s *server) homePage(w http.ResponseWriter, r *http.Request) error {
	q, group, _, err := parseList(r)
	if err != nil {
		return err
	}
	if r.URL.Query().Has("format") {
		return site.Forward(w, r, "/api/v1/profiles?"+r.URL.RawQuery)
	}
	if site.WantsPlain(r) {
		return site.WritePlain(w, http.StatusOK, s.usage(r))
	}
	ctx := s.RequestContext(r)
	list, err := s.Store.List(ctx, q)
	if err != nil {
		return err
	}
	home := page.Home{
		Upload: s.uploadBox(r), Commands: s.commands(r),
		List: s.profileList(site.AddressOf(r.URL), q, list, time.Now()),
	}
	if home.List.Groupings = nameweb.GroupedBy(site.AddressOf(r.URL), group); group != "" {
		groups, err := s.Store.Groups(ctx, q, group, nameweb.MaxGroups)
		if err != nil {
			return err
		}
		home.List.GroupedBy, home.List.Groups = humanize.Printable(group),
			nameweb.GroupRows(site.AddressOf(r.URL), group, groups, time.Now())
		home.List.Rows, home.List.Next, home.List.First = nil, "", ""
	}
	if home.List.Projects, err = projectweb.New(s.Site).Link(ctx); err != nil {
		return err
	}
	for _, sample := range examples.All {
		home.Examples = append(home.Examples, page.Example{Name: sample.Name, Title: sample.Title, Text: sample.Text})
	}
	shell := s.Shell(r, "")
	shell.Keys = append(shell.Keys, page.Keys("x: pick the row to compare or merge")...)
	shell.Search = &page.Search{Action: "/", Label: "Find a profile", Value: q.Text}
	site.NoStore(w) // lists, and ages of what is in them
	return s.Render(w, r, views.Page(shell, views.HomeMain(home)))
}

// acceptedFiles is what the page says can be given beside the files of families.
var acceptedFiles = []page.Accepted{
	{"ELF Mach-O nm", "executables and nm listings, for names and coverage"},
	{".gz .zst .xz .bz2", "any of these, compressed"},
	{".zip .tar", "archives of these"},
}

// uploadBox says before anything is sent where it goes, how long it is kept,
// who can see it, and how much at once.
func (s *server) uploadBox(r *http.Request) page.Upload {
	u := page.Upload{
		MaxBytes: s.MaxUpload, NeedsToken: s.AsksForToken(r),
		Expiry: expiryOptions(s.TTL), Visibility: visibilityOptions(s.DefaultVisibility),
	}
	for _, f := range s.Families {
		u.Accepts = append(u.Accepts, f.Accepts...)
	}
	u.Accepts = append(u.Accepts, acceptedFiles...)
	u.Facts = []string{"Files go to this server, " + humanize.Printable(r.Host) + ", and nowhere else."}
	if s.TTL > 0 {
		u.Facts = append(u.Facts, "They are kept for "+humanize.Span(s.TTL)+" at most.")
	} else {
		u.Facts = append(u.Facts, "They are kept until someone deletes them.")
	}
	if s.Private {
		u.Facts = append(u.Facts, "Only people with a token of this server can see them.")
	} else if s.DefaultVisibility == catalog.Listed {
		u.Facts = append(u.Facts, "Everyone who can open this page can see them, unless you choose otherwise under Options.")
	} else {
		u.Facts = append(u.Facts, "Only people with the link can see them; no list shows them.")
	}
	if s.MaxUpload > 0 {
		u.Facts = append(u.Facts, humanize.Say("Limit per upload: {:bytes}.", s.MaxUpload))
	}
	if s.MaxExpanded > 0 {
		u.Facts = append(u.Facts, humanize.Say("Limit once unpacked: {:bytes}.", s.MaxExpanded))
	}
	return u
}

// expiryOptions are lengths of time that the server allows.
func expiryOptions(ttl time.Duration) []page.Option {
	longest := page.Option{Value: "", Label: "until deleted", Selected: true}
	if ttl > 0 {
		longest.Label = humanize.Span(ttl) + ", the maximum"
	}
	options := []page.Option{longest}
	for _, o := range []struct{ value, label string }{
		{"1h", "1 hour"}, {"1d", "1 day"}, {"7d", "7 days"}, {"30d", "30 days"}, {"365d", "1 year"},
	} {
		if d, err := parseDuration(o.value); err == nil && (ttl == 0 || d < ttl) {
			options = append(options, page.Option{Value: o.value, Label: o.label})
		}
	}
	return options
}

func visibilityOptions(standard catalog.Visibility) []page.Option {
	return []page.Option{
		{Value: string(catalog.Unlisted), Label: "anyone with the link", Selected: standard != catalog.Listed},
		{Value: string(catalog.Listed), Label: "everyone, on the home page", Selected: standard == catalog.Listed},
	}
}

// commands are command lines with this server's own address.
func (s *server) commands(r *http.Request) []page.Command {
	at := site.ShellWord(site.Origin(r))
	token := ""
	if guarded, err := s.Guarded(r.Context()); guarded || err != nil {
		token = site.Authorization
	}
	return []page.Command{
		{Does: "Upload one file; prints the link", Line: "curl" + token + " -T default.profraw " + at + "/"},
		{
			Does: "Merge several runs into one profile",
			Line: "curl" + token + " -F file=@a.profraw -F file=@b.profraw " + at + "/api/v1/profiles",
		},
		{Does: "The same with proflens", Line: "proflens upload -server " + at + " *.profraw"},
		{Does: "Without a server: convert to text", Line: "proflens export -f proftext default.profraw"},
	}
}

// profileList is a page of the listed profiles.
func (s *server) profileList(at site.Address, q catalog.ListQuery, list catalog.ListPage,
	now time.Time) page.ProfileList {
	l := page.ProfileList{Title: "Profiles on this server", Count: humanize.Plural(list.Total, "profile")}
	for _, f := range []struct{ key, value string }{{"q", q.Text}, {"kind", q.Kind}, {"project", q.Project}} {
		if f.value != "" {
			l.Filter = append(l.Filter, page.Chip{
				Text: f.key + " = " + humanize.Printable(f.value), Remove: at.Without(f.key, "cursor").String(),
			})
		}
	}
	for _, key := range site.SortedKeys(q.Labels) {
		l.Filter = append(l.Filter, page.Chip{
			Text: "label " + humanize.Printable(key+"="+q.Labels[key]), Remove: at.Without("label", key, "cursor").String(),
		})
	}
	l.Filtered = len(l.Filter) > 0
	if l.Filtered {
		l.Count = humanize.Plural(list.Total, "profile matches", "profiles match")
	}
	if list.More {
		l.Count = "at least " + l.Count
	}
	if list.NextCursor != "" {
		l.Next = at.With("cursor", list.NextCursor).String()
	}
	if q.Cursor != "" {
		l.First = at.Without("cursor").String()
	}
	for i := range list.Items {
		e := &list.Items[i]
		row := s.ProfileRow(e, now)
		row.Ready, row.Pending = e.State == catalog.Ready, e.Pending
		row.Compares = strings.Join(s.ComparedWords(e), " ")
		row.Merges = s.unmergeable(e)
		l.Rows = append(l.Rows, row)
	}
	return l
}

// usage is the home page for a terminal: what can be done, with this server's
// own address.
func (s *server) usage(r *http.Request) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Proflens %s reads compiler profiles.\n", s.Version.Version)
	for _, c := range s.commands(r) {
		fmt.Fprintf(&b, "\n%s\n  %s\n", c.Does, c.Line)
	}
	at := site.ShellWord(site.Origin(r))
	fmt.Fprintf(&b, "\nSummary of a profile, at the link that its upload printed\n  %s %s/p/ID\n", s.Curl(), at)
	fmt.Fprintf(&b, "\nThe profiles on this server\n  %s %s/api/v1/profiles\n", s.Curl(), at)
	fmt.Fprintf(&b, "\nDocumentation\n  %s/docs\n", at)
	return b.String()
}
