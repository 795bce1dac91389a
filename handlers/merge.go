package handlers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"proflens/catalog"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/exports"
	"proflens/handlers/instrweb"
	"proflens/handlers/site"
	"proflens/ingest"
)

// maxMerge is how many profiles one merge may take.
const maxMerge = 256

// mergeInput is a profile to be merged, as asked for.
type mergeInput struct {
	ID     string  `json:"id"`
	Weight *uint64 `json:"weight"` // at least 1, which is what it is when absent
}

// merge is a merge as asked for.
type merge struct {
	profiles     []mergeInput
	request      ingest.Request
	allowPartial bool
}

// check returns a *site.ParamError for the first field that is wrong.
func (m *merge) check() error {
	if n := len(m.profiles); n == 0 || n > maxMerge {
		return &site.ParamError{Param: "profiles", Msg: fmt.Sprintf("give 1 to %d profiles; found %d", maxMerge, n)}
	}
	for _, p := range m.profiles {
		if p.ID == "" {
			return &site.ParamError{Param: "profiles", Msg: "a profile has no id"}
		}
		if p.Weight != nil && *p.Weight == 0 {
			return &site.ParamError{Param: "profiles", Msg: "a weight must be 1 or more"}
		}
	}
	return nil
}

// merged makes a new profile of several: it decodes their originals, adds them
// up in memory, and takes the sum in as an upload of one indexed file. That file
// is all the new profile needs, whatever becomes of the others.
func (s *server) merged(ctx context.Context, m merge) (ingest.Accepted, error) {
	entries, err := s.mergeEntries(ctx, &m)
	if err != nil {
		return ingest.Accepted{}, err
	}
	if err := s.decoding(ctx); err != nil {
		return ingest.Accepted{}, err
	}
	defer s.decoded()
	inputs, release, err := s.mergeSources(ctx, &m, entries)
	defer release()
	if err != nil {
		return ingest.Accepted{}, err
	}
	sum, err := decode.Merge(ctx, inputs, format.MergeOptions{TakePartial: m.allowPartial})
	if err != nil {
		return ingest.Accepted{}, mergeProblem(err)
	}
	lost := leaveAddressesOut(sum)
	plan, err := encode.PlanProfdata(llvm.SourceOf(sum), exports.IndexedOptions(sum, exports.Options{"keep-vtable-symbols": "true"}))
	if err != nil {
		return ingest.Accepted{}, mergeProblem(err)
	}
	s.record(&m, entries, inputs, slices.Concat(sum.Findings(), lost, plan.Findings))
	return s.takeIn(ctx, &m.request, plan)
}

// mergeEntries finds the profiles, all of which must be ready.
func (s *server) mergeEntries(ctx context.Context, m *merge) ([]*catalog.Entry, error) {
	entries := make([]*catalog.Entry, len(m.profiles))
	for i, p := range m.profiles {
		e, err := s.Store.Entry(ctx, p.ID)
		if errors.Is(err, catalog.ErrNotFound) {
			return nil, fmt.Errorf("%w: %s", err, p.ID)
		}
		if err != nil {
			return nil, err
		}
		if e.State != catalog.Ready {
			return nil, s.Unready(e)
		}
		if !s.Indexable(e) {
			return nil, &site.Problem{Status: http.StatusUnprocessableEntity, Kind: string(model.KindIncompatible), Title: "Cannot be merged", ID: e.ID,
				Detail: fmt.Sprintf("%s is neither an instrumentation profile nor a heap profile: it is %s", e.Name, e.Describe)}
		}
		entries[i] = e
	}
	return entries, nil
}

// mergeSources opens the originals of each profile; release closes them, and is
// never nil.
func (s *server) mergeSources(ctx context.Context, m *merge, entries []*catalog.Entry) (inputs []format.Weighted, release func(), err error) {
	var closers []io.Closer
	release = func() {
		for _, c := range closers {
			c.Close()
		}
	}
	for i, e := range entries {
		p, closer, err := s.Originals.Source(ctx, e.Files)
		if err != nil {
			return nil, release, err
		}
		closers = append(closers, closer)
		in := format.Weighted{Name: e.Name, Profile: p, Weight: 1}
		if w := m.profiles[i].Weight; w != nil {
			in.Weight = *w
		}
		inputs = append(inputs, in)
	}
	return inputs, release, nil
}

// mergeProblem says that profiles cannot be merged; the error names both.
func mergeProblem(err error) error {
	if fault, ok := errors.AsType[*model.FormatError](err); ok && fault.Kind == model.KindIncompatible {
		return &site.Problem{Status: http.StatusUnprocessableEntity, Kind: string(fault.Kind), Title: "Cannot be merged", Detail: fault.Msg}
	}
	return err
}

// leaveAddressesOut leaves out a heap profile that no indexed file can hold,
// since it has no functions, where there are counters beside it.
func leaveAddressesOut(sum *format.Profile) []model.Finding {
	if !llvm.LeaveAddressesOut(sum) {
		return nil
	}
	return []model.Finding{{Severity: model.Warning, Code: "merge.heap_left_out", Kind: model.KindLossy,
		Message: "the heap profile is left out: it has only addresses, and an indexed profile needs functions",
		Remedy:  "add the executable to it, and merge again"}}
}

// record notes what the new profile is made of. An unlisted profile is found by
// whoever knows its id, so a sum that has one is unlisted too, and when it was
// asked to be listed does not tell that id.
func (s *server) record(m *merge, entries []*catalog.Entry, inputs []format.Weighted, findings []model.Finding) {
	secret := func(e *catalog.Entry) bool { return e.Visibility != catalog.Listed }
	if m.request.Visibility == "" && slices.ContainsFunc(entries, secret) {
		m.request.Visibility = catalog.Unlisted
	}
	listed := m.request.Visibility == catalog.Listed || m.request.Visibility == "" && s.DefaultVisibility == catalog.Listed
	made := &catalog.Merged{Findings: findings}
	for i, e := range entries {
		in := catalog.MergedInput{ID: e.ID, Name: e.Name, Digest: e.Digest, Describe: e.Describe, Weight: inputs[i].Weight,
			Partial: inputs[i].Profile.Info.Partial}
		if listed && secret(e) {
			in.ID = ""
		}
		made.Inputs = append(made.Inputs, in)
	}
	m.request.Merged = made
	if m.request.Name == "" {
		m.request.Name = instrweb.MergedName(entries[0].Name, len(entries))
	}
}

// takeIn stores a profile that is being written as if it were uploaded.
func (s *server) takeIn(ctx context.Context, request *ingest.Request, plan *encode.ProfdataPlan) (ingest.Accepted, error) {
	batch, err := s.Ingest.Begin()
	if err != nil {
		return ingest.Accepted{}, err
	}
	defer batch.Discard() // nothing is left to discard after Commit
	r, w := io.Pipe()
	go func() {
		_, err := plan.WriteTo(w)
		w.CloseWithError(err) // nil is the end of the file
	}()
	err = batch.Add(ctx, "merged.profdata", r)
	r.CloseWithError(context.Canceled) // whoever still writes stops
	if err != nil {
		return ingest.Accepted{}, err
	}
	accepted, err := batch.Commit(context.WithoutCancel(ctx), *request)
	if err != nil {
		return ingest.Accepted{}, err
	}
	return accepted[0], nil
}
