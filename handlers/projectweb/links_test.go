package projectweb_test

import (
	"net/http"
	"testing"

	"proflens/builds/measures"
	"proflens/decode/model"
	"proflens/handlers/projectpath"
	"proflens/handlers/webtest"
)

// The home page leads to projects where there are any, and a profile to its build.
func TestWaysToProjects(t *testing.T) {
	l, _ := webtest.Idle(t, nil)
	if webtest.HasTestID(l.Page("/", http.StatusOK), "to-projects") {
		t.Error("the home page leads to projects that are not there")
	}
	ids := invent(t, l, append(step("owner/name", 2, 9), invented{
		families: []model.Family{"instr"}, before: -1, own: measures.Set{},
	}))
	home := l.Page("/", http.StatusOK)
	if to := webtest.Attr(webtest.ByTestID(t, home, "to-projects"), "href"); to != "/projects" {
		t.Errorf("projects are at %s", to)
	}
	if to := webtest.LinkTo(t, home, "owner/name"); to != projectpath.Of("owner/name") {
		t.Errorf("the project is at %s", to)
	}
	profile := l.Page("/p/"+ids[1], http.StatusOK)
	to := webtest.ByTestID(t, profile, "to-build")
	if said := webtest.Text(to); said != "Build "+commit(1)[:8]+" of owner/name" {
		t.Errorf("a profile leads to %q", said)
	}
	build := l.Page(webtest.Attr(to, "href"), http.StatusOK)
	if said := webtest.Text(webtest.All(build, webtest.Tag("h1"))[0]); said != commit(1)[:8]+" change 1" {
		t.Errorf("its build is %q", said)
	}
	if webtest.HasTestID(l.Page("/p/"+ids[2], http.StatusOK), "to-build") {
		t.Error("a profile of no project leads to a build")
	}
}
