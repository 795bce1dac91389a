package command

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
)

// Every metric says what it counts, and docs/operations.md names none that there is not.
func TestMetricsAreDocumented(t *testing.T) {
	p := serveProcess(t, "http")
	base := "http://" + p.addr
	raw, err := os.ReadFile("../decode/instrprof/testdata/raw/clang-22_ir_c.profraw")
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{string(raw), "main\nx\n"} {
		req, err := http.NewRequest("PUT", base+"/api/v1/profiles/secretname?wait=5m&visibility=unlisted",
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
	}
	res, err := http.Get(base + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	have := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^# HELP (proflens_\w+) \S.*\n# TYPE (proflens_\w+) `).FindAllSubmatch(
		text, -1) {
		have[string(m[1])] = true
	}
	if n := len(regexp.MustCompile(`(?m)^# TYPE proflens_`).FindAll(text, -1)); len(have) != n {
		t.Errorf("%d of %d metrics say what they count", len(have), n)
	}
	manual, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`(proflens_[a-z_]+)").FindAllSubmatch(manual, -1)
	if len(named) < 20 {
		t.Errorf("docs/operations.md names %d metrics", len(named))
	}
	for _, m := range named {
		if !have[string(m[1])] {
			t.Errorf("docs/operations.md names %s, which the server lacks", m[1])
		}
	}
	for _, want := range []string{
		`proflens_decodes_total{format="llvm-raw",outcome="ready",version="10"} 1`,
		`proflens_decodes_total{format="",outcome="unrecognized_format",version=""} 1`,
		`proflens_profiles{state="ready"} 1`,
		`proflens_queue_length{state="queued"} 0`,
		`proflens_children_ended_total{cause="crashed"} 0`,
		`proflens_aside_files 0`,
		`go_gc_gomemlimit_bytes 4.02653184e+08`,
	} {
		if !strings.Contains(string(text), want+"\n") {
			t.Errorf("the metrics lack %s:\n%s", want, text)
		}
	}
	if !regexp.MustCompile(`(?m)^proflens_connections [1-9]`).Match(text) {
		t.Errorf("the connection that asks is not counted:\n%s", text)
	}
	if strings.Contains(string(text), "secretname") {
		t.Error("a name shows")
	}
}
