// Package site is what every page and call of the server needs: parameters, errors,
// ETags, lists, the frame of a page; and [Family], by which a family of profiles says
// what it answers and at which address.
package site

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"proflens/analyze"
	"proflens/analyze/sources"
	"proflens/builds"
	"proflens/catalog"
	"proflens/catalog/objects"
	"proflens/catalog/projects"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/handlers/metrics"
	"proflens/ingest"
	"proflens/ingest/tasks"
	"proflens/names"
	"proflens/profile/exports"
	"proflens/profile/stored"
)

// Store is what the handlers need of the catalog.
type Store interface {
	// Entry returns catalog.ErrNotFound or *catalog.GoneError.
	Entry(ctx context.Context, id string) (*catalog.Entry, error)
	List(ctx context.Context, q catalog.ListQuery) (catalog.ListPage, error)
	// Groups are the profiles of a list by project or by the values of a label.
	Groups(ctx context.Context, q catalog.ListQuery, by string, limit int) ([]projects.Group, error)
	// Projects asks about the profiles of projects.
	Projects() *projects.Store
	// Relatives are listed profiles of the same program, the closest first.
	Relatives(ctx context.Context, of *catalog.Entry, limit int) ([]catalog.Relative, error)
	Delete(ctx context.Context, id string) error
	// Rename puts what is given in the place of a profile's name, project and labels.
	Rename(ctx context.Context, id string, to catalog.Naming) error
	CheckDeleteToken(ctx context.Context, id, token string) (bool, error)
	// HasTokens reports whether the catalog has tokens, ended ones too; RightOf what
	// one of them allows.
	HasTokens(ctx context.Context) (bool, error)
	RightOf(ctx context.Context, token string) (catalog.Right, error)
	// Open opens the tables of a ready profile, or the preview of one that is
	// being decoded; catalog.ErrNotFound when there is neither.
	Open(ctx context.Context, e *catalog.Entry) (*stored.Profile, error)
	// OnOpen sets what is called with each handle that Open opens.
	OnOpen(f func(e *catalog.Entry, p *stored.Profile))
	// Salvage has a failed profile decoded again with the beginnings of files
	// that end too soon; catalog.ErrNotFailed for another.
	Salvage(ctx context.Context, id string) (*catalog.Entry, error)
	// Sources is the file with the text of a profile's sources; nil where there is none.
	Sources(ctx context.Context, id string) (*catalog.FileEntry, error)
	// OpenSources opens it; nil where there is none.
	OpenSources(ctx context.Context, id string) (a *sources.Archive, closed func() error, err error)
	// SetSources puts an archive in the place of the one that there is; nil removes that.
	SetSources(ctx context.Context, id string, archive *catalog.Staged) error
	// Rebuild has tables made again that proved damaged while they were read.
	Rebuild(ctx context.Context, id string) error
	// StagingDir is a folder for temporary files, swept at start.
	StagingDir() string
	// Scratch is a file for an answer that waits for its reader.
	Scratch() (*catalog.Staged, error)
	// OpenObject opens an original by its SHA-256.
	OpenObject(ctx context.Context, sha256 string) (*objects.File, error)
}

// Ingest takes uploads.
type Ingest interface {
	Begin() (Batch, error)
	// BeginSources begins an upload of source text, of files by these names.
	BeginSources(files []string) (*ingest.Sources, error)
	// Wait returns when the profile is ready or failed, or with the context's error.
	Wait(ctx context.Context, id string) (*catalog.Entry, error)
	// WaitShown returns when the first pages of the profile can be seen, too.
	WaitShown(ctx context.Context, id string) (*catalog.Entry, error)
	Progress(id string) ingest.Progress
}

// Batch is the files of one upload. It must be ended by Commit, AddTo or Discard.
type Batch interface {
	Add(ctx context.Context, filename string, r io.Reader) error
	Commit(ctx context.Context, r ingest.Request) ([]ingest.Accepted, error)
	AddTo(ctx context.Context, id string, salvage bool) (ingest.Accepted, error)
	Discard()
}

// Originals reads a profile's files again; see [ingest.Originals].
type Originals interface {
	// Recognise says what files are that are not here yet.
	Recognise(ctx context.Context, t *tasks.Recognise) (*tasks.Recognition, error)
	Anatomy(ctx context.Context, file catalog.FileEntry) (*model.Anatomy, error)
	Fields(ctx context.Context, file catalog.FileEntry, section string, from uint64, words string) ([]model.Section, error)
	Export(ctx context.Context, files []catalog.FileEntry, name string, o exports.Options,
		begin func(tasks.Head) (io.Writer, error)) error
	ProfdataPreview(ctx context.Context, files []catalog.FileEntry, keepVTableNames bool) (*encode.ProfdataPreview, error)
	Merge(ctx context.Context, t tasks.Merge, entries []*catalog.Entry, weights []uint64,
		begin func(tasks.Head) (io.Writer, error)) error
	// Locate works out where a function stands in one of the files: nil where it has
	// none such, perhaps with others whose name has the words.
	Locate(ctx context.Context, files []catalog.FileEntry, at int, wanted model.Wanted) (*model.Location, []model.Match,
		error)
}

// Version is what this program is.
type Version struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	Schema  int    `json:"schema"`  // of a profile's tables
	Decoder int    `json:"decoder"` // of the decoders
}

// Config is what the handlers are wired to. Store, Ingest and Originals are
// required.
type Config struct {
	Store     Store
	Ingest    Ingest
	Originals Originals
	Builds    *builds.Measurer // of the projects; nil: a server without

	Hosts          Hosts          // names that the server answers to
	TrustedProxies []netip.Prefix // whose word on the client is believed

	// Library is what stands between the program and the allocator in heap profiles;
	// nil is the default list.
	Library *analyze.Library

	UploadToken string  // when set, a token that may upload, besides those of the catalog
	Private     bool    // looking needs a token too
	MaxUpload   int64   // bytes of one request; 0 is no limit
	MaxUploads  int     // requests that bring files at once; 0 is 64
	Rate        float64 // requests a second of one client; 0 is no limit
	// Tally tells other processes what this one has allowed clients since the last
	// call, and returns what they have allowed these; nil where there are no others.
	Tally             func(ctx context.Context, made map[string]int64) (elsewhere map[string]int64, err error)
	Decodes           int   // requests that have originals decoded at once; 0 is 2
	MaxExpanded       int64 // bytes of one request's archives once unpacked; told on the home page
	TTL               time.Duration
	DefaultVisibility catalog.Visibility
	Limits            []Limit // for the page of limits
	Measures          []metrics.Measure
	SourceURL         *sources.Template // where sources are on another host; nil: nowhere
	BasePath          string            // that all addresses begin with, such as "/proflens"; empty: none
	Version           Version
	Log               *slog.Logger // nil discards
	// Stopping is done when the server is about to stop; uploads then no longer
	// wait for decoding. Nil never is.
	Stopping context.Context

	// RequestTimeout ends pages and API answers, TransferTimeout uploads and
	// downloads; IdleTimeout ends either when the other side stops reading or
	// writing. Zero means the defaults of package middleware.
	RequestTimeout, TransferTimeout, IdleTimeout time.Duration
	// PageWait is how long a browser waits for a page before it is told that it takes
	// its time; zero is for ever.
	PageWait time.Duration
}

// Handler is a page or an API call. It has written nothing when it returns an
// error, or else the answer is cut off.
type Handler func(w http.ResponseWriter, r *http.Request) error

// Site is what the pages of all families share. Handlers are methods on what embeds
// it, of the form handler, hung into routes by page and api.
type Site struct {
	Config
	Names    *names.Cache
	Families []*Family // in the order in which they answer for a profile of several
	build    string    // names this program in ETags
}

// nameCacheBytes bounds the demangled names kept between requests.
const nameCacheBytes = 64 << 20

func New(c Config) *Site {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	s := &Site{
		Config: c, Names: names.NewCache(nameCacheBytes), build: c.Version.Version + c.BasePath + c.SourceURL.String(),
	}
	if strings.HasPrefix(s.build, "devel") {
		s.build += time.Now().Format(time.RFC3339Nano) // the next build has the same name and other answers
	}
	return s
}

// Limit is a limit that the server was started with, as the page of limits
// shows it.
type Limit struct {
	Flag, Env string // how it is set
	Value     string
	Meaning   string
}
