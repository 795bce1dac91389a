package stored

import (
	"runtime"

	"proflens/internal/recovery"
)

// partRows is how many rows are worth a goroutine.
const partRows = 10_000

// RowsInParts is Rows on every core: part gives what makes the rows from one on, once for
// each of several goroutines.
func (w *Writer) RowsInParts(name string, n int, part func(from int) func(r *Record, i int)) error {
	first, err := w.w.Table(name)
	if err != nil {
		return err
	}
	g, _ := recovery.WithContext(w.ctx)
	workers := min(runtime.GOMAXPROCS(0), n/partRows+1)
	last := first
	for k := range workers {
		if k > 0 {
			last = last.Behind()
		}
		t, from, to := last, k*n/workers, (k+1)*n/workers
		g.Go(func() error {
			row := part(from)
			return w.fill(name, t, func(r *Record, add func(int64)) {
				for i := from; i < to; i++ {
					row(r, i)
					add(int64(i) + 1)
				}
			})
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return first.Close()
}
