package handlers_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/handlers/webtest"
	"proflens/profiledb/instrdb"
)

// partialStore holds one profile that is not all there.
type partialStore struct {
	Store
	entry   catalog.Entry
	profile Profile
}

func (s *partialStore) Entry(context.Context, string) (*catalog.Entry, error) { return &s.entry, nil }

func (s *partialStore) OpenProfile(context.Context, string) (Profile, error) { return s.profile, nil }

func inventedClang(n int) *webtest.Invented { return webtest.Invent(instrprof.IRProf, clang(n)...) }

// startPartial serves a profile of which a test says what is missing.
func startPartial(t *testing.T, e catalog.Entry, p Profile) *webtest.Server {
	s := newServer(Config{Store: &partialStore{entry: e, profile: p}, Ingest: liveIngest{}, RequestTimeout: time.Second})
	return &live{t: t, server: s, url: webtest.Serve(t, s.handler())}
}

// While the tables are being written there is a preview: the first rows, and
// nothing that a client could keep.
func TestPreview(t *testing.T) {
	invented := inventedClang(3)
	invented.overview.Storing = true
	l := startPartial(t, catalog.Entry{ID: "x", State: catalog.Ready, Digest: "d"}, invented)
	const path = "/api/v1/profiles/x/functions"
	a := l.OK(path)
	if list := a.Object(t); list["storing"] != true || len(list["items"].([]any)) != 3 || a.Header.Get("ETag") != "" {
		t.Errorf("ETag %q, %s", a.Header.Get("ETag"), a.Bytes)
	}
	if one := l.OK(path + "/" + a.Column(t, "fid")[0]); one.Header.Get("ETag") != "" {
		t.Error("a function of a preview has an ETag")
	}
}

// slowFilter needs some asks until its text filter is through.
type slowFilter struct {
	*webtest.Invented
	asks int
}

func (p *slowFilter) Functions(ctx context.Context, q instrdb.Query) (*instrdb.Page, error) {
	p.asks--
	p.partial = p.asks > 0
	return p.inventedProfile.Functions(ctx, q)
}

func TestIncompleteFilter(t *testing.T) {
	const path = "/api/v1/profiles/x/functions?q=a"
	slow := &slowFilter{inventedClang(10), 2}
	l := startPartial(t, catalog.Entry{ID: "x", State: catalog.Ready, Digest: "d"}, slow)
	first := l.OK(path + "&cursor=3&limit=2")
	list := first.Object(t)
	if list["complete"] != false || list["scanned"] != json.Number("4") || list["next_cursor"] != "3" || first.Header.Get("ETag") != "" {
		t.Errorf("ETag %q, %s", first.Header.Get("ETag"), first.Bytes)
	}
	second := l.OK(path + "&cursor=3&limit=2")
	if list := second.Object(t); list["complete"] != true || list["scanned"] != nil || list["next_cursor"] != "5" || second.Header.Get("ETag") == "" {
		t.Errorf("ETag %q, %s", second.Header.Get("ETag"), second.Bytes)
	}
	// An export asks until the filter is through.
	slow.asks = 5
	if text := l.OK(path + "&format=ndjson").Text(); !strings.HasSuffix(text, "{\"_end\":true,\"rows\":10}\n") || slow.asks > 0 {
		t.Errorf("%d asks left, %s", slow.asks, text)
	}
}

// hungProfile answers when its client has given up.
type hungProfile struct{ *webtest.Invented }

func (hungProfile) Functions(ctx context.Context, _ instrdb.Query) (*instrdb.Page, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestRequestTimeout(t *testing.T) {
	l := startPartial(t, catalog.Entry{ID: "x", State: catalog.Ready}, hungProfile{inventedClang(1)})
	webtest.Problem(t, l.Get("/api/v1/profiles/x/functions"), http.StatusServiceUnavailable, "timeout")
}

// brokenProfile fails after its first rows.
type brokenProfile struct{ *webtest.Invented }

func (p brokenProfile) Functions(ctx context.Context, q instrdb.Query) (*instrdb.Page, error) {
	if q.Offset > 0 {
		return nil, http.ErrBodyNotAllowed
	}
	page, err := p.inventedProfile.Functions(ctx, q)
	page.Matching = 5000
	return page, err
}

// Half an export must not look whole.
func TestExportCutOff(t *testing.T) {
	l := startPartial(t, catalog.Entry{ID: "x", State: catalog.Ready, Name: "x"}, brokenProfile{inventedClang(1000)})
	for _, format := range []string{"csv", "ndjson", "text"} {
		res, err := http.Get(l.URL + "/api/v1/profiles/x/functions?format=" + format)
		if err != nil {
			continue // cut before the first byte
		}
		_, err = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if err == nil {
			t.Errorf("%s ended as if it were whole", format)
		}
	}
}
