package site

import (
	"net/http"
	"slices"
	"strings"

	"proflens/catalog"
	"proflens/internal/humanize"
	"proflens/static"
	"proflens/views/page"
)

// Shell is the frame of a page that is not about one profile.
func (s *Site) Shell(r *http.Request, title string) page.Shell {
	return page.Shell{
		Title:    title,
		Here:     r.URL.RequestURI(),
		Theme:    themeOf(r),
		LoggedIn: cookieOf(r, loginCookie) != "",
		Assets: page.Assets{
			Style: static.URL("style.css"), Script: static.URL("app.js"), Icon: static.URL("mark.svg"),
			SansFont: static.URL("fonts/ibm-plex-sans-latin-400-normal.woff2"),
			MonoFont: static.URL("fonts/ibm-plex-mono-latin-400-normal.woff2"),
		},
	}
}

// ProfileShell is the frame of a view of the request's profile. Only what is
// ready has all tabs and a search box: without tables there are no other views
// than those of the files themselves.
func (s *Site) ProfileShell(r *http.Request, current View, title string) page.Shell {
	e := s.Entry(r)
	shell := s.Shell(r, title)
	base := "/p/" + e.ID
	name := humanize.Printable(e.Name)
	if title == "" {
		shell.Title = string(current)
	}
	if shell.Title != "" {
		shell.Title += " · "
	}
	shell.Title += name
	shell.Preview = s.preview(r, shell.Title)
	if current == OverviewView {
		shell.Preview.Title = name
	}
	shell.Profile = &page.Header{
		ID: e.ID, URL: base, Name: name, Format: s.formatTag(e), Digest: ShortDigest(e.Digest),
		Added: humanize.Exactly(e.Created), Kept: KeptUntil(e), Seen: "Anyone with the link can see it.",
		Rename: base + "/labels", Delete: base + "/delete",
	}
	shell.Profile.Build = s.buildLink(e)
	if e.Visibility == catalog.Listed {
		shell.Profile.Seen = "Listed: everyone who can reach this server can see it."
	}
	if s.Private {
		shell.Profile.Seen += " Viewing needs a token of this server."
	}
	shell.Wide = true
	if e.State != catalog.Ready && e.State != catalog.Decoding {
		shell.Tabs = s.fileTabs(r, base, current)
		if e.State == catalog.Failed && !e.Pending {
			shell.Tabs = append([]page.Tab{Tab(OverviewView, base, current)}, shell.Tabs...)
		}
		return shell
	}
	shell.Search = s.FirstFamily(e).Search(base)
	if e.State == catalog.Ready && s.CanCompare(e) {
		shell.Profile.Compare = "/compare?base=" + e.ID
	}
	shell.Tabs = s.profileTabs(r, base, current)
	shell.Builds = s.builds(r, nil)
	shell.Notices = slices.Concat(partialNotice(e), refusedNotice(e), unsettledNotice(e))
	if e.State == catalog.Decoding {
		shell.Refresh = 2 * RefreshSeconds // the views answer from a preview by now
	}
	return shell
}

// unsettledNotice says that other tables are on the way.
func unsettledNotice(e *catalog.Entry) []page.Notice {
	switch {
	case e.State == catalog.Decoding:
		return []page.Notice{{Tone: page.Accented, Follow: e.ID,
			Text: "The tables are still being stored: lists show only their first rows. " +
				"The page reloads when they are complete."}}
	case e.Pending:
		return []page.Notice{{Tone: page.Accented, Follow: e.ID,
			Text: "The profile is being decoded again; until then this page shows the previous result."}}
	}
	return nil
}

// ShortDigest is the part of a digest that people compare.
func ShortDigest(hex string) string { return hex[:min(len(hex), 8)] }

// formatTag is the profile's kind in the top bar: "IR · v13".
func (s *Site) formatTag(e *catalog.Entry) string {
	_, variant := formatWords(e.Describe)
	tag, _, _ := strings.Cut(variant, ", ")
	if kind := s.FirstFamily(e).Kind; kind != "" {
		tag = kind
	}
	if tag != "" && e.Version > 0 {
		tag += " · v" + humanize.Int(e.Version)
	}
	return tag
}

// formatWords takes a description ("LLVM raw v8, 64-bit, little-endian, IR,
// entry first") apart into the format without its version ("LLVM raw") and the
// variant ("IR, entry first").
func formatWords(describe string) (format, variant string) {
	var words []string
	for i, word := range strings.Split(describe, ", ") {
		switch {
		case i == 0:
			format, _, _ = strings.Cut(word, " v")
		case !strings.HasSuffix(word, "-bit") && !strings.HasSuffix(word, "-endian"):
			words = append(words, word)
		}
	}
	return format, strings.Join(words, ", ")
}
