package handlers

import (
	"context"
	"fmt"
	"io"
	"slices"

	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/internal/humanize"
)

// maxMatched is how many findings the answer to an upload has.
const maxMatched = 8

// matched writes how the files of a profile fit together: what is doubtful, and which were
// left out. What cannot be told is on the profile's page.
func (s *server) matched(ctx context.Context, w io.Writer, origin string, e *catalog.Entry) {
	p, err := s.Store.Open(ctx, e)
	if err != nil {
		return
	}
	defer p.Close()
	found := slices.DeleteFunc(site.WorstFirst(site.ReadyFindings(e, p.Overview)), func(f model.Finding) bool {
		return f.Severity == model.Note && f.File == ""
	})
	for _, f := range found[:min(len(found), maxMatched)] {
		fmt.Fprintf(w, "  %s: %s\n", f.Severity, humanize.Plain(humanize.Printable(f.Message)))
		if f.Severity != model.Note {
			fmt.Fprint(w, site.Advice(&f, "    "))
		}
	}
	if more := len(found) - maxMatched; more > 0 {
		fmt.Fprintf(w, "  and %d more: %s/diagnostics\n", more, origin+site.PageOf(e.ID))
	}
	if m := s.sourcesOf(ctx, e); m != nil {
		fmt.Fprintf(w, "  matched: %s\n", sources.Matched(m.WithText, m.Mapped, m.Missing))
	}
}

// sourcesOf are the sources of a profile that is ready; nil where it names none.
func (s *server) sourcesOf(ctx context.Context, e *catalog.Entry) *sourcesMatched {
	if e.State != catalog.Ready {
		return nil
	}
	names, err := s.SourceNames(ctx, e)
	if err != nil {
		return nil
	}
	m, err := s.matchSources(ctx, e, names)
	if err != nil {
		return nil
	}
	return m
}
