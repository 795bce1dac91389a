package mipweb

import (
	"context"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/site"
	"proflens/profile/mipdb"
	"proflens/profile/table"
)

// function is the function of an address. The error is site.ErrNoFunction where there is none.
func (s *handler) function(ctx context.Context, r *http.Request) (*mipdb.Function, error) {
	f, err := s.machine(r).Function(ctx, chi.URLParam(r, "fid"))
	return f, site.OrAbsent(err, site.ErrNoFunction)
}

// named is its PGO name.
func (s *handler) named(ctx context.Context, r *http.Request) ([]byte, error) {
	f, err := s.function(ctx, r)
	if err != nil {
		return nil, err
	}
	return f.Linkage, nil
}

// functionObject is a function's fields, its blocks, its bytes by blocks, and the runs in which it
// ran. counters=from..to cuts the list of blocks, both ends inclusive.
func (s *handler) functionObject(ctx context.Context, r *http.Request, p *site.RecordParams) ([]byte, error) {
	f, err := s.function(ctx, r)
	if err == site.ErrNoFunction {
		err = fmt.Errorf("%w: it is the signature in 16 lower-case hexadecimal digits, followed by - and the raw offset "+
			"if several functions share it", err)
	}
	if err != nil {
		return nil, err
	}
	runs, err := s.machine(r).Runs(ctx)
	if err != nil {
		return nil, err
	}
	b := mipdb.Functions.AppendObject(nil, &f.Row, &table.Options{Demangle: s.Cached(p.Names), Quote: p.Counts})
	b = appendMIPBlocks(b[:len(b)-1], f, p)
	b = appendMIPRuns(b, s.machine(r).Overview, f, runs)
	b = append(b, `,"same_signature":[`...)
	for i := range f.Twins {
		if i > 0 {
			b = append(b, ',')
		}
		b = table.AppendString(b, f.Twins[i].FID)
	}
	return append(b, "]}\n"...), nil
}

// appendMIPBlocks writes the blocks of the range but the entry, and where the
// range begins. Each has its bytes in the function; a removed one has none.
func appendMIPBlocks(b []byte, f *mipdb.Function, p *site.RecordParams) []byte {
	from, to := min(p.From, uint64(len(f.BlockData))), uint64(len(f.BlockData))
	if p.To < to {
		to = p.To + 1
	}
	sizes := make([]uint32, len(f.BlockData))
	entry := uint32(0)
	for _, span := range f.Spans {
		if span.Block < 0 {
			entry = span.To - span.From
			continue
		}
		sizes[span.Block] = span.To - span.From
	}
	b = fmt.Appendf(b, `,"entry_block":{"offset":0,"size":%d,"covered":%t}`, entry, f.Executed)
	b = strconv.AppendUint(append(b, `,"block_values_from":`...), from, 10)
	b = append(b, `,"block_values":[`...)
	for i := from; i < to; i++ {
		if i > from {
			b = append(b, ',')
		}
		block := f.BlockData[i]
		b = fmt.Appendf(b, `{"offset":%d,"size":%d,"covered":%t,"removed":%t}`, block.Offset, sizes[i], block.Covered,
			block.Removed())
	}
	return append(b, ']')
}

// appendMIPRuns writes the runs in which a function ran.
func appendMIPRuns(b []byte, o *mipdb.Overview, f *mipdb.Function, runs []mipdb.Run) []byte {
	b = append(b, `,"runs":[`...)
	for i, run := range f.Runs {
		if i > 0 {
			b = append(b, ',')
		}
		file := ""
		if run.Run >= 1 && run.Run <= len(runs) {
			file = runs[run.Run-1].File
		}
		b = table.AppendString(fmt.Appendf(b, `{"run":%d,"file":`, run.Run), file)
		b = append(b, `,"call_count":`...)
		b = appendKnown(b, run.Calls, o.HasCalls())
		b = append(b, `,"timestamp":`...)
		b = append(appendKnown(b, run.First, o.HasTimestamps()), '}')
	}
	return append(b, ']')
}

// appendKnown writes a number, or null for one that was not recorded.
func appendKnown(b []byte, n uint32, known bool) []byte {
	if !known {
		return append(b, "null"...)
	}
	return strconv.AppendUint(b, uint64(n), 10)
}
