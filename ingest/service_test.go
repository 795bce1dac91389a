package ingest

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/ingest/tasks"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
)

func testdata(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func openStore(t testing.TB, dir string) *catalog.Catalog {
	t.Helper()
	st, err := catalog.Open(t.Context(), at(t, dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// start runs a service until the test ends, or until stop.
func start(t testing.TB, s *Service) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

// serve is a store and a running service in a fresh folder.
func serve(t testing.TB, c Config) (*Service, *catalog.Catalog) {
	t.Helper()
	st := openStore(t, t.TempDir())
	s := New(st, c, nil)
	start(t, s)
	return s, st
}

type upload struct {
	name string
	data []byte
}

func send(t testing.TB, s *Service, r Request, files ...upload) []Accepted {
	t.Helper()
	b, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Discard()
	for _, f := range files {
		if err := b.Add(t.Context(), f.name, bytes.NewReader(f.data)); err != nil {
			t.Fatal(err)
		}
	}
	accepted, err := b.Commit(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return accepted
}

func wait(t testing.TB, s *Service, id string) *catalog.Entry {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	e, err := s.Wait(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func gz(data []byte) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data)
	w.Close()
	return b.Bytes()
}

func zipped(t testing.TB, files ...upload) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		m, err := w.Create(f.name)
		if err != nil {
			t.Fatal(err)
		}
		m.Write(f.data)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// staged lists what is left in staging.
func staged(t testing.TB, st *catalog.Catalog) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(st.StagingDir(), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, d.Name())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestUploadBecomesReady(t *testing.T) {
	s, st := serve(t, Config{Visibility: catalog.Listed})
	for _, c := range []struct {
		name     string
		files    []upload
		describe string
		total    string
		inputs   []string
	}{
		{
			"raw", []upload{{"ir_c.profraw", testdata(t, "ir_c.profraw")}}, "LLVM raw v10, 64-bit, little-endian, IR",
			"1079558", []string{"ir_c.profraw"},
		},
		{
			"indexed", []upload{{"ir_c.profdata", testdata(t, "ir_c.profdata")}}, "LLVM indexed", "1079558",
			[]string{"ir_c.profdata"},
		},
		{"text", []upload{{"a.proftext", []byte(":ir\nmain\n7\n2\n5\n6\n")}}, "LLVM text, IR", "11", []string{"a.proftext"}},
		{
			"packed", []upload{{"ir_c.profraw.gz", gz(testdata(t, "ir_c.profraw"))}}, "LLVM raw v10", "1079558",
			[]string{"ir_c.profraw"},
		},
		{"merged", []upload{{"run.zip",
			zipped(t, upload{"run/1.profraw", testdata(t, "ir_c.profraw")},
				upload{"run/2.profraw", testdata(t, "ir_c.profraw")})}},
			"", "2159116", []string{"run/1.profraw", "run/2.profraw"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := send(t, s, Request{}, c.files...)
			if len(a) != 1 || a[0].DeleteToken == "" {
				t.Fatalf("accepted: %+v", a)
			}
			e := wait(t, s, a[0].Entry.ID)
			if e.State != catalog.Ready {
				t.Fatalf("%s: %+v", e.State, e.Finding)
			}
			if !strings.HasPrefix(e.Describe, c.describe) || e.Total != c.total {
				t.Errorf("%q with total %s, want %q with %s", e.Describe, e.Total, c.describe, c.total)
			}
			var inputs []string
			for _, f := range e.Files {
				inputs = append(inputs, f.Name)
			}
			if fmt.Sprint(inputs) != fmt.Sprint(c.inputs) {
				t.Errorf("files %v, want %v", inputs, c.inputs)
			}
			if p := s.Progress(e.ID); p.Stage != StageReady || p.Percent != 100 || p.Queued != 0 {
				t.Errorf("progress: %+v", p)
			}
			p, err := openTables(t, st, e.ID)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			records, err := instrdb.Of(p)
			if err != nil {
				t.Fatal(err)
			}
			o := p.Overview
			if records.Overview.Functions != e.Functions || len(o.Inputs) != len(c.inputs) ||
				o.Inputs[0].SHA256 != e.Files[0].SHA256 {
				t.Errorf("overview: %d functions, inputs %+v", records.Overview.Functions, o.Inputs)
			}
		})
	}
	if left := staged(t, st); len(left) > 0 {
		t.Errorf("left in staging: %v", left)
	}
}

func TestGroupAutoSplits(t *testing.T) {
	s, _ := serve(t, Config{})
	ir := testdata(t, "ir_c.profraw")
	accepted := send(t, s, Request{Group: "auto", Name: "nightly", Labels: map[string]string{"k": "v"}},
		upload{"1.profraw", ir}, upload{"fe.profraw", testdata(t, "fe_c.profraw")},
		upload{"2.profraw", ir}, upload{"c.profdata", testdata(t, "ir_c.profdata")}, upload{"broken.gz", gz(ir)[:100]})
	var names []string
	for _, a := range accepted {
		e := wait(t, s, a.Entry.ID)
		names = append(names, fmt.Sprintf("%s %d %s", e.Name, len(e.Files), e.State))
		if e.Labels["k"] != "v" {
			t.Errorf("%s lost its label", e.Name)
		}
	}
	want := []string{
		"nightly: 1.profraw and 1 more 2 ready", "nightly: fe.profraw 1 ready", "nightly: c.profdata 1 ready",
		"nightly: broken.gz 1 failed",
	}
	if fmt.Sprint(names) != fmt.Sprint(want) {
		t.Errorf("got  %q\nwant %q", names, want)
	}
}

func TestABombCostsItsRatio(t *testing.T) {
	s, _ := serve(t, Config{})
	bomb := gz(gz(make([]byte, 80<<20)))
	e := wait(t, s, send(t, s, Request{}, upload{"bomb.gz.gz", bomb})[0].Entry.ID)
	if e.State != catalog.Failed || e.Finding.Kind != model.KindTooLarge ||
		!strings.Contains(e.Finding.Remedy, "-max-ratio") {
		t.Errorf("%s: %+v", e.State, e.Finding)
	}
	// What no flag bounds names none.
	deep := gz(gz(gz(gz(gz(testdata(t, "ir_c.profraw"))))))
	e = wait(t, s, send(t, s, Request{}, upload{"deep.gz", deep})[0].Entry.ID)
	if e.State != catalog.Failed || e.Finding.Kind != model.KindTooLarge || strings.Contains(e.Finding.Remedy, "-max") ||
		!strings.Contains(e.Finding.Remedy, "unpack it") {
		t.Errorf("%s: %+v", e.State, e.Finding)
	}
	s, _ = serve(t, Config{MaxRatio: 1 << 20})
	if e := wait(t, s, send(t, s, Request{},
		upload{"bomb.gz.gz", bomb})[0].Entry.ID); e.Finding.Kind != model.KindUnrecognizedFormat {
		t.Errorf("%+v", e.Finding)
	}
}

func TestBrokenUploadsAreKeptWithTheirFinding(t *testing.T) {
	s, st := serve(t, Config{MaxExpanded: 100_000})
	raw := testdata(t, "ir_c.profraw")
	for _, c := range []struct {
		name string
		file upload
		kind model.Kind
	}{
		{"cut raw", upload{"a.profraw", raw[:1000]}, ""},
		{"not a profile", upload{"a.txt", []byte("\x7fELF rest")}, model.KindUnrecognizedFormat},
		{"cut archive", upload{"a.gz", gz(raw)[:100]}, model.KindTruncated},
		{"bomb", upload{"bomb.gz", gz(make([]byte, 200_000))}, model.KindTooLarge},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := wait(t, s, send(t, s, Request{}, c.file)[0].Entry.ID)
			if e.State != catalog.Failed || e.Finding == nil || e.Finding.Message == "" || e.Finding.Remedy == "" {
				t.Fatalf("%s: %+v", e.State, e.Finding)
			}
			if c.kind != "" && e.Finding.Kind != c.kind {
				t.Errorf("kind %s, want %s", e.Finding.Kind, c.kind)
			}
			if e.Finding.Kind == model.KindInternal {
				t.Errorf("a fault of the file is called ours: %+v", e.Finding)
			}
			f, err := st.OpenObject(t.Context(), e.Files[0].SHA256)
			if err != nil {
				t.Fatal(err)
			}
			f.Close()
			if e.Files[0].Name != c.file.name || e.Files[0].Size != int64(len(c.file.data)) {
				t.Errorf("kept as %+v", e.Files[0])
			}
			a, err := Originals{st, tasks.Here{}}.Anatomy(t.Context(), e.Files[0])
			if err != nil || len(a.Findings) == 0 {
				t.Errorf("anatomy: %+v, %v", a, err)
			}
			if p := s.Progress(e.ID); p.Stage != StageFailed {
				t.Errorf("progress: %+v", p)
			}
		})
	}
	if left := staged(t, st); len(left) > 0 {
		t.Errorf("left in staging: %v", left)
	}
}

func TestUploadLimit(t *testing.T) {
	s, st := serve(t, Config{MaxUpload: 100})
	b, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Add(t.Context(), "a", strings.NewReader(strings.Repeat("x", 60))); err != nil {
		t.Fatal(err)
	}
	if err := b.Add(t.Context(), "b", strings.NewReader(strings.Repeat("x", 40))); err != nil {
		t.Errorf("just enough: %v", err)
	}
	err = b.Add(t.Context(), "c", strings.NewReader(strings.Repeat("x", 1000)))
	limit, ok := errors.AsType[*LimitError](err)
	if !ok || limit.Limit != "max-upload" || limit.Max != 100 || limit.Found != 101 {
		t.Errorf("beyond: %v", err)
	}
	b.Discard()
	if left := staged(t, st); len(left) > 0 {
		t.Errorf("left in staging: %v", left)
	}
}

func TestRequestsAreChecked(t *testing.T) {
	s, _ := serve(t, Config{})
	b, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Discard()
	commit := func(r Request) string {
		_, err := b.Commit(t.Context(), r)
		e, ok := errors.AsType[*RequestError](err)
		if !ok {
			t.Fatalf("%+v: %v", r, err)
		}
		return e.Field
	}
	if f := commit(Request{}); f != "file" {
		t.Errorf("no file: %s", f)
	}
	if err := b.Add(t.Context(), "a", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	for want, r := range map[string]Request{
		"name": {Name: "a\x00b"}, "project": {Project: strings.Repeat("x", 201)}, "group": {Group: "many"},
		"visibility": {Visibility: "public"}, "expires": {Expires: -1}, "label": {Labels: map[string]string{"": "v"}},
	} {
		if f := commit(r); f != want {
			t.Errorf("%+v: the field is %s", r, f)
		}
	}
	// The batch is still good.
	if _, err := b.Commit(t.Context(), Request{}); err != nil {
		t.Error(err)
	}
}

func TestExpiryIsTheShorterOfRequestAndServer(t *testing.T) {
	for _, c := range []struct{ ttl, asked, want time.Duration }{
		{0, 0, 0}, {0, time.Hour, time.Hour}, {time.Hour, 0, time.Hour},
		{time.Hour, time.Minute, time.Minute}, {time.Hour, 48 * time.Hour, time.Hour},
	} {
		s := &Service{config: Config{TTL: c.ttl}}
		if got := s.lifetime(c.asked); got != c.want {
			t.Errorf("TTL %v, asked %v: %v, want %v", c.ttl, c.asked, got, c.want)
		}
	}
}

func TestExpiredProfilesAreSwept(t *testing.T) {
	s, st := serve(t, Config{})
	id := send(t, s, Request{Expires: 50 * time.Millisecond}, upload{"a", []byte("x")})[0].Entry.ID
	deadline := time.Now().Add(10 * time.Minute)
	for {
		_, err := st.Entry(t.Context(), id)
		if gone, ok := errors.AsType[*catalog.GoneError](err); ok {
			if gone.State != catalog.Expired {
				t.Errorf("state %s", gone.State)
			}
			return
		}
		if err != nil || time.Now().After(deadline) {
			t.Fatalf("not expired: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestAddTo(t *testing.T) {
	s, _ := serve(t, Config{})
	id := send(t, s, Request{}, upload{"1.profraw", testdata(t, "ir_c.profraw")})[0].Entry.ID
	wait(t, s, id)
	addAll := func(files ...upload) *catalog.Entry {
		t.Helper()
		b, err := s.Begin()
		if err != nil {
			t.Fatal(err)
		}
		defer b.Discard()
		for _, f := range files {
			if err := b.Add(t.Context(), f.name, bytes.NewReader(f.data)); err != nil {
				t.Fatal(err)
			}
		}
		a, err := b.AddTo(t.Context(), id, false)
		if err != nil {
			t.Fatal(err)
		}
		if a.Entry.ID != id || a.Entry.State != catalog.Ready || !a.Entry.Pending {
			t.Errorf("accepted: %+v", a.Entry)
		}
		return wait(t, s, id)
	}
	add := func(name string, data []byte) *catalog.Entry { return addAll(upload{name, data}) }
	if e := add("2.profraw", testdata(t, "ir_c.profraw")); e.State != catalog.Ready || e.Total != "2159116" ||
		len(e.Files) != 2 {
		t.Errorf("%s, total %s, %d files, %+v", e.State, e.Total, len(e.Files), e.Finding)
	}
	if e := add("bad.profraw", testdata(t, "ir_c.profraw")[:100]); e.State != catalog.Ready || e.Total != "2159116" ||
		len(e.Files) != 2 || e.Finding == nil {
		t.Errorf("after a bad file: %s, total %s, %d files, %+v", e.State, e.Total, len(e.Files), e.Finding)
	}
	samples := []byte("main:12:1\n 1: 5\n")
	if e := add("other.samples", samples); e.Total != "2159116" || len(e.Files) != 2 || e.Finding == nil {
		t.Errorf("after a profile of another family: total %s, %d files, %+v", e.Total, len(e.Files), e.Finding)
	}
	if e := add("bad.zip", []byte("PK\x03\x04")); e.Total != "2159116" || len(e.Files) != 2 || e.Finding == nil {
		t.Errorf("after a bad archive: total %s, %d files, %+v", e.Total, len(e.Files), e.Finding)
	}
	// Of several the useful one is taken, whatever came with it.
	sources := zipped(t, upload{"main.c", []byte("int main(void) {}\n")},
		upload{"README", []byte("How to build it.\n")})
	e := addAll(upload{"sources.zip", sources}, upload{"bad.zip", []byte("PK\x03\x04")},
		upload{"other.samples", samples}, upload{"3.profraw", testdata(t, "ir_c.profraw")})
	if e.State != catalog.Ready || e.Total != "3238674" || e.Finding == nil || e.Finding.Code != "merge.left_out" {
		t.Errorf("after a good file and others: %s, total %s, %d files, %+v", e.State, e.Total, len(e.Files), e.Finding)
	}
	b, err := s.Begin()
	if err != nil {
		t.Fatal(err)
	}
	defer b.Discard()
	if err := b.Add(t.Context(), "a", strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := b.AddTo(t.Context(), "nosuch", false); !errors.Is(err, catalog.ErrNotFound) {
		t.Errorf("a profile that is not there: %v", err)
	}
}

func TestConcurrentUploads(t *testing.T) {
	s, st := serve(t, Config{Workers: 2, Visibility: catalog.Listed})
	raw := testdata(t, "ir_c.profraw")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			file := upload{"same.profraw", raw}
			if i%2 == 1 {
				file = upload{"own.proftext", fmt.Appendf(nil, "main\n7\n1\n%d\n", i)}
			}
			id := send(t, s, Request{}, file)[0].Entry.ID
			if e := wait(t, s, id); e.State != catalog.Ready {
				t.Errorf("%s: %+v", e.State, e.Finding)
			}
			p, err := openTables(t, st, id)
			if err != nil {
				t.Error(err)
				return
			}
			defer p.Close()
			if i%4 < 2 {
				if err := st.Delete(t.Context(), id); err != nil {
					t.Error(err)
				}
			}
			if err := p.Walk("file", func(*stored.Row) {}); err != nil {
				t.Errorf("reading: %v", err)
			}
		})
	}
	wg.Wait()
	if page, err := st.List(t.Context(), catalog.ListQuery{}); err != nil || page.Total != 4 {
		t.Errorf("%d listed, %v", page.Total, err)
	}
	if left := staged(t, st); len(left) > 0 {
		t.Errorf("left in staging: %v", left)
	}
}

func BenchmarkIngestSmall(b *testing.B) {
	s, _ := serve(b, Config{})
	raw := testdata(b, "ir_c.profraw")
	b.SetBytes(int64(len(raw)))
	b.ReportAllocs()
	for b.Loop() {
		a := send(b, s, Request{}, upload{"ir_c.profraw", raw})
		if e := wait(b, s, a[0].Entry.ID); e.State != catalog.Ready {
			b.Fatal(e.Finding)
		}
	}
}

// openTables opens the tables of a profile.
func openTables(t testing.TB, st *catalog.Catalog, id string) (*stored.Profile, error) {
	t.Helper()
	e, err := st.Entry(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return st.Open(t.Context(), e)
}

// Whatever version a file claims, the labels of the metrics stay few.
func TestCountedVersionsAreBounded(t *testing.T) {
	var c counts
	for v := range uint64(100) {
		c.count("llvm-raw", v<<v, "unsupported_version", time.Second)
	}
	if n := len(c.stats.Decodes); n > highestCounted+2 || c.stats.Took != 100*time.Second {
		t.Errorf("%d kinds of outcome, %v", n, c.stats.Took)
	}
}
