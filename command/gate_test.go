package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// gated runs proflens gate outside of CI and of a repository with rules.
func gated(t *testing.T, args ...string) (status int, out, told string) {
	t.Helper()
	for _, ci := range ciSystems {
		t.Setenv(ci.set, "")
	}
	var stdout, stderr bytes.Buffer
	status = run(context.Background(), append([]string{"gate", "-rules", os.DevNull}, args...), stdio{
		in: strings.NewReader(""), out: &stdout, err: &stderr,
	})
	return status, stdout.String(), stderr.String()
}

const (
	gatedBase = "../handlers/testdata/oracles/ir_c.profdata"
	gatedTest = "../handlers/testdata/oracles/ir_weighted.profdata"
	gatedHeap = "../profile/memprofdb/testdata/mem_cold_v4.profdata"
)

// Scripts tell from the status what became of a gate.
func TestGateStatus(t *testing.T) {
	for name, test := range map[string]struct {
		args []string
		want int
	}{
		"passes":  {[]string{"-base", gatedBase, "-rule", "min_overlap=100", gatedBase}, exitOK},
		"fails":   {[]string{"-base", gatedBase, "-rule", "min_overlap=100", gatedTest}, exitGate},
		"missing": {[]string{"-base", gatedBase, "-rule", "min_coverage=1", gatedBase}, exitGate},
		"twice": {
			[]string{"-base", gatedBase, "-rule", "min_overlap=1", "-rule", "nonsense=1", gatedBase}, exitUsage,
		},
		"no rules":      {[]string{"-base", gatedBase, gatedBase}, exitUsage},
		"no rule left":  {[]string{"-allow-no-base", "-rule", "min_overlap=1", gatedBase}, exitOK},
		"none to leave": {[]string{"-allow-no-base", gatedBase}, exitUsage},
		"no file":       {[]string{"-rule", "min_functions=1", "nothing.profraw"}, exitIO},
		"no profile":    {[]string{"-rule", "min_functions=1", "gate_test.go"}, exitMalformed},
		"no diff":       {[]string{"-rule", "min_functions=1", "-diff", "gate_test.go", gatedBase}, exitMalformed},
		"not a server":  {[]string{"-server", "ftp://x", "-rule", "min_functions=1", gatedBase}, exitUsage},
	} {
		if status, out, told := gated(t, test.args...); status != test.want {
			t.Errorf("%s: status %d, want %d\n%s%s", name, status, test.want, out, told)
		}
	}
}

// What proflens.toml has totals of coverage leave out, those of files here leave out too, and every
// form of a report says so.
func TestGateLeavesOut(t *testing.T) {
	rules := filepath.Join(t.TempDir(), "proflens.toml")
	if err := os.WriteFile(rules, []byte("[coverage]\nexclude = [\"macros\"]\nwithout = [\"tests\"]\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	const kinds = "../decode/covmap/testdata/clang-22/kinds/kinds."
	const left = "Totals of 2 of 3 files. Left out by macros: 4 regions, 2 branch sides."
	for _, format := range []string{"text", "json", "markdown", "junit", "sarif"} {
		status, out, told := gated(t, "-rules", rules, "-format", format, "-rule", "min_coverage=1", kinds+"profdata",
			kinds+"covmapping")
		if said := strings.ReplaceAll(out, "\\", ""); status != exitOK || !strings.Contains(said, left) {
			t.Errorf("%s: status %d\n%s%s", format, status, out, told)
		}
	}
}

// server answers as one with builds of a project, newest first.
func server(t *testing.T, answers map[string]any) (url string, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*asked = append(*asked, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Authorization"))
		switch answer := answers[r.URL.EscapedPath()].(type) {
		case nil:
			w.WriteHeader(http.StatusNotFound)
			fmt.Fprint(w, `{"title":"Not found","detail":"nothing"}`)
		case []byte:
			w.Header().Set("Content-Disposition", `attachment; filename="../../a.profdata"`)
			w.Write(answer)
		default:
			json.NewEncoder(w).Encode(answer)
		}
	}))
	t.Cleanup(web.Close)
	return web.URL, asked
}

func file(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var ids = []string{strings.Repeat("a", 26), strings.Repeat("b", 26), strings.Repeat("c", 26)}

func build(commit string, profiles ...map[string]any) map[string]any {
	return map[string]any{"commit": commit, "profiles": profiles}
}

func kept(id string, families ...string) map[string]any {
	return map[string]any{"id": id, "families": families}
}

// Of a build's profiles the base is that which has what the rules need: here coverage, beside
// which counters were uploaded later.
func TestBaseHasWhatRulesNeed(t *testing.T) {
	url, _ := server(t, map[string]any{
		"/api/v1/profiles/" + ids[0] + "/original": file(t, gatedBase),
		"/api/v1/projects/app/builds": map[string]any{"items": []any{
			build("c1", kept(ids[1], "instr"), kept(ids[0], "instr", "coverage")),
		}},
	})
	_, out, told := gated(t, "-server", url, "-project", "app", "-rule", "max_lines_lost=0", gatedBase)
	if !strings.Contains(out, "base: "+ids[0]+"\n") {
		t.Errorf("%s%s", out, told)
	}
}

// The base is the newest build that is older than the commit, with the newest profile of
// each family.
func TestBaseIsTheBuildBefore(t *testing.T) {
	for name, test := range map[string]struct {
		commit string
		items  []any
		status int
		says   string
	}{
		"a new commit": {"c3", []any{build("c2", kept(ids[0], "instr"))}, exitOK, "base: " + ids[0]},
		"its own build": {
			"c2", []any{build("c2", kept(ids[1], "instr")), build("c1", kept(ids[0], "instr"))}, exitOK, "base: " + ids[0],
		},
		"newer builds": {
			"c1", []any{build("c2", kept(ids[1], "instr")), build("c1", kept(ids[1], "instr")),
				build("c0", kept(ids[0], "instr"))}, exitOK, "base: " + ids[0],
		},
		"several profiles": {
			"c3", []any{build("c2", kept(ids[0], "instr"), kept(ids[1], "instr"), kept(ids[2], "memprof"))}, exitOK,
			"base: " + ids[0] + " + " + ids[2],
		},
		"no build before":      {"c1", []any{build("c1", kept(ids[1], "instr"))}, exitGate, "there is no base"},
		"no build":             {"c1", []any{}, exitGate, "there is no base"},
		"a project not known":  {"c1", nil, exitGate, "there is no base"},
		"a build with no name": {"", []any{build("", kept(ids[0], "instr"))}, exitOK, "base: " + ids[0]},
	} {
		answers := map[string]any{
			"/api/v1/profiles/" + ids[0] + "/original": file(t, gatedBase),
			"/api/v1/profiles/" + ids[2] + "/original": file(t, gatedHeap),
		}
		if test.items != nil {
			answers["/api/v1/projects/a%2Fb/builds"] = map[string]any{"items": test.items}
		}
		url, asked := server(t, answers)
		status, out, told := gated(t, "-server", url, "-token", "sesame", "-project", "a/b", "-branch", "main", "-workload",
			"w", "-commit", test.commit, "-rule", "min_overlap=100", gatedBase)
		if status != test.status || !strings.Contains(out, test.says) {
			t.Errorf("%s: status %d: %s%s", name, status, out, told)
		}
		if want := "GET /api/v1/projects/a%2Fb/builds?branch=main&limit=1000&workload=w Bearer sesame"; (*asked)[0] != want {
			t.Errorf("asked %q, want %q", (*asked)[0], want)
		}
		status, out, _ = gated(t, "-server", url, "-project", "a/b", "-commit", test.commit, "-allow-no-base", "-rule",
			"min_overlap=100", "-rule", "min_functions=1", gatedBase)
		if status != exitOK {
			t.Errorf("%s, where there may be no base: %s", name, out)
		}
	}
}

// A server that is asked where it cannot answer ends in an error, not in a gate that
// passes.
func TestServerThatRefuses(t *testing.T) {
	url, _ := server(t, map[string]any{"/api/v1/compare/gate": "nonsense"})
	for name, args := range map[string][]string{
		"no such profile": {"-base", url + "/p/" + ids[0], "-rule", "min_overlap=1", gatedBase},
		"not a server":    {"-base", url + "/p/" + ids[0], "-test", url + "/p/" + ids[1], "-rule", "min_overlap=1"},
		"nobody there":    {"-base", "http://localhost:1/p/" + ids[0], "-rule", "min_overlap=1", gatedBase},
	} {
		if status, out, told := gated(t, args...); status != exitIO || out != "" || told == "" {
			t.Errorf("%s: status %d: %s%s", name, status, out, told)
		}
	}
}

// The token of a server is for that one alone.
func TestTokenIsForOneServer(t *testing.T) {
	answers := map[string]any{"/api/v1/profiles/" + ids[0] + "/original": file(t, gatedBase)}
	url, asked := server(t, answers)
	other, others := server(t, answers)
	for _, list := range [][]string{{"-server", url}, nil} {
		status, out, told := gated(t, append(list, "-token", "sesame", "-rule", "min_overlap=100", "-test", url+"/p/"+ids[0],
			"-base", other+"/p/"+ids[0])...)
		if status != exitOK {
			t.Error(out, told)
		}
	}
	for i, list := range [][]string{*asked, *others} {
		for _, request := range list {
			if strings.HasSuffix(request, " Bearer sesame") != (i == 0) {
				t.Errorf("server %d was asked %q", i, request)
			}
		}
	}
}

// A link to any page of a profile is the profile, on a server below a path too.
func TestLinks(t *testing.T) {
	for text, want := range map[string]remote{
		"https://p.example/p/" + ids[0]:                            {server: "https://p.example", id: ids[0]},
		"http://localhost:8080/below/p/" + ids[0] + "/functions?x": {server: "http://localhost:8080/below", id: ids[0]},
		"http://h/api/v1/profiles/" + ids[0]:                       {server: "http://h", id: ids[0]},
		"http://h/x/api/v1/profiles/" + ids[0] + "/functions":      {server: "http://h/x", id: ids[0]},
	} {
		if got, ok := linkOf(text); !ok || got != want {
			t.Errorf("%s is %+v, want %+v", text, got, want)
		}
	}
	for _, text := range []string{"http://h/", "http://h/p/short", "file:///p/" + ids[0], ids[0], "a.profdata", "://"} {
		if got, ok := linkOf(text); ok {
			t.Errorf("%s is %+v", text, got)
		}
	}
}

// A change is judged against the branch that it is to be merged into.
func TestTargetInCI(t *testing.T) {
	for want, env := range map[string]map[string]string{
		"main":    {"GITHUB_ACTIONS": "true", "GITHUB_SHA": "c", "GITHUB_BASE_REF": "main"},
		"develop": {"GITLAB_CI": "true", "CI_COMMIT_SHA": "c", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "develop"},
		"":        {"GITHUB_BASE_REF": "main"},
	} {
		if got := ciTarget(func(key string) string { return env[key] }); got != want {
			t.Errorf("%v: %q, want %q", env, got, want)
		}
	}
}

// A diff is judged by the lines that it adds, of the files that the program names.
func TestGateOfChangedLines(t *testing.T) {
	const mapped = "../decode/covmap/testdata/clang-22/rules/rules"
	diff := filepath.Join(t.TempDir(), "change.diff")
	if err := os.WriteFile(diff, []byte("--- a/rules.c\n+++ b/rules.c\n@@ -0,0 +1,60 @@\n"+strings.Repeat("+x\n", 60)),
		0o600); err != nil {
		t.Fatal(err)
	}
	status, out, told := gated(t, "-diff", diff, "-rule", "min_changed_lines_coverage=50", mapped+".profdata",
		mapped+".exe")
	if status != exitOK || !strings.Contains(out, "pass") {
		t.Errorf("%d: %s%s", status, out, told)
	}
	if status, out, _ := gated(t, "-rule", "min_changed_lines_coverage=50", mapped+".profdata",
		mapped+".exe"); status != exitGate || !strings.Contains(out, "no diff") {
		t.Errorf("%d: %s", status, out)
	}
}
