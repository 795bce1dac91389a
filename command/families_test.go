package command

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/net/html"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/handlers/examples"
	"proflens/handlers/webtest"
	"proflens/profile/exports"
	"proflens/profile/tables"
)

// example is files that are uploaded together.
type example struct {
	name  string
	paths []string
	files []format.File
}

// everyExample are real files of every format and kind that there is test data of,
// files that belong together, and those that come with the program.
func everyExample(t *testing.T) []example {
	t.Helper()
	root := webtest.Root()
	var list []example
	add := func(name string, paths ...string) {
		e := example{name: name, paths: paths}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			e.files = append(e.files, format.File{Name: filepath.Base(path), Data: data})
		}
		list = append(list, e)
	}
	seen := map[string]bool{}
	for _, dir := range []string{
		"instrprof/testdata/raw", "instrprof/testdata/indexed", "instrprof/testdata/text", "memprof/testdata",
		"mip/testdata/counts", "mip/testdata/coverage", "mip/testdata/blocks", "dcpi/testdata/db", "dcpi/testdata/cat",
		"dcpi/testdata/hand", "sampleprof/testdata/gcc", "sampleprof/testdata/llvm-13", "sampleprof/testdata/llvm-22",
		"sampleprof/testdata/text",
	} {
		err := filepath.WalkDir(filepath.Join(root, "decode", dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(path, "/fuzz/") || strings.HasSuffix(path, ".golden") {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			name := filepath.Base(path)
			is := recognised(t, name, data)
			variant := is.Describe
			if testing.Short() && is.Format != nil { // versions are alike once they are decoded
				variant = fmt.Sprint(is.Format.Name, is.Families, strings.Contains(variant, "temporal"))
			}
			if is.Err == nil && is.Format != nil && !seen[variant] {
				seen[variant] = true
				add(is.Describe, path)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for name, paths := range map[string][]string{
		"map and raw files": {
			"mip/testdata/merged/counts.mipmap", "mip/testdata/merged/counts.0.mipraw", "mip/testdata/merged/counts.1.mipraw",
			"mip/testdata/merged/counts.2.mipraw",
		},
		"samples and a listing": {
			"dcpi/testdata/db/9711040900/pecan/app_660b03cd5eed_cycles", "dcpi/testdata/db/app.nm",
		},
		"counters and a Mach-O file": {
			"instrprof/testdata/raw/clang-13_fe_continuous.profraw", "testdata/foreign/a.macho.o",
		},
		"counters and a Windows program": {
			"instrprof/testdata/correlate/clang-22_bin_pe.profraw", "instrprof/testdata/correlate/clang-22_bin_pe.exe",
		},
		"counters and a .dSYM bundle": {
			"instrprof/testdata/correlate/clang-22_dwarf5_macho.profraw",
			"instrprof/testdata/correlate/clang-22_dwarf5_macho.dsym",
		},
		"counters and their program": {
			"covmap/testdata/clang-22/rules/rules.profdata", "covmap/testdata/clang-22/rules/rules.exe",
		},
		"counters of another build": {"covmap/testdata/joined/stale.profdata", "covmap/testdata/joined/stale.exe"},
		"counters and WebAssembly": {
			"covmap/testdata/joined/xmac.profdata", "covmap/testdata/clang-22/wasm/wasm.wasm",
		},
		"counters and mapping data": {
			"covmap/testdata/joined/calc.profdata", "covmap/testdata/clang-22/testing/calc.covmapping",
		},
		"counters and an archive": {
			"covmap/testdata/joined/calc.profdata", "covmap/testdata/clang-22/archive/libcalc.a",
		},
		"counters and a Windows object": {
			"covmap/testdata/joined/xmac.profdata", "covmap/testdata/clang-22/coff/coff.o",
		},
		"counters and a stripped file": {
			"covmap/testdata/joined/calc.profdata", "covmap/testdata/clang-22/stripped/stripped.exe",
		},
		"sampled contexts and their program": {
			"sampleprof/testdata/llvm-22/contexts.ext.afdo", "sampleprof/testdata/programs/probes.elf",
		},
		"sampled lines and their program": {
			"sampleprof/testdata/llvm-22/line.ext.afdo", "sampleprof/testdata/programs/lines.elf",
		},
		"hashes and a list of names": {
			"sampleprof/testdata/llvm-16/md5_compressed.ext.afdo", "sampleprof/testdata/programs/names.txt",
		},
		"heap and program": {
			"memprof/testdata/clang-22_mem_pie.memprofraw.gz", "memprof/testdata/clang-22_mem_pie.exe.gz",
		},
	} {
		for i, path := range paths {
			paths[i] = filepath.Join(root, "decode", path)
		}
		add(name, paths...)
	}
	for name, kind := range map[string]byte{ // types that no compiler writes, of files that one could have
		"blocks alone": 0x2, "timestamps and blocks": 0x6, "calls and blocks": 0xa,
		"all but coverage, with return addresses": 0x1e,
	} {
		paths := []string{"counts.mipmap", "counts.0.mipraw", "counts.1.mipraw"}
		if kind&0x10 != 0 {
			paths = paths[:1]
		}
		dir := t.TempDir()
		for i, path := range paths {
			data, err := os.ReadFile(filepath.Join(root, "decode/mip/testdata/merged", path))
			if err != nil {
				t.Fatal(err)
			}
			data[8] = kind
			paths[i] = filepath.Join(dir, path)
			if err := os.WriteFile(paths[i], data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		add(name, paths...)
	}
	for _, s := range examples.All {
		var paths []string
		size := 0
		for _, f := range s.Files() {
			f = f.Unpacked()
			size += len(f.Data)
			paths = append(paths, filepath.Join(t.TempDir(), f.Name)) // files of a database share their names
			if err := os.WriteFile(paths[len(paths)-1], f.Data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		// The largest are real programs, of formats that are here already.
		if len(paths) > 0 && size < 200_000 {
			add(s.Title, paths...)
		}
	}
	return list
}

func unpacked(t *testing.T, data []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// recognised is what a file says it is, unpacked.
func recognised(t *testing.T, name string, data []byte) format.Recognised {
	t.Helper()
	if packed, ok := strings.CutSuffix(name, ".gz"); ok {
		name, data = packed, unpacked(t, data)
	}
	return decode.Recognise(name, data)
}

// TestEveryFormatEverywhere takes every family, every format and every example
// through all that is said of a profile. What a family forgets fails here.
func TestEveryFormatEverywhere(t *testing.T) {
	l := webtest.Start(t, nil)
	list := everyExample(t)
	seen := met{formats: map[model.Format]string{}, families: map[model.Family]bool{}}
	t.Run("example", func(t *testing.T) {
		for _, e := range list {
			t.Run(e.name, func(t *testing.T) {
				t.Parallel()
				l := *l
				l.T = t
				for i, path := range e.paths {
					inspected(t, path, e.files[i])
				}
				everywhere(t, &l, &e, &seen)
			})
		}
	})
	for f := range decode.Formats {
		if seen.formats[f.Name] == "" {
			t.Errorf("no example is of the format %s", f.Name)
		}
	}
	documented := strings.ToLower(l.OK("/docs/formats", "Accept", "text/html").Text())
	for f := range seen.families {
		if len(tables.Of([]model.Family{f})) == 0 {
			t.Errorf("%s has no table", f)
		}
	}
	for _, describe := range seen.formats {
		if word, _, _ := strings.Cut(describe, " "); !strings.Contains(documented, strings.ToLower(word)) {
			t.Errorf("the page of formats does not name %s", describe)
		}
	}
}

// met are the formats that examples were of, each with how a file of it is described,
// and the families.
type met struct {
	sync.Mutex
	formats  map[model.Format]string
	families map[model.Family]bool
}

func (m *met) add(is format.Recognised) {
	m.Lock()
	defer m.Unlock()
	if is.Format != nil {
		m.formats[is.Format.Name] = is.Describe
	}
	for _, f := range is.Families {
		m.families[f] = true
	}
}

// inspected asks the command line for a file's anatomy, and for every section of
// it by its name, from its second field on too.
func inspected(t *testing.T, path string, f format.File) {
	t.Helper()
	var out, faults bytes.Buffer
	if status := run(t.Context(), []string{"inspect", "-json", path}, stdio{out: &out, err: &faults}); status != exitOK &&
		status != exitMalformed {
		t.Fatalf("inspect %s: exit status %d, %s", f.Name, status, faults.String())
	}
	var a model.Anatomy
	if err := json.NewDecoder(&out).Decode(&a); err != nil {
		t.Fatal(err)
	}
	if is := recognised(t, f.Name, f.Data); len(a.Sections) == 0 && is.IsProfile() && bytes.IndexByte(f.Data, 0) >= 0 &&
		!strings.Contains(is.Describe, "report") && !strings.Contains(is.Describe, "YAML") {
		t.Errorf("%s has no section", f.Name)
	}
	asked := map[string]bool{}
	for i := range a.Sections {
		s := &a.Sections[i]
		if asked[s.Name] || len(asked) >= someSections() {
			continue
		}
		asked[s.Name] = true
		for _, from := range []string{"0", "1"} {
			var out, faults bytes.Buffer
			status := run(t.Context(), []string{"inspect", "-section", s.Name, "-from", from, path},
				stdio{out: &out, err: &faults})
			if status != exitOK || out.Len() == 0 {
				t.Errorf("inspect -section %s -from %s %s: exit status %d, %d bytes, %s", s.Name, from, f.Name, status, out.Len(),
					faults.String())
			}
		}
	}
}

// commandLine is a call of curl that a text for a terminal offers.
var commandLine = regexp.MustCompile(`curl (?:-OJ )?'([^']*)'`)

// someSections is how many sections of a file are asked for one by one.
func someSections() int {
	if testing.Short() {
		return 4
	}
	return 12
}

// everywhere uploads an example and asks everything that a profile answers.
func everywhere(t *testing.T, l *webtest.Server, e *example, seen *met) {
	t.Helper()
	id, receipt := uploaded(t, l, e)
	api, at := webtest.API(id), webtest.Page(id)
	entry := l.Get(api).Object(t)
	var named []model.Family
	for _, file := range e.files {
		is := recognised(t, file.Name, file.Data)
		if len(file.Data) > 0 { // an empty file is taken for a raw profile, and called empty
			seen.add(is)
		}
		if len(e.files) == 1 && entry["status"] == "ready" && !sameFamily(is.Describe, fmt.Sprint(entry["describe"])) &&
			len(file.Data) > 0 {
			t.Errorf("recognised as %q, and called %q by the server", is.Describe, entry["describe"])
		}
		for _, f := range is.Families {
			if !slices.Contains(named, f) {
				named = append(named, f)
			}
		}
	}

	anatomies := l.OK(api + "/anatomy").Object(t)["items"].([]any)
	if len(anatomies) == 0 {
		t.Error("there is no anatomy")
	}
	for i, item := range anatomies {
		sections, _ := item.(map[string]any)["sections"].([]any)
		for k, s := range sections[:min(len(sections), someSections())] {
			name := s.(map[string]any)["name"].(string)
			l.OK(fmt.Sprintf("%s/anatomy?file=%d&section=%s&from=1", api, i, escape(name)))
			if k < 2 {
				l.OK(fmt.Sprintf("%s/raw?file=%d&section=%s", at, i, escape(name)), "Accept", "text/html")
			}
		}
	}
	for _, path := range []string{"", "/raw", "/diagnostics", "/downloads"} {
		a := l.Get(at+path, "Accept", "text/html")
		if a.StatusCode != http.StatusOK {
			t.Errorf("%s: %s", path, a.Status)
			continue
		}
		webtest.CheckPage(t, a.Parse(t))
	}
	l.OK(api + "/diagnostics")
	if entry["status"] != "ready" {
		return
	}
	offered(t, l, receipt)
	offered(t, l, l.OK(at, webtest.Terminal...).Text())
	tabs(t, l, at)
	for link, path := range entry["links"].(map[string]any) {
		if a := l.Get(path.(string)); a.StatusCode != http.StatusOK {
			t.Errorf("the link %s: %s %.200s", link, a.Status, a.Text())
		}
	}
	exported(t, l, id, named)
}

// sameFamily reports whether two descriptions, of a file and of the profile that was
// made of it, begin with the same word: LLVM, MemProf, MIP, DCPI.
func sameFamily(file, profile string) bool {
	a, _, _ := strings.Cut(file, " ")
	b, _, _ := strings.Cut(profile, " ")
	return a == b
}

func escape(s string) string {
	return strings.NewReplacer(" ", "%20", "#", "%23", "&", "%26", "+", "%2B", "%", "%25").Replace(s)
}

// uploaded sends an example as a browser's form does, and as curl -T when it is
// one file; the receipt is curl's.
func uploaded(t *testing.T, l *webtest.Server, e *example) (id, receipt string) {
	t.Helper()
	var parts []string
	for _, f := range e.files {
		parts = append(parts, "file:"+f.Name, string(f.Data))
	}
	body, kind := webtest.Form(t, parts...)
	if len(e.files) == 1 {
		a := l.Do("PUT", "/"+escape(e.files[0].Name)+"?wait=5m", bytes.NewReader(e.files[0].Data), webtest.Terminal...)
		if a.StatusCode >= 500 {
			t.Fatalf("curl -T: %s %s", a.Status, a.Text())
		}
		receipt = a.Text()
	}
	a := l.Do("POST", "/upload", body, "Content-Type", kind, "Accept", "text/html")
	if a.StatusCode != http.StatusSeeOther {
		t.Fatalf("the form: %s %.300s", a.Status, a.Text())
	}
	return strings.TrimPrefix(a.Header.Get("Location"), "/p/"), receipt
}

// offered asks what a text for a terminal says can be asked.
func offered(t *testing.T, l *webtest.Server, text string) {
	t.Helper()
	if strings.Contains(text, ", 0 functions") {
		t.Errorf("a profile that has other things is said to have 0 functions:\n%s", text)
	}
	for _, m := range commandLine.FindAllStringSubmatch(text, -1) {
		address := strings.TrimPrefix(m[1], l.URL)
		if strings.Contains(address, "NAME") || strings.HasSuffix(address, "/files") {
			continue
		}
		if a := l.Get(address); a.StatusCode != http.StatusOK || len(a.Bytes) == 0 &&
			!strings.HasSuffix(address, "/original") {
			t.Errorf("%s, which the text offers: %s %.200s", address, a.Status, a.Text())
		}
	}
}

// tabs opens every tab of a profile, and searches in it.
func tabs(t *testing.T, l *webtest.Server, at string) {
	t.Helper()
	doc := l.Page(at, http.StatusOK)
	links := webtest.All(webtest.ByTestID(t, doc, "tabs"), webtest.Tag("a"))
	if len(links) < 4 {
		t.Errorf("%d tabs", len(links))
	}
	for _, a := range links {
		webtest.CheckPage(t, l.Page(webtest.Attr(a, "href"), http.StatusOK))
	}
	searches := webtest.All(doc, func(n *html.Node) bool {
		return n.Data == "form" && webtest.Attr(n, "role") == "search"
	})
	if len(searches) == 0 {
		t.Error("there is no search")
	}
	for _, form := range searches {
		l.Page(webtest.Attr(form, "action")+"?q=main", http.StatusOK)
	}
}

// exported asks for every export: what the page of downloads offers is there, and what it does
// not offer is refused with a reason, never empty.
func exported(t *testing.T, l *webtest.Server, id string, families []model.Family) {
	t.Helper()
	api := webtest.API(id)
	var listed []string
	for _, a := range webtest.All(l.Page(webtest.Page(id)+"/downloads", http.StatusOK), webtest.Tag("a")) {
		if to := webtest.Attr(a, "href"); strings.HasPrefix(to, api+"/export/") {
			listed = append(listed, to)
			if got := l.Get(to); got.StatusCode != http.StatusOK || len(got.Bytes) == 0 {
				t.Errorf("%s is offered: %s, %d bytes, %.300s", to, got.Status, len(got.Bytes), got.Text())
			}
		}
	}
	for _, name := range exports.Names() {
		to := api + "/export/" + name
		got := l.Get(to)
		if got.StatusCode == http.StatusOK {
			if len(got.Bytes) == 0 {
				t.Errorf("%s: 200 and nothing", name)
			}
			continue
		}
		if slices.ContainsFunc(listed, func(l string) bool { return l == to }) || got.StatusCode >= 500 {
			t.Errorf("%s: %s", name, got.Status)
		}
		if why, _ := got.Object(t)["detail"].(string); why == "" {
			t.Errorf("%s is refused without a reason", name)
		}
	}
	for _, table := range tables.Of(families) {
		for _, form := range []string{"csv", "ndjson", "json"} {
			if got := l.Get(api + "/export/" + form + "?table=" + table.Name); got.StatusCode != http.StatusOK ||
				len(got.Bytes) == 0 {
				t.Errorf("the table %s as %s: %s", table.Name, form, got.Status)
			}
		}
	}
	if got := l.Get(api + "/export/sqlite"); got.StatusCode != http.StatusOK ||
		!bytes.HasPrefix(got.Bytes, []byte("SQLite format 3")) {
		t.Errorf("as a database: %s", got.Status)
	}
}
