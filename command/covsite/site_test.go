package covsite

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// server answers with pages that have links as the real ones do.
func server(pages map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.RequestURI()]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprintf(w, `<!doctype html><html><body>%s</body></html>`, body)
	})
}

const treeAt = "/p/x/files?limit=1000"

func written(t *testing.T, pages map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if _, err := (&Site{Handler: server(pages), Base: "/p/x"}).Write(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestALineOfALongFileIsInItsPage: a link with a line leads to the file of the page that
// has it.
func TestALineOfALongFileIsInItsPage(t *testing.T) {
	next := func(from int) string {
		return fmt.Sprintf(`<a rel="next" href="/p/x/files/long.c?from=%d">later</a>`, from)
	}
	dir := written(t, map[string]string{
		treeAt: `<a class="a" href="/p/x/files/long.c?sel=900#L900">1</a><a href="/p/x/files/long.c?sel=2100#L2100">2</a>
			<a href="/p/x/files/long.c?sel=3500#L3500">3</a>`,
		"/p/x/files/long.c":           `first` + next(1001),
		"/p/x/files/long.c?from=1001": `second` + next(2101),
		"/p/x/files/long.c?from=2101": `third <a rel="prev" href="/p/x/files/long.c?from=1001">earlier</a>`,
	})
	index := read(t, dir, "index.html")
	for _, link := range []string{
		`"files/long.c.html#L900"`, `"files/long.c.from-1001.html#L2100"`, `"files/long.c.from-2101.html#L3500"`,
	} {
		if !strings.Contains(index, link) {
			t.Errorf("no link to %s in %s", link, index)
		}
	}
	if third := read(t, dir, "files/long.c.from-2101.html"); !strings.Contains(third, `href="long.c.from-1001.html"`) {
		t.Error(third)
	}
}

// TestAPageIsAskedForOnce: however many pages a file has.
func TestAPageIsAskedForOnce(t *testing.T) {
	pages := map[string]string{treeAt: `<a href="/p/x/files/long.c?sel=59001#L59001">last</a>`}
	for from := 1; from < 60_000; from += 1000 {
		address := "/p/x/files/long.c"
		if from > 1 {
			address = fmt.Sprintf("%s?from=%d", address, from)
		}
		pages[address] = fmt.Sprintf(`<a href="/p/x/files/long.c">page of line %d</a>`, from)
		if from < 59_000 {
			pages[address] += fmt.Sprintf(` <a rel="next" href="/p/x/files/long.c?from=%d">later</a>`, from+1000)
		}
	}
	asked, dir := map[string]int{}, t.TempDir()
	s := Site{Base: "/p/x", Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.RequestURI()]++
		server(pages).ServeHTTP(w, r)
	})}
	if n, err := s.Write(t.Context(), dir); err != nil || n != 61 {
		t.Fatal(n, err)
	}
	for address, n := range asked {
		if n > 1 && strings.Contains(address, "long.c") {
			t.Errorf("%s was asked for %d times", address, n)
		}
	}
	for _, from := range []int{1001, 40_001, 59_001} {
		page := read(t, dir, fmt.Sprintf("files/long.c.from-%d.html", from))
		if !strings.Contains(page, fmt.Sprint("line ", from)) {
			t.Errorf("the page of line %d is %s", from, page)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, keeping)); !os.IsNotExist(err) {
		t.Errorf("%s stays: %v", keeping, err)
	}
}

// TestWhatIsUnderALineUnfoldsOnAnotherPage: without a server everything is folded on one
// page and unfolded on another.
func TestWhatIsUnderALineUnfoldsOnAnotherPage(t *testing.T) {
	toggle := func(line int, expanded, open string) string {
		return fmt.Sprintf(`<a class="src-toggle" id="L%[1]d" aria-expanded="%[2]s" href="/p/x/files/a.c%[3]s#L%[1]d">x</a>`,
			line, expanded, open)
	}
	dir := written(t, map[string]string{
		treeAt:                    `<a href="/p/x/files/a.c">a.c</a>`,
		"/p/x/files/a.c":          toggle(3, "false", "?open=3") + toggle(9, "false", "?open=9"),
		"/p/x/files/a.c?open=all": "all" + toggle(3, "true", "") + toggle(9, "true", ""),
	})
	if folded := read(t, dir, "files/a.c.html"); !strings.Contains(folded, `href="a.c.unfolded.html#L9"`) {
		t.Error(folded)
	}
	if unfolded := read(t, dir, "files/a.c.unfolded.html"); !strings.Contains(unfolded, "all") ||
		!strings.Contains(unfolded, `href="a.c.html#L9"`) {
		t.Error(unfolded)
	}
}

// TestHostileNamesStayInTheFolder: a mapping may name files in any way.
func TestHostileNamesStayInTheFolder(t *testing.T) {
	links := []string{
		"/p/x/files?file=..%2F..%2Fetc%2Fpasswd", "/p/x/files/a.html/b", "/p/x/files/a", "/p/x/files/A",
		"/p/x/files/con%00trol%22%3E.c",
		"/p/x/files/" + strings.Repeat("é", 300), "/p/x/files/sp%20ace%3F%23.c", "/p/x/files/.",
	}
	pages := map[string]string{}
	for _, link := range links {
		pages[treeAt] += `<a href="` + link + `">x</a>`
	}
	outer := t.TempDir()
	dir := filepath.Join(outer, "site")
	anything := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, pages[r.URL.RequestURI()])
	})
	n, err := (&Site{Handler: anything, Base: "/p/x"}).Write(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if n != len(links)+1 {
		t.Errorf("%d pages, want %d", n, len(links)+1)
	}
	if there, _ := os.ReadDir(outer); len(there) != 1 {
		t.Errorf("written beside the folder: %v", there)
	}
	for _, href := range strings.Split(read(t, dir, "index.html"), `href="`)[1:] {
		href, _, _ = strings.Cut(href, `"`)
		if _, err := os.Stat(filepath.Join(dir, href)); err != nil && !strings.Contains(href, "%") {
			t.Errorf("%s: %v", href, err)
		}
	}
}

// TestWhatNeedsAServerIsLeftOut: forms and links to nothing are not in a file.
func TestWhatNeedsAServerIsLeftOut(t *testing.T) {
	dir := written(t, map[string]string{treeAt: `
		<header><div class="topbar-tools">Compare with…</div></header>
		<nav class="tabs"><ul><li><a href="/p/x">Overview</a></li>
			<li class="tab-group"><details><summary>File</summary></details><ul><li><a href="/p/x/raw">Raw</a></li></ul></li>
			<li><a href="/p/x/functions">Functions</a></li><li><a href="/p/x/files">Files</a></li></ul></nav>
		<form action="/upload"><input></form><a class="button" href="/p/x/merge">Merge</a>
		<table><tr><th><a class="sort" href="/p/x/files?sort=-total">of lines</a></th></tr></table>
		<p><a class="fn-link" title="kept" href="https://example.org/">elsewhere</a></p>
		<svg><a href="/p/x/frames"><rect></rect></a></svg><footer class="foot">Delete…</footer>`})
	got := read(t, dir, "index.html")
	for _, gone := range []string{
		"Compare", "Overview", "Functions", "summary", "form", "Merge", "sort=", "example.org", "frames", "Delete",
	} {
		if strings.Contains(got, gone) {
			t.Errorf("%s is there: %s", gone, got)
		}
	}
	for _, kept := range []string{
		`<a href="index.html">Files</a>`, `<span class="sort">of lines</span>`,
		`<span class="fn-link" title="kept">elsewhere</span>`, "<g><rect",
	} {
		if !strings.Contains(got, kept) {
			t.Errorf("%s is not there: %s", kept, got)
		}
	}
}

// TestAFolderOfOthersIsLeftAlone: only what was written before is removed.
func TestAFolderOfOthersIsLeftAlone(t *testing.T) {
	write := func(dir string, pages map[string]string) error {
		_, err := (&Site{Handler: server(pages), Base: "/p/x"}).Write(context.Background(), dir)
		return err
	}
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	one := map[string]string{treeAt: `<a href="/p/x/files/d/a.c">a</a>`, "/p/x/files/d/a.c": ""}
	if err := write(dir, one); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Fatalf("error %v", err)
	}
	os.Remove(mine)
	if err := write(dir, one); err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(t.TempDir(), "outside")
	if err := os.WriteFile(outside, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	marked, _ := os.OpenFile(filepath.Join(dir, marker), os.O_APPEND|os.O_WRONLY, 0)
	fmt.Fprintf(marked, "../%s\n%s\n", filepath.Base(outside), outside)
	marked.Close()
	if err := os.WriteFile(mine, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := write(dir, map[string]string{treeAt: "none"}); err != nil {
		t.Fatal(err)
	}
	for _, kept := range []string{mine, outside} {
		if _, err := os.Stat(kept); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "files")); !os.IsNotExist(err) {
		t.Errorf("the old page is there: %v", err)
	}
}
