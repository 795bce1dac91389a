package command

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// rules is a program with its profiles, and a folder with a text for its source.
func rules(t *testing.T) (program, profile, raw, sources string) {
	t.Helper()
	dir, err := filepath.Abs("../decode/covmap/testdata/clang-22/rules")
	if err != nil {
		t.Fatal(err)
	}
	sources = t.TempDir()
	if err := os.Mkdir(filepath.Join(sources, "rules"), 0o755); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	for line := range 90 {
		fmt.Fprintf(&text, "int source_%d; /* text */\n", line+1)
	}
	if err := os.WriteFile(filepath.Join(sources, "rules", "rules.c"), text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "rules.exe"), filepath.Join(dir, "rules.profdata"), filepath.Join(dir, "rules.profraw"),
		sources
}

// said runs the command line.
func said(t *testing.T, ctx context.Context, args ...string) (status int, out, err string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(ctx, args, stdio{in: strings.NewReader(""), out: &stdout, err: &stderr})
	return status, stdout.String(), stderr.String()
}

// files are those of a folder, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		all[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestCoverageAsASite: every page of the coverage is a file, every link leads to one, and
// the same profile makes the same bytes.
func TestCoverageAsASite(t *testing.T) {
	program, profile, _, sources := rules(t)
	t.Setenv("TMPDIR", t.TempDir())
	dir := filepath.Join(t.TempDir(), "deep", "site")
	write := func() map[string]string {
		status, out, errors := said(t, t.Context(), "cov", "-o", dir, "-compilation-dir", sources, profile, program,
			"-min-lines=91")
		if status != 0 || !strings.HasPrefix(out, "63 of 69 lines covered, 91.3 %") ||
			!strings.Contains(errors, "1 of 2 source files are not here") {
			t.Fatalf("status %d, %s, %s", status, out, errors)
		}
		return files(t, dir)
	}
	site := write()
	again := write()
	for name, text := range site {
		if again[name] != text {
			t.Errorf("%s differs when it is written again", name)
		}
	}
	if len(site) != len(again) {
		t.Errorf("%d files, then %d", len(site), len(again))
	}
	for name, wants := range map[string][]string{
		"index.html":         {"goal 91", `href="files/rules.c.html"`, "Never ran"},
		"files/rules.c.html": {"source_12", `class="syn-`, `href="rules.c.unfolded.html#L14"`},
		"files/rules.c.unfolded.html": {
			`data-testid="mcdc"`, `data-testid="expansion"`, `href="rules.c.html#L14"`,
		},
		"files/rules.c.gaps.html":                     {"all covered"},
		"files/rules.h.html":                          {"No source text for this file"},
		"never-ran.html":                              {"1 function never ran"},
		"mcdc.html":                                   {`href="files/rules.c.unfolded.html#L14"`},
		"index.lines-under-91.html":                   nil,
		"index.branches-under-100.kind-branches.html": {"rules.c"},
	} {
		if _, ok := site[name]; !ok && wants != nil {
			t.Errorf("there is no %s", name)
		}
		for _, want := range wants {
			if !strings.Contains(site[name], want) {
				t.Errorf("%s has no %s", name, want)
			}
		}
	}
	ids, links := map[string]bool{}, map[string][]string{}
	for name, text := range site {
		if path.Ext(name) != ".html" {
			continue
		}
		doc, err := html.Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		for n := range doc.Descendants() {
			if n.Data == "form" || n.Data == "input" {
				t.Errorf("%s has a <%s>", name, n.Data)
			}
			for _, a := range n.Attr {
				switch a.Key {
				case "id":
					ids[name+"#"+a.Val] = true
				case "href", "src":
					links[name] = append(links[name], a.Val)
				}
			}
		}
	}
	for name, list := range links {
		for _, link := range list {
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "" || u.Host != "" || u.RawQuery != "" || path.IsAbs(u.Path) {
				t.Fatalf("%s leads to %s", name, link)
			}
			to := name
			if u.Path != "" {
				to = path.Join(path.Dir(name), u.Path)
			}
			if _, ok := site[to]; !ok || u.Fragment != "" && !ids[to+"#"+u.Fragment] {
				t.Errorf("%s leads to %s, which is not there", name, link)
			}
		}
	}
	if left := files(t, os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %d files", len(left))
	}
}

// A site leads to the sources on another host where it is told where they are.
func TestASiteLeadsToItsSources(t *testing.T) {
	program, profile, _, _ := rules(t)
	t.Setenv("TMPDIR", t.TempDir())
	dir := filepath.Join(t.TempDir(), "site")
	status, _, errors := said(t, t.Context(), "cov", "-o", dir,
		"-source-url=https://code.example/r/blob/{commit}/{path}#L{line}", "-label=commit=c1", program, profile)
	if status != 0 {
		t.Fatal(errors)
	}
	site := files(t, dir)
	for name, want := range map[string]string{
		"files/rules.c.html": `href="https://code.example/r/blob/c1/rules.c#L14"`,
		"never-ran.html":     `href="https://code.example/r/blob/c1/rules.c#L63"`,
	} {
		if !strings.Contains(site[name], want) {
			t.Errorf("%s has no %s", name, want)
		}
	}
	for _, args := range [][]string{
		{"-source-url=https://code.example/{commit}/{path}"}, {"-source-url=ftp://x/{path}"}, {"-label=x"},
	} {
		if status, _, _ := said(t, t.Context(),
			append([]string{"cov", "-o", dir, program, profile}, args...)...); status != 2 {
			t.Errorf("%v ends with %d", args, status)
		}
	}
}

// A site says what its totals are without, as its pages have it, and which marker nothing stops.
func TestASiteSaysWhatItLeavesOut(t *testing.T) {
	dir, err := filepath.Abs("../decode/covmap/testdata/clang-22/kinds")
	if err != nil {
		t.Fatal(err)
	}
	open := t.TempDir()
	if err := errors.Join(os.Mkdir(open+"/src", 0o700),
		os.WriteFile(open+"/src/own.c", []byte("// LCOV_EXCL_START\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(t.TempDir(), "site")
	for _, one := range []struct{ at, options, out, says string }{
		{dir, "-exclude-markers", "15 of 28 lines",
			"note: Left out by markers: 6 lines, 5 regions, 4 branch sides, 1 function\n"},
		{dir, "-exclude-macros", "15 of 34 lines", "note: Left out by macros: 4 regions, 2 branch sides\n"},
		{open, "-exclude-markers", "15 of 34 lines", "warning: /kinds/src/own.c:1: nothing stops the exclusion that " +
			"starts here\nwarning: 2 of 3 source files are not here: their pages have no text; " +
			"-path-equivalence=FROM,TO says where they lie\nnote: Left out by markers: nothing\n"},
	} {
		status, out, errors := said(t, t.Context(), "cov", "-o", site, dir+"/kinds.covmapping", dir+"/kinds.profdata",
			"-path-equivalence=/kinds,"+one.at, one.options)
		if status != 0 || !strings.HasPrefix(out, one.out) || errors != one.says {
			t.Errorf("%s: status %d, %s%s", one.options, status, out, errors)
		}
	}
}

// TestCoverageGates: less than was asked for is status 4, and says what is missing.
func TestCoverageGates(t *testing.T) {
	program, profile, raw, _ := rules(t)
	site := filepath.Join(t.TempDir(), "site")
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{
			[]string{"-o", site, program, profile, "-min-lines=92", "-min-mcdc", "60", "-min-functions=90"}, 4,
			"91.3 % of lines covered, and -min-lines asks for 92 %: 1 line short; 59.5 % of conditions of MC/DC covered, " +
				"and -min-mcdc asks for 60 %",
		},
		{[]string{"report", program, "-instr-profile", profile, "-min-branches=82", "-min-regions=92"}, 0, ""},
		{
			[]string{"report", program, "-instr-profile", profile, "-min-branches=83"}, 4, "82.1 % of sides of branches covered",
		},
		{[]string{"-o", site, program, raw, raw}, 0, "not here"},
		{[]string{"-o", site, program}, 2, "no profile; run the program"},
		{[]string{"-o", site, raw}, 2, "no program"},
		{[]string{"-o", site, "-serve", program, raw}, 2, "one of them"},
		{[]string{"-o", filepath.Dir(program), program, raw}, 1, "is not empty"},
		{[]string{"-o", site, "cov_test.go", raw, program}, 1, "neither a program nor a profile"},
		{[]string{"-serve", "-addr=0.0.0.0:0", program, raw}, 2, "use localhost:PORT"},
	} {
		status, _, errors := said(t, t.Context(), append([]string{"cov"}, test.args...)...)
		if status != test.status || !strings.Contains(errors, test.says) {
			t.Errorf("%q: status %d, %s", test.args, status, errors)
		}
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("default.profraw", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errors := said(t, t.Context(), "cov", "-o", "site", program); status != 2 ||
		!strings.Contains(errors, "proflens cov -o site "+program+" default.profraw") {
		t.Errorf("status %d, %s", status, errors)
	}
}

// TestCoverageWarnsOfMixedProfiles: as pages too, counts added to single bytes are told,
// once.
func TestCoverageWarnsOfMixedProfiles(t *testing.T) {
	program, profile, _, _ := rules(t)
	t.Chdir(t.TempDir())
	if err := os.WriteFile("byte.proftext", []byte(":single_byte_coverage\nelsewhere\n1\n1\n1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	const want = "byte.proftext single-byte coverage, which only says what ran"
	if status, _, errors := said(t, t.Context(), "cov", "-o", "site", program, profile, "byte.proftext"); status != 0 ||
		strings.Count(errors, want) != 1 {
		t.Errorf("status %d, %s", status, errors)
	}
	status, errors := served(t, func(string) {}, program, profile, "byte.proftext")
	if status != 0 || strings.Count(errors, want) != 1 {
		t.Errorf("served: status %d, %s", status, errors)
	}
}

// served runs cov -serve until see has seen the address of its pages.
func served(t *testing.T, see func(address string), args ...string) (status int, errors string) {
	t.Helper()
	ctx, end := context.WithCancel(t.Context())
	defer end()
	out, in := io.Pipe()
	ended := make(chan int, 1)
	var told bytes.Buffer
	go func() {
		ended <- run(ctx, append([]string{"cov", "-serve"}, args...), stdio{in: strings.NewReader(""), out: in, err: &told})
		in.Close()
	}()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err, <-ended, told.String())
	}
	see(strings.TrimSpace(address))
	end()
	return <-ended, told.String()
}

// TestCoverageServed: the pages are there until the command ends, and nothing after.
func TestCoverageServed(t *testing.T) {
	program, _, raw, sources := rules(t)
	t.Setenv("TMPDIR", t.TempDir())
	status, errors := served(t, func(address string) {
		res, err := http.Get(address + "/rules.c")
		if err != nil {
			t.Fatal(err)
		}
		page, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if !strings.Contains(string(page), "source_12") {
			t.Errorf("%s: no text of the source in the page", res.Status)
		}
	}, "-path-equivalence=rules,"+filepath.Join(sources, "rules"), program, raw)
	if status != 0 {
		t.Errorf("status %d: %s", status, errors)
	}
	if left := files(t, os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left behind: %d files", len(left))
	}
}

// Pages and their gate leave out what markers name, where that is asked for.
func TestCovSiteWithoutMarked(t *testing.T) {
	kinds, err := filepath.Abs("../decode/covmap/testdata/clang-22/kinds")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "site")
	status, out, errors := said(t, t.Context(), "cov", "-o", dir, "-exclude-markers", "-min-lines=53",
		"-path-equivalence=/kinds,"+kinds, filepath.Join(kinds, "kinds.covmapping"), filepath.Join(kinds, "kinds.profdata"))
	const without = "Left out by markers: 6 lines"
	if status != 0 || !strings.HasPrefix(out, "15 of 28 lines covered") || !strings.Contains(errors, without) {
		t.Errorf("%d, %s%s", status, out, errors)
	}
	if index := files(t, dir)["index.html"]; !strings.Contains(index, without) {
		t.Error("the index does not say what is left out")
	}
}
