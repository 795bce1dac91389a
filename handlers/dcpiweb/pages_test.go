package dcpiweb_test

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// Every form of a database of samples is linked under Downloads, and there.
func TestFormsOfSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	at := webtest.PutDCPI(l, "db.tar", webtest.DCPIArchive(t, "tar", "app.nmS"))
	page := l.OK("/p"+strings.TrimPrefix(at, "/api/v1/profiles")+"/downloads", "Accept", "text/html").Text()
	for _, form := range []string{
		"pprof", "folded?event=cycles", "folded?event=imiss", "speedscope", "csv?table=procedures", "json?table=samples",
		"csv?table=dcpi-profiles", "sqlite",
	} {
		if !strings.Contains(page, at+"/export/"+form) {
			t.Errorf("there is no link to %s", form)
		}
		l.OK(at + "/export/" + form)
	}
	if strings.Contains(page, "/export/dcpi\"") {
		t.Error("profiles of two events are offered as one file")
	}
	// expected.json has these totals of both events.
	for event, line := range map[string]string{"cycles": "app;main 7171\n", "imiss": "app;main 7176\n"} {
		if got := l.OK(at + "/export/folded?event=" + event).Text(); !strings.Contains(got, line) {
			t.Errorf("%s: there is no %q in\n%s", event, line, got)
		}
	}
	for _, path := range []string{"/export/folded?event=none", "/export/pprof?event=none"} {
		if a := l.Get(at + path); a.StatusCode != 400 {
			t.Errorf("%s: %s", path, a.Status)
		}
	}
	counters := l.Do("PUT", "/api/v1/profiles/a.profraw?wait=5m",
		bytes.NewReader(webtest.File(t, "ir_c.profraw"))).Object(t)["id"].(string)
	if a := l.Get("/api/v1/profiles/" + counters + "/export/pprof?event=cycles"); a.StatusCode != 400 {
		t.Errorf("an event of counters: %s", a.Status)
	}
}

// Epochs and hosts are drawn, with the same figures below, and a difference has
// signs.
func TestPagesOverEpochs(t *testing.T) {
	l := webtest.Start(t, nil)
	at := "/p" + strings.TrimPrefix(webtest.PutDCPI(l, "db.tar", webtest.DCPIArchive(t, "tar", "app.nmS")),
		"/api/v1/profiles")
	for path, parts := range map[string][]string{
		"":                    {`data-testid="heat-strip"`, "Heat of app", "?show=difference"},
		"/heat":               {"0x120000000 to 0x120001", "samples of cycles, log scale", `href="heat?`},
		"/epochs?by=platform": {"<title>Hosts"},
		"/epochs": {
			`data-testid="series"`, "<title>Epochs", "cycles, imiss", "Samples: cycles 12",
		},
		"/epochs?show=images":                    {`data-testid="series"`},
		"/images?by=epoch":                       {`data-testid="series"`},
		"/epochs?show=procedures":                {`data-testid="series"`, "of the procedures __start, main"},
		"/epochs?show=procedures&by=platform":    {`data-testid="series"`, "in each host", "<title>Hosts"},
		"/epochs?show=procedures&unit=seconds":   {`data-testid="series"`},
		"/epochs?show=difference":                {`class="n change-more">+`, `class="n change-less">−`, "2 epochs differ"},
		"/addresses":                             {"main + 0x"},
		"/epochs?show=difference&normalise=true": {"scaled"},
	} {
		text := l.OK(at+path, "Accept", "text/html").Text()
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s: there is no %q", path, part)
			}
		}
	}
	if text := l.OK(at+"/images", "Accept", "text/html").Text(); strings.Contains(text, `data-testid="series"`) {
		t.Error("events are drawn on one scale")
	}
	if text := l.OK(at+"/heat?limit=5&page=2", "Accept", "text/html").Text(); !strings.Contains(text, "rows 6–10") {
		t.Error("the cells of the second page are not said")
	}
}

// Procedures of C++ have the names that their author knows; where all are of one image, no
// column repeats it.
func TestProceduresAreDemangled(t *testing.T) {
	l := webtest.Start(t, nil)
	listing := []byte("0000000120001000 T _ZN4tool6parser4readERKi\n")
	files := webtest.Files(t, filepath.Join(webtest.Root(), "decode/dcpi/testdata/db/9711040900/pecan"),
		"app_660b03cd5eed_cycles")
	at := webtest.Page(l.Together(append(files, "app.nm", listing)...))
	for path, part := range map[string]string{
		"":              "the hottest procedure is read of",
		"/procedures":   `<b class="fn-base">read</b>`,
		"/addresses":    `<b class="fn-base">read + 0x`,
		"/heat?cell=64": ", in tool::parser::read(int const&amp;) + 0x",
	} {
		text := l.OK(at+path, "Accept", "text/html").Text()
		if !strings.Contains(text, part) {
			t.Errorf("%s: there is no %q", path, part)
		}
		if path != "" && strings.Contains(text, `class="col-image`) {
			t.Errorf("%s repeats the only image", path)
		}
	}
	if text := l.OK(at + "?format=text").Text(); !strings.Contains(text, "%  tool::parser::read  ") {
		t.Errorf("a terminal has\n%s", text)
	}
}
