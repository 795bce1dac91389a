package covweb_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

// wholeLines is a program in which the mapping of a function of 51 bytes claims 2^32 lines.
func wholeLines(t *testing.T) []byte {
	t.Helper()
	program, err := os.ReadFile(filepath.Join(webtest.Root(), "decode/covmap/testdata/clang-22/rules/rules.exe"))
	if err != nil {
		t.Fatal(err)
	}
	head := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint32(nil, 51), 11045770778) // size and FuncHash
	at := bytes.Index(program, head)
	if at < 0 {
		t.Fatal("the function is not there")
	}
	mapping := []byte{1, 1, 0, 1} // a file, no expressions, and a region: its numbers fill the room
	for _, number := range []struct{ v, bytes int }{{1, 9}, {1, 9}, {1, 9}, {1<<32 - 3, 10}, {9, 10}} {
		for i := range number.bytes {
			b := byte(number.v >> (7 * i) & 0x7f)
			if i < number.bytes-1 {
				b |= 0x80
			}
			mapping = append(mapping, b)
		}
	}
	copy(program[at+20:], mapping)
	return program
}

// A few bytes can claim 2^32 lines. Pages and pages of tables show their part of them, and
// what would be all of them ends, and says why.
func TestWholeLines(t *testing.T) {
	l := webtest.Start(t, nil)
	program, dir := wholeLines(t), t.TempDir()
	put := func(counts []byte) string {
		for name, data := range map[string][]byte{"lines.exe": program, "lines.proftext": counts} {
			if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return webtest.API(l.Together(webtest.Files(t, dir, "lines.proftext", "lines.exe")...))
	}
	text := l.OK(webtest.PutCoverage(l, "clang-22/rules/rules.profdata", "clang-22/rules/rules.exe") +
		"/export/proftext").Text()
	at, other := put([]byte(text)), put([]byte(zero(text)))
	page := strings.Replace(at, "/api/v1/profiles", "/p", 1)
	if total := l.OK(at + "/coverage/lines?limit=5").Object(t)["total"]; len(fmt.Sprint(total)) < 10 {
		t.Fatalf("%v lines", total)
	}
	id := func(at string) string { return at[strings.LastIndex(at, "/")+1:] }
	pair := "/compare/" + id(at) + "..." + id(other)
	small := func(path string, a *webtest.Answer) {
		if n := len(a.Text()); a.StatusCode != http.StatusOK || n > 4<<20 {
			t.Errorf("%s: %d, %d bytes", path, a.StatusCode, n)
		}
	}
	for _, path := range []string{
		"", "/files", "/files/rules.c", "/files/rules.c?show=gaps", "/files/rules.c?sel=4000000000",
		"/files/rules.c?from=3999999999", "/files/rules.c?open=1..4294967295", "/uncovered",
	} {
		small(path, l.Get(page+path, "Accept", "text/html"))
	}
	for _, path := range []string{
		"?family=coverage", "/lines?family=coverage&file=rules.c",
		"/lines?family=coverage&file=rules.c&show=all&page=4000000",
	} {
		small(path, l.Get(pair+path, "Accept", "text/html"))
	}
	for _, path := range []string{
		at + "/coverage/lines?limit=1000&cursor=49999000", "/api/v1" + pair + "/lines?family=coverage&limit=1000",
		at + "/export/cov-report", at + "/export/llvm-cov-json", at + "/export/csv?table=coverage-files",
	} {
		small(path, l.Get(path))
	}
	for _, path := range []string{
		at + "/coverage/lines?limit=5&cursor=50000000", at + "/coverage/lines?limit=5&sort=-count",
		"/api/v1" + pair + "/lines?family=coverage&cursor=50000000",
	} {
		if a := l.Get(path); a.StatusCode/100 != 4 || !strings.Contains(a.Text(), "more lines than any program has") {
			t.Errorf("%s: %d %.300s", path, a.StatusCode, a.Text())
		}
	}
	for _, path := range []string{at + "/export/lcov", at + "/export/cobertura"} {
		if a := l.Get(path); len(a.Text()) > 1<<20 || a.StatusCode == http.StatusOK {
			t.Errorf("%s: %d %.300s", path, a.StatusCode, a.Text())
		}
	}
}
