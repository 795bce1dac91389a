package profdata

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDebuginfod: a profile's program comes from the first server that has it, and then from
// the cache; the sum is llvm-profdata's.
func TestDebuginfod(t *testing.T) {
	const correlate = "../../decode/instrprof/testdata/correlate/"
	want, err := os.ReadFile(correlate + "clang-22_bin.proftext")
	if err != nil {
		t.Fatal(err)
	}
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.Header.Get("X-Token"))
		if r.URL.Path != "/second/buildid/4d200c3695273e1bae882528479e42607716d5b3/debuginfo" {
			http.NotFound(w, r)
			return
		}
		http.ServeFile(w, r, correlate+"clang-22_bin.elf")
	}))
	defer server.Close()
	headers := filepath.Join(t.TempDir(), "headers")
	if err := os.WriteFile(headers, []byte("X-Token: a b\nno header\n\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cache := filepath.Join(t.TempDir(), "cache")
	t.Setenv("DEBUGINFOD_URLS", server.URL+"/first "+server.URL+"/second/")
	t.Setenv("DEBUGINFOD_CACHE_PATH", cache)
	t.Setenv("DEBUGINFOD_HEADERS_FILE", headers)
	merge := func(profile string, status int) (out, errs string) {
		t.Helper()
		var o, e bytes.Buffer
		args := []string{"merge", "--text", "--debuginfod", "--correlate=binary", correlate + profile, "-o", "-"}
		if got := Run(t.Context(), args, "test", Streams{In: strings.NewReader(""), Out: &o, Err: &e}); got != status {
			t.Fatalf("status %d, not %d: %s", got, status, &e)
		}
		return o.String(), e.String()
	}
	out, errs := merge("clang-22_bin.profraw", 0)
	if out != string(want) || strings.Count(errs, "warning: could not parse debuginfod header: "+headers+":2\n") != 2 {
		t.Errorf("%s\n%s", out, errs)
	}
	// LLVM 22's name in its cache, which both use.
	if _, err := os.Stat(filepath.Join(cache, "llvmcache-15680597739820809781")); err != nil {
		t.Error(err)
	}
	if out, _ := merge("clang-22_bin.profraw", 0); out != string(want) || len(asked) != 2 ||
		!strings.HasSuffix(asked[1], " a b") {
		t.Errorf("asked %q: %s", asked, out)
	}
	_, errs = merge("clang-22_dbg.profraw", 1)
	const missing = "unable to correlate profile: Missing build ID: f1840ebcf96885441781e3f41c446e2ab347c196\n"
	if !strings.Contains(errs, missing) || !strings.Contains(errs, "404 Not Found") {
		t.Error(errs)
	}
}
