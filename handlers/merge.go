package handlers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"proflens/catalog"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/ingest"
	"proflens/ingest/tasks"
	"proflens/internal/recovery"
)

// How many profiles one merge may take, and how many bytes may name them.
const (
	maxMerge      = 10_000
	maxMergeBytes = 4 << 20
)

// mergeInput is a profile to be merged, as asked for.
type mergeInput struct {
	ID     string  `json:"id"`
	Weight *uint64 `json:"weight,omitempty" is:"1.." doc:"Default 1."`
}

// merge is a merge as asked for.
type merge struct {
	profiles     []mergeInput
	request      ingest.Request
	allowPartial bool
	leaveOut     bool // what cannot be read or merged
}

// check returns a *site.ParamError for the first field that is wrong.
func (m *merge) check() error {
	if n := len(m.profiles); n == 0 || n > maxMerge {
		return &site.ParamError{Param: "profiles", Msg: fmt.Sprintf("give 1 to %d profiles; found %d", maxMerge, n)}
	}
	for _, p := range m.profiles {
		if p.ID == "" {
			return &site.ParamError{Param: "profiles", Msg: "a profile has no ID"}
		}
		if p.Weight != nil && *p.Weight == 0 {
			return &site.ParamError{Param: "profiles", Msg: "a weight must be 1 or more"}
		}
	}
	return nil
}

// merged makes a new profile of several: it decodes their originals, adds them
// up in memory, and takes the sum in as an upload of one indexed file, with the
// programs whose lines the counters are of. These files are all the new profile
// needs, whatever becomes of the others.
func (s *server) merged(ctx context.Context, m merge) (ingest.Accepted, error) {
	sum, err := s.mergeEntries(ctx, &m)
	if err != nil {
		return ingest.Accepted{}, err
	}
	if err := s.decodes.Take(ctx); err != nil {
		return ingest.Accepted{}, err
	}
	defer s.decodes.Give()
	return s.putSum(ctx, &m, sum)
}

// summed is the profiles of a merge.
type summed struct {
	entries []*catalog.Entry
	weights []uint64
	left    []leftEntry
}

// leftEntry is a profile that is left out of a merge, and why.
type leftEntry struct {
	entry  *catalog.Entry
	weight uint64
	reason string
}

// mergeEntries finds the profiles, all of which must be ready. Those that never will be,
// and those of another kind, can be left out.
func (s *server) mergeEntries(ctx context.Context, m *merge) (*summed, error) {
	sum := &summed{}
	var first error
	for _, p := range m.profiles {
		e, err := s.Store.Entry(ctx, p.ID)
		if errors.Is(err, catalog.ErrNotFound) {
			return nil, fmt.Errorf("%w: %s", err, p.ID)
		}
		if err != nil {
			return nil, err
		}
		weight := uint64(1)
		if p.Weight != nil {
			weight = *p.Weight
		}
		err = s.mergeable(e)
		switch {
		case err == nil:
			sum.entries, sum.weights = append(sum.entries, e), append(sum.weights, weight)
			continue
		case !m.leaveOut || e.State != catalog.Ready && e.State != catalog.Failed:
			return nil, err
		}
		sum.left = append(sum.left, leftEntry{e, weight, s.unmergeable(e)})
		first = cmp.Or(first, err)
	}
	if len(sum.entries) == 0 {
		return nil, first
	}
	return sum, nil
}

// mergeable is the error for a profile that is not ready, or cannot be merged.
func (s *server) mergeable(e *catalog.Entry) error {
	if e.State != catalog.Ready {
		return s.Unready(e)
	}
	if !s.Indexable(e) {
		return &site.Problem{Status: http.StatusUnprocessableEntity, Kind: string(model.KindIncompatible),
			Title: "Cannot be merged", ID: e.ID,
			Detail: fmt.Sprintf("only instrumentation and heap profiles can be merged; %s is %s", e.Name, e.Describe)}
	}
	return nil
}

// mergeProblem says that profiles cannot be merged; the error names both.
func mergeProblem(err error) error {
	if fault, ok := model.FaultIn(err); ok && fault.Kind == model.KindIncompatible {
		return &site.Problem{
			Status: http.StatusUnprocessableEntity, Kind: string(fault.Kind), Title: "Cannot be merged", Detail: fault.Msg,
		}
	}
	return err
}

// record notes what the new profile is made of. An unlisted profile is found by
// whoever knows its id, so a sum that has one is unlisted too, and when it was
// asked to be listed does not tell that id.
func (s *server) record(m *merge, sum *summed, head tasks.Head) {
	secret := func(e *catalog.Entry) bool { return e.Visibility != catalog.Listed }
	if m.request.Visibility == "" &&
		(slices.ContainsFunc(sum.entries, secret) ||
			slices.ContainsFunc(sum.left, func(l leftEntry) bool { return secret(l.entry) })) {
		m.request.Visibility = catalog.Unlisted
	}
	listed := m.request.Visibility == catalog.Listed || m.request.Visibility == "" && s.DefaultVisibility == catalog.Listed
	made := &catalog.Merged{Findings: head.Findings}
	add := func(e *catalog.Entry, in catalog.MergedInput) {
		in.ID, in.Name, in.Digest, in.Describe = e.ID, e.Name, e.Digest, e.Describe
		if listed && secret(e) {
			in.ID = ""
		}
		made.Inputs = append(made.Inputs, in)
	}
	for i, e := range sum.entries {
		in := catalog.MergedInput{Weight: sum.weights[i], Partial: head.Partial[i]}
		if len(head.LeftOut) > 0 {
			in.LeftOut = head.LeftOut[i]
		}
		if len(head.Contributions) > 0 && in.LeftOut == "" {
			in.Contribution = contributionOf(&head.Contributions[i])
		}
		add(e, in)
	}
	for _, l := range sum.left {
		add(l.entry, catalog.MergedInput{Weight: l.weight, LeftOut: l.reason})
	}
	m.request.Merged = made
	if m.request.Name == "" {
		m.request.Name = mergedName(sum.entries[0].Name, len(made.Inputs))
	}
}

// contributionOf is what the catalog keeps of a contribution; nil for one of a file
// without bytes.
func contributionOf(c *tasks.Contribution) *catalog.Contribution {
	if c.Count == "" {
		return nil
	}
	kept := catalog.Contribution(*c)
	return &kept
}

// putSum stores the sum as if it were uploaded, while it is being written.
func (s *server) putSum(ctx context.Context, m *merge, sum *summed) (ingest.Accepted, error) {
	batch, err := s.Ingest.Begin()
	if err != nil {
		return ingest.Accepted{}, err
	}
	defer batch.Discard() // nothing is left to discard after Commit
	r, w := io.Pipe()
	var head tasks.Head
	done := make(chan struct{})
	go func() {
		err := recovery.Do(func() error {
			return s.Originals.Merge(ctx, tasks.Merge{TakePartial: m.allowPartial, LeaveOut: m.leaveOut}, sum.entries,
				sum.weights, func(h tasks.Head) (io.Writer, error) {
					head = h
					return w, nil
				})
		})
		w.CloseWithError(err) // nil is the end of the file
		close(done)
	}()
	err = batch.Add(ctx, "merged.profdata", r)
	r.CloseWithError(context.Canceled) // whoever still writes stops
	if <-done; err != nil {
		return ingest.Accepted{}, mergeProblem(err)
	}
	if err := s.addPrograms(ctx, batch, sum.entries, head.Programs); err != nil {
		return ingest.Accepted{}, err
	}
	s.record(m, sum, head)
	accepted, err := batch.Commit(context.WithoutCancel(ctx), m.request)
	if err != nil {
		return ingest.Accepted{}, err
	}
	return accepted[0], nil
}

// addPrograms adds files of the profiles, each content once.
func (s *server) addPrograms(ctx context.Context, batch site.Batch, entries []*catalog.Entry,
	list []tasks.Program) error {
	have := map[string]bool{}
	for _, p := range list {
		f := &entries[p.Input].Files[p.File]
		if have[f.SHA256] {
			continue
		}
		have[f.SHA256] = true
		original, err := s.Store.OpenObject(ctx, f.SHA256)
		if err != nil {
			return err
		}
		err = batch.Add(ctx, f.Name, original)
		original.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// mergedName is what a sum is called that was given no name.
func mergedName(first string, profiles int) string {
	name := fmt.Sprintf("%.120s", first)
	if n := profiles - 1; n > 0 {
		name += fmt.Sprintf(" + %d more", n)
	}
	return name
}
