package encode

import (
	"context"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
)

// mergedOf returns src itself when it is merged, also inside something that
// unwraps to it, and else merges it, in memory.
func mergedOf(src instrprof.Source) (*sums.Merged, error) {
	for {
		if merged, ok := src.(*sums.Merged); ok {
			return merged, nil
		}
		outer, ok := src.(interface{ Unwrap() instrprof.Source })
		if !ok {
			break
		}
		src = outer.Unwrap()
	}
	m := sums.NewMerger()
	if err := m.Add(context.Background(), "", src, 1); err != nil {
		return nil, err
	}
	return m.Source(), nil
}
