package mipweb

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/go-chi/chi/v5"

	"proflens/handlers/site"
	"proflens/profile/mipdb"
	"proflens/profile/stored"
	"proflens/profile/table"
)

// getMIPFunction is GET /profiles/{id}/functions/{fid} of a Machine IR Profile:
// its fields, its blocks, its bytes by blocks, and the runs in which it ran.
// counters=from..to cuts the list of blocks, both ends inclusive.
func (s *handler) getMIPFunction(w http.ResponseWriter, r *http.Request) error {
	p, err := site.ParseRecord(r.URL.Query())
	if err != nil {
		return err
	}
	if p.Format != "" && p.Format != table.FormatJSON {
		return &site.ParamError{Param: "format", Msg: "one function is available as json only"}
	}
	if p.Hash != nil {
		return &site.ParamError{Param: "hash", Msg: "machine IR functions have no FuncHash"}
	}
	if s.NotModified(w, r, "") {
		return nil
	}
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	f, err := s.machine(r).Function(ctx, chi.URLParam(r, "fid"))
	if errors.Is(err, stored.ErrNoPart) {
		return fmt.Errorf("%w: it is the signature in 16 lower-case hexadecimal digits, followed by - and the raw offset "+
			"if several functions share it", site.ErrNoFunction)
	}
	if err != nil {
		return err
	}
	o := s.machine(r).Overview
	runs, err := s.machine(r).Runs(ctx)
	if err != nil {
		return err
	}
	b := mipdb.Functions.AppendObject(nil, &f.Row, &table.Options{Demangle: s.Cached(p.Names), Quote: p.Counts})
	b = appendMIPBlocks(b[:len(b)-1], f, &p)
	b = appendMIPRuns(b, o, f, runs)
	b = append(b, `,"same_signature":[`...)
	for i := range f.Twins {
		if i > 0 {
			b = append(b, ',')
		}
		b = table.AppendString(b, f.Twins[i].FID)
	}
	b = append(b, "]}\n"...)
	w.Header().Set("Content-Type", "application/json")
	w.Write(b)
	return nil
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

// listElsewhere is GET /profiles/{id}/functions/{fid}/elsewhere: the function in other
// profiles of the same program.
func (s *handler) listElsewhere(w http.ResponseWriter, r *http.Request) error {
	values := site.NewValues(r.URL.Query(), site.ListingKeys)
	p := values.Listing()
	if values.Err != nil {
		return values.Err
	}
	ctx, cancel := s.RequestContext(r)
	defer cancel()
	f, err := s.machine(r).Function(ctx, chi.URLParam(r, "fid"))
	if errors.Is(err, stored.ErrNoPart) {
		return site.ErrNoFunction
	}
	if err != nil {
		return err
	}
	return s.ListElsewhere(w, r, p, f.Linkage)
}
