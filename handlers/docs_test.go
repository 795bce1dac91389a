package handlers_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/builds/measures"
	"proflens/docs/pages"
	"proflens/handlers/rankweb"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
	"proflens/profile/memprofdb"
	"proflens/profile/sampledb"
	"proflens/profile/table"
	"proflens/views/covview"
	"proflens/views/page"
	"proflens/views/projectview"
	"proflens/views/sampleview"
)

// Every figure that pages explain has its paragraph.
func TestHowLeadsSomewhere(t *testing.T) {
	var hows []page.How
	declared := regexp.MustCompile(`(?m)^\t?(?:const )?How\w*\s+(?:page\.)?How\s+= ("[^"]+")`)
	err := filepath.WalkDir("../views", func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range declared.FindAllSubmatch(text, -1) {
			what, err := strconv.Unquote(string(m[1]))
			if err != nil {
				return err
			}
			hows = append(hows, page.How(what))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	hows = append(hows, rankweb.How)
	for _, own := range []page.How{
		page.HowTotal, covview.HowLines, sampleview.HowLost, projectview.HowStep,
	} {
		if !slices.Contains(hows, own) {
			t.Errorf("%s is not among those that pages explain", own)
		}
	}
	for _, d := range []*table.Declaration{
		sampledb.Functions, sampledb.Edges, sampledb.Symbols, memprofdb.BlameSites,
	} {
		for _, f := range d.Fields() {
			if strings.Contains(f.How, " ") {
				hows = append(hows, page.How(f.How))
			}
		}
	}
	for _, f := range append(measures.Families, measures.Family{}) {
		hows = append(hows, projectview.HowMeasures(string(f.Name)))
	}
	for _, h := range hows {
		if !isExplained(h.URL()) {
			t.Errorf("%s: nothing is at %s", h.Label(), h.URL())
		}
	}
}

// isExplained reports whether a link leads to a paragraph of the methods.
func isExplained(link string) bool {
	methods, _ := pages.Named("methods")
	anchor, ok := strings.CutPrefix(link, "/docs/methods#")
	return ok && slices.Contains(methods.Anchors, anchor)
}

// The question marks on the pages lead to a paragraph and say to which.
func TestQuestionMarks(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/p/" + l.Put("ir_c.profraw", webtest.File(t, "ir_c.profraw"))["id"].(string)
	function := l.OK(strings.Replace(at, "/p/", "/api/v1/profiles/", 1)+"/functions?limit=1").Column(t, "fid")[0]
	// A table has one for all its columns.
	table := webtest.ByTestID(t, l.Page(at+"/functions", http.StatusOK), "functions")
	if marks := questionMarks(t, table); len(marks) != 1 {
		t.Errorf("the heads of functions have %d question marks", len(marks))
	}
	for path, atLeast := range map[string]int{
		at: 8, at + "/functions": 1, at + "/functions/" + function: 1, at + "/tree": 2, at + "/tree?by=namespace": 2,
		at + "/values": 1,
	} {
		marks := questionMarks(t, l.OK(path, "Accept", "text/html").Parse(t))
		if len(marks) < atLeast {
			t.Errorf("%s has %d question marks, want %d", path, len(marks), atLeast)
		}
	}
}

// questionMarks are the addresses that a page's question marks lead to.
func questionMarks(t testing.TB, doc *html.Node) (list []string) {
	t.Helper()
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || webtest.Attr(n, "class") != "how" {
			continue
		}
		link := webtest.Attr(n, "href")
		if label := webtest.Attr(n, "aria-label"); !strings.HasPrefix(label, "How ") ||
			!strings.HasSuffix(label, " is worked out") && !strings.HasSuffix(label, " are worked out") {
			t.Errorf("the question mark to %s is called %q", link, label)
		}
		if !isExplained(link) {
			t.Errorf("a question mark leads to %q, where nothing is", link)
		}
		list = append(list, link)
	}
	return list
}

func TestDocs(t *testing.T) {
	l := webtest.Start(t, func(c *site.Config) {
		c.Limits = []site.Limit{
			{Flag: "-max-upload", Env: "PROFLENS_MAX_UPLOAD", Value: "3MiB", Meaning: "bytes of one request"},
		}
	})
	index := l.OK("/docs", "Accept", "text/html").Text()
	for _, p := range pages.All() {
		if !strings.Contains(index, `href="/docs/`+p.Name+`"`) {
			t.Errorf("the index lacks %s", p.Name)
		}
		a := l.OK("/docs/"+p.Name, "Accept", "text/html")
		webtest.CheckPage(t, a.Parse(t))
		if strings.Contains(a.Text(), pages.Address) {
			t.Errorf("/docs/%s has another server's address", p.Name)
		}
	}
	if got := l.OK("/docs/").Text(); !strings.Contains(got, "Documentation") {
		t.Error("/docs/ is not the index")
	}
	limits := l.OK("/docs/limits").Text()
	for _, want := range []string{"3MiB", "PROFLENS_MAX_UPLOAD", "-max-upload"} {
		if !strings.Contains(limits, want) {
			t.Errorf("the page of limits lacks %q", want)
		}
	}
	if a := l.Get("/docs/nothing", "Accept", "text/html"); a.StatusCode != http.StatusNotFound {
		t.Errorf("/docs/nothing: %s", a.Status)
	}
	if a := l.Get("/docs/methods?x=1", "Accept", "text/html"); a.StatusCode != http.StatusBadRequest {
		t.Errorf("an unknown parameter: %s", a.Status)
	}
}

// The page of the API has every call and every parameter of the document.
func TestDocsAPI(t *testing.T) {
	l := webtest.Start(t, nil)
	a := l.OK("/docs/api")
	var calls []string
	for n := range a.Parse(t).Descendants() {
		if n.Type == html.ElementNode && n.Data == "h3" && webtest.Attr(n, "id") != "" {
			calls = append(calls, strings.Join(strings.Fields(webtest.Text(n)), " "))
		}
	}
	for path, item := range webtest.Document(t).Paths.Map() {
		for method, operation := range item.Operations() {
			if !slices.Contains(calls, method+" "+path) {
				t.Errorf("the page lacks %s %s", method, path)
			}
			for _, p := range operation.Parameters {
				if !strings.Contains(a.Text(), "<code>"+p.Value.Name+"</code>") {
					t.Errorf("%s %s: the page lacks the parameter %s", method, path, p.Value.Name)
				}
			}
		}
	}
	if !strings.Contains(a.Text(), "curl "+l.URL+"/api/v1/profiles/ID/functions/FID") {
		t.Error("no example has this server's address")
	}
}
