package work

import (
	"bufio"
	"context"
	"slices"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/exports"
)

// Merge adds profiles up and writes the sum in the form that its suite keeps sums in, as a
// stream.
type Merge struct {
	Inputs      []MergeInput
	TakePartial bool // let profiles in of which only the beginning was decoded
}

// MergeInput is one profile of a merge.
type MergeInput struct {
	Name   string
	Files  []File
	Weight uint64 // counts are multiplied by it
}

func (t *Merge) do(ctx context.Context, out Out) (any, error) {
	var inputs []format.Weighted
	head := Head{Partial: make([][]model.Partial, len(t.Inputs))}
	var opened [][]format.File
	for i, in := range t.Inputs {
		files, closer, err := open(in.Files)
		if err != nil {
			return nil, err
		}
		defer closer.Close()
		p, err := decode.Open(ctx, files, format.Options{Salvage: salvaged(in.Files)})
		if err != nil {
			return nil, err
		}
		opened = append(opened, files)
		inputs = append(inputs, format.Weighted{Name: in.Name, Profile: p, Weight: in.Weight})
		head.Partial[i] = p.Info.Partial
	}
	sum, err := decode.Merge(ctx, inputs, format.MergeOptions{TakePartial: t.TakePartial})
	if err != nil {
		return nil, err
	}
	lost := leaveAddressesOut(sum)
	e, err := exports.Find(sum.Suite.Sum)
	if err != nil {
		return nil, err
	}
	plan, err := e.Plan(sum, exports.Options{"keep-vtable-symbols": "true"})
	if err != nil {
		return nil, err
	}
	head.Programs = programs(inputs, opened, sum)
	head.Findings = slices.Concat(sum.Findings(), lost, plan.Findings)
	b := bufio.NewWriterSize(&lateWriter{begin: out.Begin, head: head}, streamBuffer)
	if _, err := plan.Write(b); err != nil {
		return nil, err
	}
	return nil, b.Flush()
}

// programs are those beside profiles that have a part which the sum lacks: an indexed
// file has counters, and the program what they are of.
func programs(inputs []format.Weighted, opened [][]format.File, sum *format.Profile) []Program {
	var list []Program
	for i, in := range inputs {
		if !slices.ContainsFunc(in.Profile.Families(), func(f model.Family) bool { return !slices.Contains(sum.Families(), f) }) {
			continue
		}
		for at, f := range opened[i] {
			if decode.Recognise(f.Name, f.Data).Companion != nil {
				list = append(list, Program{i, at})
			}
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
