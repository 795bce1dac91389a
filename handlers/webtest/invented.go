package webtest

import (
	"context"
	"crypto/md5"
	"encoding/binary"
	"net/http"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/handlers"
	"proflens/handlers/site"
	"proflens/profile"
	"proflens/profile/stored"
)

// Invented is a profile of functions that no compiler wrote. What a test does
// not set is that of a clang profile.
type Invented struct {
	Entry     catalog.Entry
	Profile   instrprof.Info
	Functions []instrprof.Function
	Traces    []instrprof.Trace
	Findings  []model.Finding
	Inputs    []stored.Input

	path string // of its file, once it is asked for
}

// Invent invents a profile.
func Invent(variant instrprof.Variant, functions ...instrprof.Function) *Invented {
	p := &Invented{Functions: functions}
	p.Profile = instrprof.Info{
		Info: model.Info{
			Format: instrprof.FormatIndexed, Version: 13, Families: []model.Family{instrprof.Family}, Profiles: 1,
			BinaryIDs: [][]byte{{0xde, 0xad, 0xbe, 0xef}},
		},
		Variant: variant, Records: uint64(len(functions)),
	}
	p.Profile.Describe = p.Profile.Info.Describe
	p.Inputs = []stored.Input{{
		Name: "clang.profdata", SHA256: "7c1e9a04d81f", Size: 43201331, Format: instrprof.FormatIndexed, Version: 13,
		Sections: []model.Section{
			{Name: "header", Size: 80}, {Name: "records", Size: 29360128}, {Name: "hash table", Size: 7340032},
			{Name: "summary", Size: 640}, {Name: "traces", Size: 4613734}, {Name: "vtable names", Size: 1153433},
		},
	}}
	p.Entry = catalog.Entry{
		ID: "p", Name: "clang-22-lto.profdata", State: catalog.Ready, Visibility: catalog.Listed, Digest: "7c1e9a04d81f",
		Format: instrprof.FormatIndexed, Version: 13, Functions: len(functions),
	}
	return p
}

// Func invents a function.
func Func(name string, hash uint64, counters ...uint64) instrprof.Function {
	sum := md5.Sum([]byte(name))
	return instrprof.Function{
		Name: []byte(name), NameRef: binary.LittleEndian.Uint64(sum[:]), FuncHash: hash, Counters: counters,
	}
}

// HostileNames try to leave the text they stand in.
var HostileNames = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	`javascript:alert(1)`,
	"{{7*7}}</title></style></textarea>",
	"a\x00b\x1bc\xff\xfe",
	"safe\u202egnp.exe",
	`dir/<b>.c;fun<b>ction`,
}

// source reads an invented profile as one from a file.
type source struct {
	instrprof.Empty
	*Invented
}

func (s source) Info() *instrprof.Info { return &s.Profile }

func (s source) Functions() instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		for i := range s.Invented.Functions {
			f := s.Invented.Functions[i]
			if !yield(&f, nil) {
				return
			}
		}
	}
}

func (s source) Names() instrprof.Names {
	return func(yield func(uint64, []byte) bool) {
		for i := range s.Invented.Functions {
			if f := &s.Invented.Functions[i]; len(f.Name) > 0 && !yield(f.NameRef, f.Name) {
				return
			}
		}
	}
}

func (s source) Traces() instrprof.Traces {
	return func(yield func(instrprof.Trace, error) bool) {
		for _, t := range s.Invented.Traces {
			if !yield(t, nil) {
				return
			}
		}
	}
}

func (s source) Findings() []model.Finding { return s.Invented.Findings }

// Path is where the profile's file is, which is written once, and the first rows
// of a profile with very many where they are kept while it is written.
func (p *Invented) Path(t testing.TB) (path, preview string) {
	t.Helper()
	if p.path == "" {
		dir := t.TempDir()
		whole := &format.Profile{Info: p.Profile.Info}
		whole.Add(instrprof.Family, instrprof.Source(source{Invented: p}))
		in := profile.Input{Profile: whole, Files: p.Inputs, Preview: dir + "/preview.db"}
		if _, err := profile.Write(t.Context(), dir+"/profile.db", in, nil); err != nil {
			t.Fatal(err)
		}
		p.path = dir
	}
	return p.path + "/profile.db", p.path + "/preview.db"
}

// Store holds one profile by its entry's id.
type Store struct {
	site.Store  // nil: the pages of a profile need no more than is below
	Held        *catalog.Entry
	OpenProfile func(ctx context.Context) (*stored.Profile, error)
}

// OnOpen does nothing: the one is shown as it is.
func (s Store) OnOpen(func(e *catalog.Entry, p *stored.Profile)) {}

// Entry is the one, or [catalog.ErrNotFound].
func (s Store) Entry(_ context.Context, id string) (*catalog.Entry, error) {
	if id != s.Held.ID {
		return nil, catalog.ErrNotFound
	}
	return s.Held, nil
}

// Relatives are none: what is invented is alone.
func (s Store) Relatives(context.Context, *catalog.Entry, int) ([]catalog.Relative, error) {
	return nil, nil
}

// HasTokens is false: what is invented is nobody's.
func (s Store) HasTokens(context.Context) (bool, error) { return false, nil }

// RightOf knows no token.
func (s Store) RightOf(context.Context, string) (catalog.Right, error) { return catalog.NoRight, nil }

// Open opens the one.
func (s Store) Open(ctx context.Context, _ *catalog.Entry) (*stored.Profile, error) {
	return s.OpenProfile(ctx)
}

// Handler is the whole HTTP interface over one invented profile.
func (p *Invented) Handler(t testing.TB) http.Handler {
	path, _ := p.Path(t)
	return handlers.New(site.Config{
		PageWait: 10 * time.Minute, Store: Store{Held: &p.Entry,
			OpenProfile: func(context.Context) (*stored.Profile, error) { return stored.Open(path) }},
	})
}

// Serve serves the invented profile.
func (p *Invented) Serve(t testing.TB) *Server {
	return &Server{T: t, URL: Serve(t, p.Handler(t))}
}
