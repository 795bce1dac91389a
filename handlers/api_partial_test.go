package handlers_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/handlers"
	"proflens/handlers/site"
	"proflens/handlers/webtest"
	"proflens/ingest"
	"proflens/profile/instrdb"
	"proflens/profile/profiletest"
	"proflens/profile/stored"
)

// manyRows is a profile with so many functions that a preview of it is written too.
func manyRows() *webtest.Invented {
	return webtest.Invent(instrprof.IRProf, clangFunctions(50_000)...)
}

// servePartial serves a profile that is opened by open.
func servePartial(t *testing.T, open func(ctx context.Context) (*stored.Profile, error)) *webtest.Server {
	t.Helper()
	held := &catalog.Entry{ID: "x", Name: "x", State: catalog.Ready, Digest: "d"}
	h := handlers.New(site.Config{Store: webtest.Store{Held: held, OpenProfile: open}})
	return &webtest.Server{T: t, URL: webtest.Serve(t, h)}
}

// While the tables are being written there is a preview: the first rows, and
// nothing that a client could keep.
func TestPreview(t *testing.T) {
	_, preview := manyRows().Path(t)
	l := servePartial(t, func(context.Context) (*stored.Profile, error) { return stored.Open(preview) })
	const path = "/api/v1/profiles/x/functions"
	a := l.OK(path)
	if list := a.Object(t); list["storing"] != true || len(list["items"].([]any)) != 100 || a.Header.Get("ETag") != "" {
		t.Errorf("ETag %q, %.300s", a.Header.Get("ETag"), a.Bytes)
	}
	if one := l.OK(path + "/" + a.Column(t, "fid")[0]); one.Header.Get("ETag") != "" {
		t.Error("a function of a preview has an ETag")
	}
}

// storing is an upload whose first pages can be seen; it is stored when it is waited for.
type storing struct {
	site.Ingest
	stored atomic.Bool
}

func (s *storing) Progress(string) ingest.Progress {
	return ingest.Progress{Stage: ingest.StageWriting, Shown: !s.stored.Load()}
}

func (s *storing) Wait(context.Context, string) (*catalog.Entry, error) {
	s.stored.Store(true)
	return nil, nil
}

// What needs all of a profile whose first pages can be seen waits for it, and says so; pages
// do not wait.
func TestWhatNeedsAllWaits(t *testing.T) {
	whole, preview := manyRows().Path(t)
	upload := &storing{}
	store := webtest.Store{
		Held: &catalog.Entry{ID: "x", Name: "x", State: catalog.Ready, Digest: "d"},
		OpenProfile: func(context.Context) (*stored.Profile, error) {
			if upload.stored.Load() {
				return stored.Open(whole)
			}
			return stored.Open(preview)
		},
	}
	l := &webtest.Server{T: t, URL: webtest.Serve(t, handlers.New(site.Config{Store: store, Ingest: upload}))}
	const path = "/api/v1/profiles/x/functions"
	for _, first := range []*webtest.Answer{l.OK(path), l.OK("/p/x/functions", "Accept", "text/html")} {
		if first.Header.Get("Proflens-Waited") != "" || upload.stored.Load() {
			t.Errorf("the first rows wait: %v", first.Header)
		}
	}
	all := l.OK(path + "?format=csv")
	if rows := strings.Count(all.Text(), "\n") - 1; rows != 50_000 || all.Header.Get("Proflens-Waited") == "" {
		t.Errorf("%d rows, %v", rows, all.Header)
	}
}

// A filter by name that is not through answers with what it has, and goes on
// when it is asked again; an export asks until it is through.
func TestIncompleteFilter(t *testing.T) {
	whole, _ := manyRows().Path(t)
	l := servePartial(t, func(context.Context) (*stored.Profile, error) {
		p, err := stored.Open(whole)
		if err != nil {
			return nil, err
		}
		functions, err := instrdb.Of(p)
		if err == nil {
			functions.Budget = 0 // every ask looks at one batch
		}
		return p, err
	})
	const path = "/api/v1/profiles/x/functions?q=number4321"
	first := l.OK(path + "&limit=2")
	list := first.Object(t)
	if list["complete"] != false || list["scanned"] == nil || first.Header.Get("ETag") != "" {
		t.Errorf("ETag %q, %s", first.Header.Get("ETag"), first.Bytes)
	}
	if text := l.OK(path + "&format=ndjson").Text(); !strings.Contains(text, "{\"_end\":true,\"rows\":") {
		t.Errorf("the export ends with %s", text[max(0, len(text)-100):])
	}
	again := l.OK(path + "&limit=2")
	if list := again.Object(t); list["complete"] != true || list["scanned"] != nil || list["total"] == json.Number("0") ||
		again.Header.Get("ETag") == "" {
		t.Errorf("ETag %q, %s", again.Header.Get("ETag"), again.Bytes)
	}
}

// What takes longer than a page may is ended, and answered as such.
func TestRequestTimeout(t *testing.T) {
	invented := webtest.Invent(instrprof.IRProf, clangFunctions(1)...)
	path, _ := invented.Path(t)
	open := func(context.Context) (*stored.Profile, error) { return stored.Open(path) }
	h := handlers.New(site.Config{
		Store: webtest.Store{Held: &invented.Entry, OpenProfile: open}, RequestTimeout: time.Nanosecond,
	})
	l := &webtest.Server{T: t, URL: webtest.Serve(t, h)}
	webtest.Problem(t, l.Get(webtest.API(invented.Entry.ID)+"/functions"), http.StatusServiceUnavailable, "timeout")
}

// damaged is a copy of a profile's file of which some pages in the middle of the functions
// are gone: it opens, and fails while its rows are read.
func damaged(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records, err := instrdb.Of(profiletest.At(t, path))
	if err != nil {
		t.Fatal(err)
	}
	pageSize := int(binary.BigEndian.Uint16(data[16:]))
	for _, at := range []int{19_950, 20_500} { // pages are in no order of the rows
		page, err := records.Functions(t.Context(), instrdb.Query{Offset: at, Limit: 1})
		if err != nil || len(page.Rows) == 0 {
			t.Fatalf("row %d: %v", at, err)
		}
		from := bytes.Index(data, []byte(page.Rows[0].PGO)) / pageSize * pageSize
		clear(data[from : from+pageSize])
	}
	broken := t.TempDir() + "/damaged.db"
	if err := os.WriteFile(broken, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return broken
}

// Half an export must not look whole.
func TestExportCutOff(t *testing.T) {
	whole, _ := manyRows().Path(t)
	broken := damaged(t, whole)
	l := servePartial(t, func(context.Context) (*stored.Profile, error) { return stored.Open(broken) })
	for _, format := range []string{"csv", "ndjson", "text"} {
		res, err := http.Get(l.URL + "/api/v1/profiles/x/functions?format=" + format)
		if err != nil {
			continue // cut before the first byte
		}
		_, err = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if err == nil && res.StatusCode == http.StatusOK {
			t.Errorf("%s ended as if it were whole", format)
		}
	}
}

// clangFunctions invents n functions with names and counts as those of a compiler.
func clangFunctions(n int) []instrprof.Function {
	bases := []string{"_ZN4llvm12SelectionDAG7getNodeEjRKNS_5SDLocENS_3EVTENS_8ArrayRefINS_7SDValueEEE",
		"_ZN5clang5Lexer16LexTokenInternalERNS_5TokenEb",
		"_ZN4llvm14FoldingSetBase21FindNodeOrInsertPosERKNS_16FoldingSetNodeIDERPvRKNS0_14FoldingSetInfoE",
		"_ZN5clang12Preprocessor3LexERNS_5TokenE",
		"_ZN4llvm16BumpPtrAllocatorINS_15MallocAllocatorELm4096ELm4096ELm128EE8AllocateEmNS_5AlignE",
		"lib/Support/StringMap.cpp;_ZL7xxHash64v", "main",
		"_ZNSt6vectorIiSaIiEE9push_backEOi", "_RNvCs1234_7mycrate3foo",
		"_ZN4core3ptr85drop_in_place$LT$std..rt..lang_start$LT$$LP$$RP$$GT$..$u7b$$u7b$closure$u7d$$u7d$$GT$" +
			"17h0123456789abcdefE",
	}
	var list []instrprof.Function
	seed := uint64(42)
	next := func() uint64 {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		return seed
	}
	for i := range n {
		name := bases[i%len(bases)]
		if i >= len(bases) {
			name = fmt.Sprintf("_ZN4llvm%d%s%dnumber%dEiPKc", 6+len(fmt.Sprint(i)), fmt.Sprintf("Class_%d", i),
				6+len(fmt.Sprint(i)), i)
		}
		f := webtest.Func(name, next()&^instrprof.CSFlagInFuncHash)
		scale := 4e10 * math.Exp(-8*math.Sqrt(float64(i)/float64(n))) / float64(i%7+1)
		for j := range 3 + int(next()%40) {
			c := uint64(scale * math.Exp(-float64(next()%100)/9))
			if next()%3 == 0 || i > n*6/10 {
				c = 0
			}
			if j == 0 && i <= n*6/10 {
				c = uint64(scale)
			}
			f.Counters = append(f.Counters, c)
		}
		list = append(list, f)
	}
	return list
}
