package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/ingest"
	"proflens/profile/budget"
)

func TestProblemOf(t *testing.T) {
	for _, test := range []struct {
		err    error
		status int
		kind   string
	}{
		{catalog.ErrNotFound, 404, "not_found"},
		{fmt.Errorf("reading: %w", catalog.ErrNotFound), 404, "not_found"},
		{&catalog.GoneError{State: catalog.Expired, At: time.Now()}, 410, "expired"},
		{&catalog.GoneError{State: catalog.Deleted, At: time.Now()}, 410, "deleted"},
		{catalog.ErrBadCursor, 400, "bad_parameter"},
		{&ParamError{Param: "q", Msg: "wrong"}, 400, "bad_parameter"},
		{&ingest.RequestError{Field: "name", Msg: "too long"}, 400, "bad_parameter"},
		{&ingest.LimitError{Limit: "max-expanded", Max: 1, Found: 2, Unit: "bytes"}, 413, "too_large"},
		{&http.MaxBytesError{Limit: 5}, 413, "too_large"},
		{&model.FormatError{Kind: model.KindTruncated, Offset: 7, Msg: "cut"}, 422, "truncated"},
		{fmt.Errorf("opening: %w", &model.FormatError{Kind: model.KindIncompatible, Msg: "two kinds"}), 422, "incompatible"},
		{context.DeadlineExceeded, 503, "timeout"},
		{&budget.Refusal{Why: budget.TooMuch, Limit: 1 << 28}, 503, "memory"},
		{fmt.Errorf("building: %w", &budget.Refusal{Why: budget.Busy}), 503, "busy"},
		{&budget.Refusal{Why: budget.TooLong, Limit: 4e9}, 503, "time"},
		{context.Canceled, 499, "canceled"},
		{io.ErrClosedPipe, 500, "internal"},
	} {
		p := ProblemOf(test.err)
		if p.Status != test.status || p.Kind != test.kind || p.Title == "" || p.Detail == "" {
			t.Errorf("%v: %d %s %q %q", test.err, p.Status, p.Kind, p.Title, p.Detail)
		}
	}
	for _, k := range Kinds {
		if p := ProblemOf(k.Err); p.Status != k.Status || p.Kind != k.Kind {
			t.Errorf("%v: %d %s, its row says %d %s", k.Err, p.Status, p.Kind, k.Status, k.Kind)
		}
	}
	if p := ProblemOf(&model.FormatError{Kind: model.KindMalformed}); p.Offset == nil || *p.Offset != 0 {
		t.Error("a fault at offset 0 has no offset")
	}
}

// Who is refused for want of memory or time is told when to ask again.
func TestRefusalsSayWhenToAskAgain(t *testing.T) {
	for _, why := range []budget.Why{budget.TooMuch, budget.Busy, budget.TooLong} {
		if p := ProblemOf(&budget.Refusal{Why: why}); p.header.Get("Retry-After") == "" {
			t.Errorf("%s: no Retry-After", why)
		}
	}
}

// What is said of a parameter does not grow with it.
func TestProblemsAreBrief(t *testing.T) {
	long := strings.Repeat("ö\x01", 20_000)
	p := ProblemOf(&ParamError{Param: long, Msg: fmt.Sprintf("%q is wrong", long)}).brief()
	if len(p.Detail) > longestDetail+3 || len(p.Param) > longestDetail+3 || !utf8.ValidString(p.Detail) {
		t.Errorf("%d and %d bytes", len(p.Detail), len(p.Param))
	}
	if short := ProblemOf(&ParamError{Param: "q", Msg: "is wrong"}); short.brief() != short {
		t.Error("a short one changes")
	}
}
