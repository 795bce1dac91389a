package collected

import (
	"context"
	"runtime"
	"sync/atomic"

	"proflens/decode/instrprof"
	"proflens/internal/recovery"
)

// partRecords is how many records are worth a goroutine.
const partRecords = 2_000

// mostPromised is for how many records room is made before they are read.
const mostPromised = 1 << 20

// partsOf are the records of a source, one part behind the other: as many as there are
// cores to read them, where it lets itself be parted.
func partsOf(src instrprof.Source) []instrprof.Functions {
	if d, ok := src.(instrprof.Drainer); ok {
		return []instrprof.Functions{d.Drain()}
	}
	parts := min(uint64(runtime.GOMAXPROCS(0)), src.Info().Records/partRecords)
	if p, ok := src.(instrprof.Parted); ok && parts > 1 {
		return p.Parts(int(parts))
	}
	return []instrprof.Functions{src.Functions()}
}

// collectParts reads parts, each by a goroutine into what is empty yet, and puts together what they
// have. An error is that of the first part that has one.
func collectParts(ctx context.Context, parts []instrprof.Functions, empty Collection,
	progress func(done, total uint64)) (*Collection, error) {
	collected := make([]Collection, len(parts))
	info := empty.Info
	promised := int(min(info.Records, mostPromised))
	if empty.figures {
		promised = 0 // since they need no Quality
	}
	errs := make([]error, len(parts))
	var done atomic.Int64
	g, _ := recovery.WithContext(ctx)
	for i := range parts {
		c := &collected[i]
		*c = empty
		c.Sums, c.arena = newSums(info), arena{first: i, step: len(parts)}
		if i == 0 { // it takes the others' in the end
			c.Sums.Quality.Grow(promised)
		} else {
			c.Sums.Quality.Grow(promised / len(parts))
		}
		g.Go(func() error {
			errs[i] = c.read(ctx, parts[i], func(more int) {
				if n := uint64(done.Add(int64(more))); i == 0 { // one tells how far all are
					progress(n, max(info.Records, n))
				}
			})
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return together(collected), nil
}

// together puts parts of a Collection together.
func together(parts []Collection) *Collection {
	arenas := []arena{parts[0].arena}
	all := &parts[0]
	for i := range parts[1:] {
		part := &parts[i+1]
		arenas = append(arenas, part.arena)
		all.Sums.addAll(&part.Sums, all.records.n)
		all.records.addAll(&part.records)
	}
	all.arena = join(arenas)
	return all
}
