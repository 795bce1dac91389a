package mipweb

import (
	"context"
	"fmt"
	"net/http"

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
	more := &functionMembers{}
	entry := more.fillBlocks(f, p)
	more.fillRuns(s.machine(r).Overview, f, runs)
	for i := range f.Twins {
		more.Twins = append(more.Twins, f.Twins[i].FID)
	}
	o := &table.Options{Demangle: s.Cached(p.Names), Quote: p.Counts}
	b := mipdb.Functions.AppendObject(nil, &f.Row, o)
	b = fmt.Appendf(b[:len(b)-1], `,"entry_block":{"offset":0,"size":%d,"covered":%t}}`, entry, f.Executed)
	return append(table.AppendMembers(b, more, o), '\n'), nil
}

// functionMembers are what a function has beside its row and its entry block.
type functionMembers struct {
	From   uint64        `col:"block_values_from" is:"plain"`
	Blocks []blockMember `col:"block_values"`
	Runs   []runMember   `col:"runs"`
	Twins  []string      `col:"same_signature"`
}

// blockMember is a block; a removed one has no bytes.
type blockMember struct {
	Offset  uint32 `col:"offset"`
	Size    uint32 `col:"size"`
	Covered bool   `col:"covered"`
	Removed bool   `col:"removed"`
}

// runMember is a run in which a function ran; nil is what was not recorded.
type runMember struct {
	Run   int     `col:"run"`
	File  string  `col:"file"`
	Calls *uint32 `col:"call_count"`
	First *uint32 `col:"timestamp"`
}

// fillBlocks adds the blocks of the range but the entry, whose size it returns.
func (m *functionMembers) fillBlocks(f *mipdb.Function, p *site.RecordParams) (entry uint32) {
	sizes := make([]uint32, len(f.BlockData))
	for _, span := range f.Spans {
		if span.Block < 0 {
			entry = span.To - span.From
			continue
		}
		sizes[span.Block] = span.To - span.From
	}
	n := uint64(len(f.BlockData))
	m.From = min(p.From, n)
	for i := m.From; i < n && i <= p.To; i++ {
		block := f.BlockData[i]
		m.Blocks = append(m.Blocks, blockMember{block.Offset, sizes[i], block.Covered, block.Removed()})
	}
	return entry
}

// fillRuns adds the runs in which a function ran.
func (m *functionMembers) fillRuns(o *mipdb.Overview, f *mipdb.Function, runs []mipdb.Run) {
	for i := range f.Runs {
		run := &f.Runs[i]
		one := runMember{Run: run.Run}
		if run.Run >= 1 && run.Run <= len(runs) {
			one.File = runs[run.Run-1].File
		}
		if o.HasCalls() {
			one.Calls = &run.Calls
		}
		if o.HasTimestamps() {
			one.First = &run.First
		}
		m.Runs = append(m.Runs, one)
	}
}
