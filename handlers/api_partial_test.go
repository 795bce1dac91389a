package handlers

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"proflens/decode/instrprof"
	"proflens/store"
)

// partialStore holds one profile that is not all there.
type partialStore struct {
	Store
	entry   store.Entry
	profile Profile
}

func (s *partialStore) Entry(context.Context, string) (*store.Entry, error) { return &s.entry, nil }

func (s *partialStore) OpenProfile(context.Context, string) (Profile, error) { return s.profile, nil }

func inventedClang(n int) *inventedProfile { return invent(instrprof.IRProf, clang(n)...) }

// startPartial serves a profile of which a test says what is missing.
func startPartial(t *testing.T, e store.Entry, p Profile) *live {
	s := newServer(Config{Store: &partialStore{entry: e, profile: p}, Ingest: liveIngest{}, RequestTimeout: time.Second})
	return &live{t: t, server: s, url: serveTest(t, s.handler())}
}

// While the tables are being written there is a preview: the first rows, and
// nothing that a client could keep.
func TestPreview(t *testing.T) {
	invented := inventedClang(3)
	invented.overview.Storing = true
	l := startPartial(t, store.Entry{ID: "x", State: store.Ready, Digest: "d"}, invented)
	const path = "/api/v1/profiles/x/functions"
	a := l.ok(path)
	if list := a.object(t); list["storing"] != true || len(list["items"].([]any)) != 3 || a.Header.Get("ETag") != "" {
		t.Errorf("ETag %q, %s", a.Header.Get("ETag"), a.body)
	}
	if one := l.ok(path + "/" + columnOf(t, a, "fid")[0]); one.Header.Get("ETag") != "" {
		t.Error("a function of a preview has an ETag")
	}
}

// slowFilter needs some asks until its text filter is through.
type slowFilter struct {
	*inventedProfile
	asks int
}

func (p *slowFilter) Functions(ctx context.Context, q store.FunctionQuery) (*store.FunctionPage, error) {
	p.asks--
	p.partial = p.asks > 0
	return p.inventedProfile.Functions(ctx, q)
}

func TestIncompleteFilter(t *testing.T) {
	const path = "/api/v1/profiles/x/functions?q=a"
	slow := &slowFilter{inventedClang(10), 2}
	l := startPartial(t, store.Entry{ID: "x", State: store.Ready, Digest: "d"}, slow)
	first := l.ok(path + "&cursor=3&limit=2")
	list := first.object(t)
	if list["complete"] != false || list["scanned"] != json.Number("4") || list["next_cursor"] != "3" || first.Header.Get("ETag") != "" {
		t.Errorf("ETag %q, %s", first.Header.Get("ETag"), first.body)
	}
	second := l.ok(path + "&cursor=3&limit=2")
	if list := second.object(t); list["complete"] != true || list["scanned"] != nil || list["next_cursor"] != "5" || second.Header.Get("ETag") == "" {
		t.Errorf("ETag %q, %s", second.Header.Get("ETag"), second.body)
	}
	// An export asks until the filter is through.
	slow.asks = 5
	if text := l.ok(path + "&format=ndjson").text(); !strings.HasSuffix(text, "{\"_end\":true,\"rows\":10}\n") || slow.asks > 0 {
		t.Errorf("%d asks left, %s", slow.asks, text)
	}
}

// hungProfile answers when its client has given up.
type hungProfile struct{ *inventedProfile }

func (hungProfile) Functions(ctx context.Context, _ store.FunctionQuery) (*store.FunctionPage, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestRequestTimeout(t *testing.T) {
	l := startPartial(t, store.Entry{ID: "x", State: store.Ready}, hungProfile{inventedClang(1)})
	wantProblem(t, l.get("/api/v1/profiles/x/functions"), http.StatusServiceUnavailable, "timeout")
}

// brokenProfile fails after its first rows.
type brokenProfile struct{ *inventedProfile }

func (p brokenProfile) Functions(ctx context.Context, q store.FunctionQuery) (*store.FunctionPage, error) {
	if q.Offset > 0 {
		return nil, http.ErrBodyNotAllowed
	}
	page, err := p.inventedProfile.Functions(ctx, q)
	page.Matching = 5000
	return page, err
}

// Half an export must not look whole.
func TestExportCutOff(t *testing.T) {
	l := startPartial(t, store.Entry{ID: "x", State: store.Ready, Name: "x"}, brokenProfile{inventedClang(1000)})
	for _, format := range []string{"csv", "ndjson", "text"} {
		res, err := http.Get(l.url + "/api/v1/profiles/x/functions?format=" + format)
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
