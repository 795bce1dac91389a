package tasks

import (
	"bufio"
	"context"
	"errors"
	"slices"
	"strconv"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/profile/exports"
)

// Merge adds profiles up and writes the sum in the form that its suite keeps sums in, as a
// stream.
type Merge struct {
	Inputs      []MergeInput
	TakePartial bool // let profiles in of which only the beginning was decoded
	LeaveOut    bool // leave out what cannot be read or merged, instead of failing
}

// MergeInput is one profile of a merge.
type MergeInput struct {
	Name   string
	Files  []File
	Weight uint64 // counts are multiplied by it
}

// do merges counters a few profiles at a time; what else profiles can have is merged in
// memory.
func (t *Merge) do(ctx context.Context, out Out) (any, error) {
	head := Head{Partial: make([][]model.Partial, len(t.Inputs))}
	sum, err := t.mergeFleet(ctx, &head)
	if errors.Is(err, llvm.ErrNotCounters) {
		return nil, t.mergeAll(ctx, out)
	}
	if err != nil {
		return nil, err
	}
	return nil, writeSum(sum, head, out)
}

// mergeAll decodes all profiles, then adds them up.
func (t *Merge) mergeAll(ctx context.Context, out Out) error {
	var inputs []format.Weighted
	head := Head{Partial: make([][]model.Partial, len(t.Inputs))}
	var opened [][]format.File
	var at []int // of each, in t.Inputs
	for i, in := range t.Inputs {
		files, closer, err := open(in.Files)
		if err != nil {
			return err
		}
		defer closer.Close()
		p, err := decode.Open(ctx, files, format.Options{Salvage: salvaged(in.Files)})
		if _, fault := model.FaultIn(err); t.LeaveOut && fault {
			head.leaveOut(i, t, err)
			head.Findings = append(head.Findings, format.LeftOutFor(in.Name, err))
			continue
		}
		if err != nil {
			return err
		}
		opened, at = append(opened, files), append(at, i)
		inputs = append(inputs, format.Weighted{Name: in.Name, Profile: p, Weight: in.Weight})
		head.Partial[i] = p.Info.Partial
	}
	if len(inputs) == 0 {
		return head.first
	}
	sum, err := decode.Merge(ctx, inputs, format.MergeOptions{TakePartial: t.TakePartial})
	if err != nil {
		return err
	}
	for i, in := range inputs {
		head.Programs = append(head.Programs, programsOf(at[i], in.Profile, opened[i], sum.Families())...)
	}
	return writeSum(sum, head, out)
}

// writeSum writes a sum in the form that its suite keeps sums in.
func writeSum(sum *format.Profile, head Head, out Out) error {
	lost := leaveAddressesOut(sum)
	e, err := exports.Find(sum.Suite.Sum)
	if err != nil {
		return err
	}
	plan, err := e.Plan(sum, exports.Options{"keep-vtable-symbols": strconv.FormatBool(sum.Info.Has(instrprof.Family))})
	if err != nil {
		return err
	}
	head.Findings = slices.Concat(head.Findings, sum.Findings(), lost, plan.Findings)
	b := bufio.NewWriterSize(&lateWriter{begin: out.Begin, head: head}, streamBuffer)
	if _, err := plan.Write(b); err != nil {
		return err
	}
	return b.Flush()
}

// programsOf are those beside a profile that has a part which the sum lacks: an indexed
// file has counters, and the program what they are of.
func programsOf(input int, p *format.Profile, files []format.File, sum []model.Family) []Program {
	if !slices.ContainsFunc(p.Families(), func(f model.Family) bool { return !slices.Contains(sum, f) }) {
		return nil
	}
	var list []Program
	for at, f := range files {
		if decode.Recognise(f.Name, f.Data).Companion != nil {
			list = append(list, Program{input, at})
		}
	}
	return list
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
