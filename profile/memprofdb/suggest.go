package memprofdb

import (
	"cmp"
	"context"
	"slices"
	"time"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/names"
	"proflens/profile/stored"
)

// Through is a function, and the bytes of the contexts with a frame of it.
type Through struct {
	*Function
	Bytes analyze.Sum
	Share float64 // of all bytes
}

// suggestBatch is how many names are looked at between two looks at the clock.
const suggestBatch = 256

// Suggest finds the functions whose names have all words of a text, at most limit,
// those with the most bytes first. It stops when it has enough, when the budget is
// spent or the context ends; whole is unset where it did not see every name. The error
// is that of names.NewMatcher, the context's, or about the file.
func (p *Profile) Suggest(ctx context.Context, text string, limit int,
	budget time.Duration) (list []Through, whole bool, err error) {
	match, err := names.NewMatcher(text, "")
	if err != nil || limit <= 0 {
		return nil, false, err
	}
	all, err := p.through(ctx)
	if err != nil {
		return nil, false, err
	}
	end := time.Now().Add(budget)
	for i := range all {
		if i%suggestBatch == suggestBatch-1 {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			if time.Now().After(end) {
				return list, false, nil
			}
		}
		if all[i].Name == "" || !match.Match([]byte(all[i].Name)) {
			continue
		}
		if list = append(list, all[i]); len(list) == limit {
			break
		}
	}
	return list, true, nil
}

// through is every function with what goes through it, the most bytes first.
func (p *Profile) through(ctx context.Context) ([]Through, error) {
	return stored.Cached(ctx, p.Profile, "memprof through", func() ([]Through, int64, error) {
		x, err := p.index(ctx)
		if err != nil {
			return nil, 0, err
		}
		list := make([]Through, len(x.functions))
		for i := range list {
			list[i].Function = &x.functions[i]
		}
		seen := make([]uint32, len(list)) // the context that counted last, from 1
		var whole analyze.Sum
		for i := range uint32(len(x.contexts.stack)) {
			if i%stored.CheckEvery == 0 && ctx.Err() != nil {
				return nil, 0, ctx.Err()
			}
			bytes := x.contexts.get(i, memprof.TotalSize)
			whole.Add(bytes)
			for node := x.contexts.stack[i]; node >= 0; node = x.caller[node] {
				if f := x.function[x.frame[node]]; seen[f] != i+1 {
					seen[f] = i + 1
					list[f].Bytes.Add(bytes)
				}
			}
		}
		if !whole.IsZero() {
			for i := range list {
				list[i].Share = list[i].Bytes.Float64() / whole.Float64()
			}
		}
		slices.SortStableFunc(list, func(a, b Through) int {
			return cmp.Or(b.Bytes.Compare(a.Bytes), a.Function.compare(b.Function))
		})
		return list, int64(len(list)) * 32, nil
	})
}
