package sampledb

import (
	"context"
	"time"

	"proflens/names"
)

// suggestBatch is how many names are looked at between two looks at the clock.
const suggestBatch = 256

// Suggest finds the functions whose names have all words of a text, at most limit, those
// with the most samples first; then names that are only inlined. It stops when it has
// enough, when the budget is spent or the context ends; whole is unset where it did not see
// every name. The error is that of names.NewMatcher, the context's, or about the file.
func (p *Profile) Suggest(ctx context.Context, text string, limit int,
	budget time.Duration) (list []*Name, whole bool, err error) {
	match, err := names.NewMatcher(text, "")
	if err != nil || limit <= 0 {
		return nil, false, err
	}
	x, err := p.index(ctx)
	if err != nil {
		return nil, false, err
	}
	entered := x.order
	own, err := p.byOwn(ctx, x)
	if err != nil {
		return nil, false, err
	}
	end := time.Now().Add(budget)
	for n := range len(entered) + len(own) {
		if n%suggestBatch == suggestBatch-1 {
			if err := ctx.Err(); err != nil {
				return nil, false, err
			}
			if time.Now().After(end) {
				return list, false, nil
			}
		}
		var name *Name
		if n < len(entered) {
			name = entered[n]
		} else if name = own[n-len(entered)]; name.Entries > 0 {
			continue
		}
		if len(name.Linkage) > 0 && match.Match(name.Linkage) {
			if list = append(list, name); len(list) == limit {
				break
			}
		}
	}
	return list, true, nil
}
