package command

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/operations.md lists every metric of ours, and no other.
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
	var have []string
	for _, m := range regexp.MustCompile(`(?m)^# TYPE (proflens_\w+) `).FindAllSubmatch(text, -1) {
		have = append(have, string(m[1]))
	}
	doc, err := os.ReadFile("../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "\n## Metrics\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 2 {
			for _, m := range regexp.MustCompile("`(proflens_[a-z_]+)`").FindAllStringSubmatch(cells[1], -1) {
				listed = append(listed, m[1])
			}
		}
	}
	slices.Sort(have)
	slices.Sort(listed)
	if !slices.Equal(have, listed) {
		t.Errorf("the server has\n%s\nand docs/operations.md lists\n%s", strings.Join(have, "\n"), strings.Join(listed, "\n"))
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
