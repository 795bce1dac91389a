package projectweb_test

import (
	"net/http"
	"strings"
	"testing"

	"proflens/builds/measures"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
)

// newest is a few builds on branches whose names are alike.
func newest(t *testing.T, l *webtest.Server) []string {
	of := func(branch, commit, workload string, families ...model.Family) invented {
		labels := map[string]string{"branch": branch, "commit": commit}
		if workload != "" {
			labels["workload"] = workload
		}
		return invented{
			project: "owner/name", labels: labels, families: families, before: -1, own: measures.Set{"instr.functions": {N: 3}},
		}
	}
	return invent(t, l, []invented{
		of("release", "aaaa1111", "", "instr"),
		of("release/1.0", "bbbb2222", "", "instr"),
		of("release/1.0", "cccc3333", "", "instr"),
		of("release/1.0", "cccc3333", "", "memprof"),
		of("release/1.0", "cccc3333", "bench", "instr"),
	})
}

func TestLatest(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	ids := newest(t, l)
	doc := webtest.Document(t)
	const build, latest = "/projects/owner/name/builds/", "/projects/owner/name/latest/"
	for path, want := range map[string]string{
		"release":                               build + "aaaa1111",
		"release/aaaa":                          build + "aaaa1111",
		"release/1.0/bbbb2222":                  build + "bbbb2222",
		"release%2F1.0/bbbb":                    build + "bbbb2222",
		"release/1.0":                           build + "cccc3333?branch=release/1.0&workload=bench",
		"release/1.0?workload=":                 build + "cccc3333?branch=release/1.0&workload=",
		"release/1.0?kind=memprof":              "/p/" + ids[3],
		"release/1.0?kind=instr":                "/p/" + ids[4],
		"release/1.0/cccc?workload=&kind=instr": "/p/" + ids[2],
	} {
		if a := l.Get(latest+path, "Accept", "text/html"); a.StatusCode != http.StatusSeeOther ||
			a.Header.Get("Location") != want {
			t.Errorf("%s: %s to %s, want %s", path, a.Status, a.Header.Get("Location"), want)
		}
	}
	page := l.Page("/projects/owner/name", http.StatusOK)
	if to := webtest.LinkTo(t, webtest.ByTestID(t, page, "branches"), "cccc3333"); to != latest+"release/1.0" {
		t.Errorf("the newest build of a branch leads to %s", to)
	}
	const route = "/api/v1/projects/{project}/latest/{branch}"
	a := l.OK("/api/v1" + latest + "release/1.0?workload=")
	webtest.Validate(t, doc, route, a)
	o := a.Object(t)
	if profiles := o["profiles"].([]any); o["commit"] != "cccc3333" || o["branch"] != "release/1.0" ||
		len(profiles) != 2 || profiles[0].(map[string]any)["id"] != ids[3] {
		t.Errorf("the newest build is %v", o)
	}
	to := l.Get("/api/v1" + latest + "release/1.0?kind=memprof")
	if webtest.Validate(t, doc, route, to); to.StatusCode != http.StatusTemporaryRedirect ||
		to.Header.Get("Location") != "/api/v1/profiles/"+ids[3] {
		t.Errorf("%s to %s", to.Status, to.Header.Get("Location"))
	}
	for path, kind := range map[string]string{
		"none": "not_found", "release/none": "not_found", "release/1.0/none": "not_found",
		"release?kind=memprof": "not_found", "release?workload=x": "not_found", "release/aaaa?kind=mip": "not_found",
	} {
		webtest.Problem(t, l.Get("/api/v1"+latest+path), http.StatusNotFound, kind)
		l.Page(latest+path, http.StatusNotFound)
	}
	for _, path := range []string{"release?kind=nonsense", "release?x=1"} {
		webtest.Problem(t, l.Get("/api/v1"+latest+path), http.StatusBadRequest, "bad_parameter")
	}
	webtest.Problem(t, l.Get("/api/v1/projects/none/latest/main"), http.StatusNotFound, "not_found")
}

// Names may have slashes, as parts of the address or escaped, and words of our own.
func TestNamesInAddresses(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	names := map[string]string{
		"plain": "/projects/plain", "owner/name": "/projects/owner/name", "a/b/c": "/projects/a/b/c",
		"builds": "/projects/builds", "a/builds": "/projects/a%2Fbuilds",
		"a b/ü": "/projects/a%20b/%C3%BC", "a//b": "/projects/a%2F%2Fb", "100%": "/projects/100%25",
	}
	var list []invented
	for name := range names {
		list = append(list, invented{
			project: name, labels: map[string]string{"branch": "builds/x", "commit": "a/b"}, families: []model.Family{"instr"},
			before: -1, own: measures.Set{},
		})
	}
	invent(t, l, list)
	links := map[string]string{}
	for _, item := range l.OK("/api/v1/projects").Object(t)["items"].([]any) {
		o := item.(map[string]any)
		links[o["project"].(string)] = o["links"].(map[string]any)["page"].(string)
	}
	for name, want := range names {
		if links[name] != want {
			t.Errorf("the page of %q is %s, want %s", name, links[name], want)
			continue
		}
		for _, below := range []string{"", "/builds", "/builds/a%2Fb", "/gate", "/rules", "/branches"} {
			page := l.Page(want+below, http.StatusOK)
			if head := webtest.Text(webtest.ByTestID(t, page, "project-header")); !strings.HasSuffix(head, name) {
				t.Errorf("%s is of %q", want+below, head)
			}
		}
		if to := l.Get(want+"/latest/builds/x", "Accept", "text/html").Header.Get("Location"); to != want+"/builds/a%2Fb" {
			t.Errorf("the latest of %q is %s", name, to)
		}
		if a := l.Get(want + "/badge/builds/x.svg"); a.StatusCode != http.StatusOK ||
			a.Header.Get("Content-Type") != "image/svg+xml" {
			t.Errorf("the badge of %q: %s", name, a.Status)
		}
	}
	if a := l.Get("/projects/owner%2Fname/builds"); a.StatusCode != http.StatusOK {
		t.Errorf("an escaped name: %s", a.Status)
	}
}

// Below a path of a proxy, addresses are too.
func TestProjectsBelowABasePath(t *testing.T) {
	l, _ := webtest.Idle(t, func(c *site.Config) { c.BasePath = "/proflens" })
	newest(t, l)
	if to := l.Get("/proflens/projects/owner/name/latest/release", "Accept",
		"text/html").Header.Get("Location"); to != "/proflens/projects/owner/name/builds/aaaa1111" {
		t.Errorf("the latest is at %s", to)
	}
	if links := l.OK("/proflens/api/v1/projects/owner/name/latest/release").Object(t)["links"].(map[string]any); links["page"] != "/proflens/projects/owner/name/builds/aaaa1111" {
		t.Errorf("links: %v", links)
	}
	page := l.Page("/proflens/projects/owner/name?branch=release/1.0", http.StatusOK)
	if to := webtest.LinkTo(t, page, "cccc3333"); !strings.HasPrefix(to, "/proflens/projects/owner/name/builds/cccc3333") {
		t.Errorf("a build is at %s", to)
	}
}
