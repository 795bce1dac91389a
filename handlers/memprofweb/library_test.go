package memprofweb_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// stacks is a heap of three stacks: a constructor of a template's class below one's own function,
// an allocator of the library, and one that nothing but the library calls.
const stacks = `---
HeapProfileRecords:
  - GUID: _Z4mainv
    AllocSites:
      - Callstack:
          - { Function: _ZN2ns5ArrayIiEC2Ei, LineOffset: 1, Column: 1, IsInlineFrame: false }
          - { Function: _ZN2ns5buildEv, LineOffset: 2, Column: 2, IsInlineFrame: false }
          - { Function: _Z4mainv, LineOffset: 3, Column: 3, IsInlineFrame: false }
        MemInfoBlock: { AllocCount: 2, TotalSize: 600 }
      - Callstack:
          - { Function: _ZNSt9allocatorIiE8allocateEm, LineOffset: 4, Column: 4, IsInlineFrame: true }
          - { Function: _ZN2ns5parseEv, LineOffset: 5, Column: 5, IsInlineFrame: false }
        MemInfoBlock: { AllocCount: 1, TotalSize: 300 }
      - Callstack:
          - { Function: _ZNSt9allocatorIcE8allocateEm, LineOffset: 6, Column: 6, IsInlineFrame: false }
        MemInfoBlock: { AllocCount: 1, TotalSize: 100 }
    CallSites: []
...
`

// TestOwnFrames: a context is called by the first frame of one's own, with the allocator in
// small; a constructor of a container has beside it what calls it.
func TestOwnFrames(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.Page(l.Upload("heap.yaml", []byte(stacks)))
	said := webtest.Said(webtest.ByTestID(t, l.Page(at+"/sites", http.StatusOK), "contexts"))
	for _, want := range []string{"ns:: parse ()", "via std::allocator::allocate", "ns::Array<int>:: Array (int)"} {
		if !strings.Contains(said, want) {
			t.Errorf("the contexts do not say %q: %s", want, said)
		}
	}
	said = webtest.Said(webtest.ByTestID(t, l.Page(at+"/sites?by=blame", http.StatusOK), "blame"))
	if !strings.Contains(said, "← ns::build") {
		t.Errorf("the constructor's caller is not beside it: %s", said)
	}
}

// TestNoTypes: where no name tells what is allocated, as in C, there is no column of types.
func TestNoTypes(t *testing.T) {
	l := webtest.Start(t, nil)
	for heap, want := range map[string]bool{
		stacks: true, strings.NewReplacer("_ZNSt9allocatorIiE8allocateEm", "take", "_ZNSt9allocatorIcE8allocateEm", "take",
			"_ZN2ns5ArrayIiEC2Ei", "make").Replace(stacks): false,
	} {
		at := webtest.Page(l.Upload("heap.yaml", []byte(heap)))
		row := l.OK(strings.Replace(at, "/p/", "/api/v1/profiles/", 1)+"/sites?by=blame").Column(t, "fid")[0]
		table := webtest.ByTestID(t, l.Page(at+"/sites?by=blame&open="+row, http.StatusOK), "blame")
		if got := strings.Contains(webtest.Said(table), "Type"); got != want {
			t.Errorf("types are shown: %v", got)
		}
		grown := l.Upload("grown.yaml", []byte(strings.ReplaceAll(heap, "TotalSize: 300", "TotalSize: 900")))
		compared := l.Page("/compare/"+strings.TrimPrefix(at, "/p/")+"..."+grown, http.StatusOK)
		if got := strings.Contains(webtest.Said(webtest.ByTestID(t, compared, "pairs")), "Type"); got != want {
			t.Errorf("types are shown in a comparison: %v", got)
		}
		span := "2"
		if want {
			span = "3"
		}
		for _, n := range webtest.All(table, webtest.Tag("th")) {
			if of := webtest.Attr(n, "colspan"); of != "" && of != span {
				t.Errorf("a caller spans %s columns of %s", of, span)
			}
		}
	}
}

// TestDeepLibrary: below more frames of the library than a row has, a context is called by the one that
// allocates.
func TestDeepLibrary(t *testing.T) {
	l := webtest.Start(t, nil)
	const frame = "          - { Function: _ZNSt9allocatorIiE8allocateEm, LineOffset: 4, Column: 4, " +
		"IsInlineFrame: false }\n"
	heap := "---\nHeapProfileRecords:\n  - GUID: _Z4mainv\n    AllocSites:\n      - Callstack:\n" +
		strings.Repeat(frame, 513) +
		"          - { Function: _ZN2ns5parseEv, LineOffset: 5, Column: 5, IsInlineFrame: false }\n" +
		"        MemInfoBlock: { AllocCount: 1, TotalSize: 300 }\n    CallSites: []\n...\n"
	at := webtest.Page(l.Upload("deep.yaml", []byte(heap)))
	said := webtest.Said(webtest.ByTestID(t, l.Page(at+"/sites", http.StatusOK), "contexts"))
	if strings.Contains(said, "via ") || !strings.Contains(said, "allocate") {
		t.Errorf("a frame in the middle of the library's is shown: %s", said)
	}
}

// TestSkippedInComparison: the row of a comparison has the same, kept for the base; what it keeps can
// be forgotten there too.
func TestSkippedInComparison(t *testing.T) {
	l := webtest.Start(t, nil)
	base := l.Upload("heap.yaml", []byte(stacks))
	test := l.Upload("more.yaml", []byte(strings.ReplaceAll(stacks, "TotalSize: 600", "TotalSize: 900")))
	at := "/compare/" + base + "..." + test
	forms := func(path string, header ...string) (list []url.Values) {
		row := webtest.LinkTo(t, l.Page(path, http.StatusOK, header...), "Inspect site 1")
		in := webtest.ByTestID(t, l.Page(row, http.StatusOK, header...), "inspector")
		for _, f := range webtest.All(in, webtest.Tag("form")) {
			form := url.Values{}
			for _, n := range webtest.All(f, webtest.Tag("input")) {
				form.Set(webtest.Attr(n, "name"), webtest.Attr(n, "value"))
			}
			list = append(list, form)
		}
		return list
	}
	list := forms(at)
	if len(list) != 1 || list[0].Get("library") != "default,ns::Array" || list[0].Get("for") != base+" "+at {
		t.Fatalf("the forms are %v", list)
	}
	a := l.Do("POST", "/library", strings.NewReader(list[0].Encode()), "Content-Type",
		"application/x-www-form-urlencoded")
	cookie, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
	list = forms(at+"?library=default,ns::Array", "Cookie", cookie)
	if len(list) != 2 || list[0].Get("library") != "default,ns::Array,ns::build" || list[1].Get("forget") != base+" "+at {
		t.Errorf("the forms are %v", list)
	}
	if list = forms(at + "?by=site"); len(list) != 0 {
		t.Errorf("lines have the forms %v", list)
	}
}

// TestSkippedFrame: a frame that is skipped stays so on the pages of the profile and of its
// comparisons, until it is forgotten; calls of the API do not know of it.
func TestSkippedFrame(t *testing.T) {
	l := webtest.Start(t, nil)
	id, other := l.Upload("heap.yaml", []byte(stacks)), l.Upload("heap2.yaml", []byte(stacks))
	at := webtest.Page(id)
	row := l.OK(webtest.API(id)+"/sites?by=blame").Column(t, "fid")[0]
	doc := l.Page(at+"/sites?by=blame&sel="+row, http.StatusOK)
	form := url.Values{}
	for _, n := range webtest.All(webtest.ByTestID(t, doc, "inspector"), webtest.Tag("input")) {
		form.Set(webtest.Attr(n, "name"), webtest.Attr(n, "value"))
	}
	if form.Get("library") != "default,ns::Array" || form.Get("for") != id+" "+at+"/sites?by=blame" {
		t.Fatalf("the form is %v", form)
	}
	post := func(form url.Values, status int) *webtest.Answer {
		a := l.Do("POST", "/library", strings.NewReader(form.Encode()), "Content-Type", "application/x-www-form-urlencoded")
		if a.StatusCode != status {
			t.Fatalf("%v: %d", form, a.StatusCode)
		}
		return a
	}
	a := post(form, http.StatusSeeOther)
	if to := a.Header.Get("Location"); to != at+"/sites?by=blame" {
		t.Errorf("it leads to %s", to)
	}
	cookie, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
	for _, path := range []string{
		at + "/sites?by=blame", at + "/flame", at + "/callsites", "/compare/" + id + "..." + other,
		"/compare/" + other + "..." + id + "/flame",
	} {
		a := l.Get(path, "Accept", "text/html", "Cookie", cookie)
		to := a.Header.Get("Location")
		if a.StatusCode != http.StatusSeeOther || !strings.Contains(to, "library=default,ns::Array") {
			t.Errorf("%s: %d, to %s", path, a.StatusCode, to)
			continue
		}
		l.Page(a.Header.Get("Location"), http.StatusOK, "Cookie", cookie)
	}
	said := webtest.Said(l.Page(at+"/sites?by=blame&library=default,ns::Array", http.StatusOK, "Cookie", cookie))
	if !strings.Contains(said, "ns:: build ()") || !strings.Contains(said, "Forget") ||
		strings.Contains(said, "own library list") {
		t.Errorf("the page says %s", said)
	}
	if said := webtest.Text(webtest.ByTestID(t, l.Page(at, http.StatusOK, "Cookie", cookie), "largest")); strings.Contains(
		said, "Array") {
		t.Errorf("the overview blames %s", said)
	}
	if a := l.Get(webtest.API(id)+"/sites?by=blame", "Cookie", cookie); a.StatusCode != http.StatusOK {
		t.Errorf("the API: %d", a.StatusCode)
	}
	a = post(url.Values{"forget": {form.Get("for")}, "library": {"default"}}, http.StatusSeeOther)
	if !strings.Contains(a.Header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("it is not forgotten: %s", a.Header.Get("Set-Cookie"))
	}
	post(url.Values{"library": {strings.Repeat("x", 3000)}, "for": {id + " /"}}, http.StatusBadRequest)
	post(url.Values{"library": {"x"}, "for": {"none"}}, http.StatusNotFound)
	a = post(url.Values{"library": {"x"}, "for": {fmt.Sprint(id, " //elsewhere")}}, http.StatusSeeOther)
	if a.Header.Get("Location") != "/" {
		t.Errorf("it leads to %s", a.Header.Get("Location"))
	}
	body, kind := webtest.Form(t, "group", "one", "file:heap.yaml", stacks, "file:a.proftext", ":ir\nf\n1\n1\n5\n")
	id = l.Do("POST", "/api/v1/profiles?wait=5m", body, "Content-Type", kind).Object(t)["id"].(string)
	a = post(url.Values{"library": {"default,ns::Array"}, "for": {id + " /"}}, http.StatusSeeOther)
	beside := l.Page(webtest.Page(id), http.StatusOK, "Cookie", a.Header.Get("Set-Cookie"))
	if said := webtest.Text(webtest.ByTestID(t, beside, "largest")); strings.Contains(said, "Array") {
		t.Errorf("beside counters the overview blames %s", said)
	}
	for _, hostile := range []string{"_default", "!!", "LXg"} { // not a list that can be read
		name, _, _ := strings.Cut(cookie, "=")
		l.Page(at+"/sites?by=blame", http.StatusOK, "Cookie", name+"="+hostile)
	}
}

// TestSkippedInProject: a frame that is skipped in a profile of a project stays so in the project's others,
// and nowhere else.
func TestSkippedInProject(t *testing.T) {
	l := webtest.Start(t, nil)
	id := func(name, project string, size int) string {
		heap := strings.ReplaceAll(stacks, "TotalSize: 600", fmt.Sprint("TotalSize: ", size))
		a := l.Do("PUT", "/api/v1/profiles/"+name+"?wait=5m&project="+project, strings.NewReader(heap))
		return a.Object(t)["id"].(string)
	}
	first, second, elsewhere := id("a.yaml", "app", 600), id("b.yaml", "app", 700), id("c.yaml", "other", 800)
	form := url.Values{"library": {"default,ns::Array"}, "for": {first + " " + webtest.Page(first)}}
	a := l.Do("POST", "/library", strings.NewReader(form.Encode()), "Content-Type", "application/x-www-form-urlencoded")
	cookie, _, _ := strings.Cut(a.Header.Get("Set-Cookie"), ";")
	for id, skips := range map[string]bool{first: true, second: true, elsewhere: false} {
		a := l.Get(webtest.Page(id)+"/sites?by=blame", "Accept", "text/html", "Cookie", cookie)
		if to := a.Header.Get("Location"); strings.Contains(to, "library=default,ns::Array") != skips {
			t.Errorf("%s: %d, to %s", id, a.StatusCode, to)
		}
	}
}
