package instrweb

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"proflens/panics"
	"proflens/profiledb/instrdb"
)

// foresee makes ready on the side what a search wants when somebody looks at a table of
// functions: who looks is likely to search. It does so for one profile at a time, and for
// none as long as another's takes.
func (s *room) foresee(r *http.Request) {
	if s.Profile(r).Storing() {
		return
	}
	select {
	case s.ahead <- struct{}{}:
	default:
		return
	}
	entry := s.Entry(r)
	ctx, end := context.WithCancel(context.WithoutCancel(r.Context()))
	stop := context.AfterFunc(cmp.Or[context.Context](s.Stopping, context.Background()), end)
	work, ctx := panics.WithContext(ctx)
	work.Go(func() error {
		defer func() { <-s.ahead }()
		defer end()
		defer stop()
		p, err := s.Store.Open(ctx, entry) // the request's is closed when it ends
		if err != nil {
			return err
		}
		defer p.Close()
		records, err := instrdb.Of(p)
		if err != nil {
			return err
		}
		return records.Foresee(ctx)
	})
	go func() {
		if err := work.Wait(); err != nil && !errors.Is(err, context.Canceled) {
			s.Log.Warn("foreseeing a search", "profile", entry.ID, "err", err)
		}
	}()
}
