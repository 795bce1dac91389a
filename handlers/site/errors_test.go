package site

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"testing"
	"time"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/ingest"
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
