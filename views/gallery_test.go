package views_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"golang.org/x/net/html"

	"proflens/internal/humanize"
	"proflens/static"
	"proflens/views"
	"proflens/views/chart"
	"proflens/views/covview"
	"proflens/views/flameview"
	"proflens/views/page"
)

// The gallery shows the components with invented data: none, a lot, and what an
// attacker would put into a file. With -gallery DIR the pages are written there,
// to be looked at; static files are expected at /static.
var galleryDir = flag.String("gallery", "", "write the gallery's pages into this folder")

// hostile is text as a profile's name, a label or a symbol can have it.
const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)> ' & javascript:alert(1)`

var long = strings.Repeat("a_very_long_name_without_any_place_to_break_", 12)

func TestGallery(t *testing.T) {
	for name, content := range gallery() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			shell := galleryShell(name)
			if err := views.Page(shell, content).Render(t.Context(), &b); err != nil {
				t.Fatal(err)
			}
			if *galleryDir != "" {
				if err := os.WriteFile(filepath.Join(*galleryDir, name+".html"), b.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			doc, err := html.Parse(&b)
			if err != nil {
				t.Fatal(err)
			}
			checkMarkup(t, doc)
		})
	}
}

// checkMarkup asserts what the content policy and WCAG ask of every page.
func checkMarkup(t *testing.T, doc *html.Node) {
	t.Helper()
	ids, labels := map[string]bool{}, []string{}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		attrs := map[string]string{}
		for _, a := range n.Attr {
			attrs[a.Key] = a.Val
			if a.Key == "style" || strings.HasPrefix(a.Key, "on") {
				t.Errorf("<%s %s=%q>: the content policy forbids it", n.Data, a.Key, a.Val)
			}
			if (a.Key == "href" || a.Key == "action") && strings.HasPrefix(strings.ToLower(a.Val), "javascript:") {
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
		if id := attrs["id"]; id != "" {
			if ids[id] {
				t.Errorf("id %q is there twice", id)
			}
			ids[id] = true
		}
		for _, key := range []string{"aria-labelledby", "aria-describedby", "popovertarget"} {
			if attrs[key] != "" {
				labels = append(labels, attrs[key])
			}
		}
		switch n.Data {
		case "script":
			if attrs["src"] == "" || n.FirstChild != nil {
				t.Error("an inline script")
			}
		case "style", "iframe", "object":
			t.Errorf("a <%s>", n.Data)
		case "img":
			t.Errorf("a picture from %q", attrs["src"])
		case "table":
			if n.FirstChild == nil || !hasChild(n, "caption") {
				t.Error("a table without a caption")
			}
		}
	}
	for _, id := range labels {
		if !ids[id] {
			t.Errorf("something refers to #%s, which is not there", id)
		}
	}
}

func hasChild(n *html.Node, name string) bool {
	for c := range n.ChildNodes() {
		if c.Data == name {
			return true
		}
	}
	return false
}

func galleryShell(name string) page.Shell {
	s := page.Shell{
		Title: name, Here: "/gallery",
		Assets: page.Assets{Style: static.URL("style.css"), Script: static.URL("app.js"), Icon: static.URL("mark.svg")},
		Search: &page.Search{Action: "/", Label: "Find a profile"},
	}
	if !strings.Contains(name, "-") {
		return s
	}
	kind := name[strings.LastIndex(name, "-")+1:]
	text := map[string]string{"empty": "x", "huge": long, "hostile": hostile}[kind]
	s.Title, s.Here, s.Search.Value = text, "/?q="+text, text
	s.Profile = &page.Header{
		ID: "abc", URL: "/p/abc", Name: text, Format: "IR · v13", Digest: "7c1e9a04", Kept: "Kept until it is deleted.",
		Delete:  "/p/abc/delete",
		Receipt: &page.Receipt{Link: "http://localhost/" + text, Token: text},
	}
	s.Tabs = []page.Tab{
		{Label: "Overview", URL: "/p/abc", Current: true},
		{Label: "Functions", URL: "/p/abc/functions", Count: humanize.Number{Text: "84 213"}},
	}
	for _, tone := range []page.Tone{page.Neutral, page.Accented, page.Good, page.Caution, page.Bad} {
		s.Notices = append(s.Notices, page.Notice{Tone: tone, Text: text, URL: "/p/abc", Link: "more"})
	}
	s.Keys = []page.Key{{Keys: []string{"x"}, Does: text}}
	return s
}

// gallery is every component of the first page and of the states of a profile.
func gallery() map[string]templ.Component {
	pages := map[string]templ.Component{}
	for kind, text := range map[string]string{"empty": "", "huge": long, "hostile": hostile} {
		n := map[string]int{"empty": 0, "huge": 60, "hostile": 2}[kind]
		pages["home-"+kind] = views.HomeMain(galleryHome(text, n))
		problem := page.Problem{
			Title: "The section passes the end of the file.", Detail: text, Severity: page.Tag{Text: "error", Tone: page.Bad},
			Kind: "truncated", Code: "raw.truncated",
			File: text, Place: text, Offset: humanize.Offset(3250176), Expected: text, Found: text, Cause: text, Remedy: text,
			RequestID: "0123456789abcdef", Profile: "/p/abc",
		}
		files := make([]page.OriginalFile, n)
		sections := make([]page.AnatomySection, n)
		for i := range n {
			files[i] = page.OriginalFile{
				Name: text, URL: "/original", Size: humanize.Bytes(1 << 40), SHA256: strings.Repeat("ab", 32), Problem: &problem,
			}
			sections[i] = page.AnatomySection{
				Name: text, Note: text, Offset: "0x0", Size: "8 bytes", More: 7,
				Fields: []page.AnatomyField{{Name: text, Offset: "0x0", Size: "8", Value: text, Meaning: text}},
			}
		}
		pages["failure-"+kind] = views.FailureMain(page.Failure{
			Name: text, Problem: problem, Describe: text, Files: files, Kept: "Kept.", Delete: "/p/abc/delete",
			Anatomy: []page.AnatomyFile{{Name: text, Format: text, Sections: sections, More: n, JSON: "/anatomy"}},
		})
		pages["flame-"+kind] = flameview.Main(galleryFlame(text, n, false))
		pages["flame-table-"+kind] = flameview.Main(galleryFlame(text, n, true))
		pages["source-"+kind] = covview.SourceMain(gallerySource(text, n, true))
		pages["source-text-"+kind] = covview.SourceMain(gallerySource(text, n, false))
		pages["compared-lines-"+kind] = covview.ComparedLinesMain(page.Compare{A: page.Picker{Letter: "A", Field: "base"},
			B: page.Picker{Letter: "B", Field: "test"}}, galleryComparedLines(text, n))
		pages["files-"+kind] = covview.FilesMain(galleryFiles(text, n))
		pages["error-"+kind] = views.ErrorMain(problem)
		pages["progress-"+kind] = views.ProgressMain(page.Progress{
			ID: "abc", Name: text, Heading: "Decoding " + text, Percent: 40, Queued: text, Describe: text, Files: files,
			Link: "http://localhost/" + text,
			Steps: []page.Step{
				{Label: "received", State: "done"}, {Label: "recognised", State: "done", Note: text},
				{Label: "decoding", State: "now"}, {Label: "ready", State: "ahead"},
			},
		})
		pages["deletion-"+kind] = views.DeletionMain(page.Deletion{
			ID: "abc", Name: text, Action: "/p/abc/delete", Back: "/p/abc", Wrong: text,
			Facts: page.Facts{{Term: "Size", Value: text}},
		})
	}
	pages["controls"] = templ.Join(
		templ.Raw("<h1>Controls</h1>"),
		views.Chips([]page.Chip{{Text: hostile, Remove: "/"}, {Text: long, Remove: "/"}}, "/"),
		views.Segments("Names", []page.Segment{{Label: "Full", URL: "/", Current: true}, {Label: long, URL: "/"}}),
		views.BlankList(page.Blank{Title: hostile, Text: long, Chips: []page.Chip{{Text: "q = x", Remove: "/"}}}),
		views.Pages(page.Pager{Page: "2", Pages: "843", First: "/", Previous: "/", Next: "/?page=3", Last: "/?page=843"}),
		views.TagOf(page.Tag{Text: long, Tone: page.Caution, Title: hostile}),
	)
	return pages
}

func galleryHome(text string, n int) page.Home {
	h := page.Home{
		Upload: page.Upload{
			Accepts: []page.Accepted{{Endings: ".profraw", What: "LLVM raw"}}, Facts: []string{"Files go to " + text + "."},
			NeedsToken: true,
			Expiry:     []page.Option{{Label: text, Selected: true}},
			Visibility: []page.Option{{Value: "listed", Label: "everyone"}},
		},
		Commands: []page.Command{{Does: "One file", Line: "curl -T default.profraw " + text}},
		Examples: []page.Example{{Name: "cxx-ir", Title: "C++", Text: text}},
		List: page.ProfileList{
			Title: "Profiles on this server", Count: humanize.Plural(n, "profile"), Filtered: n > 0,
		},
	}
	if n > 0 {
		h.List.Filter = []page.Chip{{Text: text, Remove: "/"}}
		h.List.Next, h.List.First = "/?cursor=x", "/"
	}
	for i := range n {
		h.List.Rows = append(h.List.Rows, page.ProfileRow{
			ID: "abc", URL: "/p/abc", Name: text, Project: text,
			Labels: []page.Tag{{Text: text, Tone: page.Neutral, Title: text}}, Format: text, Describe: text,
			Version: "13", Functions: humanize.Number{Text: humanize.Int(uint64(84213*i)) + " functions"},
			Total: humanize.BigCount(strings.Repeat("9", 1+i)), Size: humanize.Bytes(1 << i),
			Spark: chart.NewSpark(bytes.Repeat([]byte{0, 40, 255, 128}, 1+i), "counters by magnitude"), Digest: "7c1e9a04",
			Added: humanize.Moment{Text: "3 min ago"},
			State: page.Tag{Text: "✕ " + text, Title: text, Tone: page.Bad},
		})
	}
	return h
}
