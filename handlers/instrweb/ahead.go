package instrweb

import (
	"cmp"
	"context"
	"net/http"

	"proflens/catalog"
	"proflens/internal/recovery"
	"proflens/profile/budget"
	"proflens/profile/instrdb"
)

// prefetch makes ready on the side what a search wants when somebody looks at a table of
// functions: who looks is likely to search. It does so for one profile at a time, and for
// none as long as another's takes.
func (s *handler) prefetch(r *http.Request) {
	if s.Profile(r).Storing() {
		return
	}
	select {
	case s.ahead <- struct{}{}:
	default:
		return
	}
	entry := s.Entry(r)
	ctx, account := budget.Process.OpenBackground(context.WithoutCancel(r.Context()))
	ctx, end := context.WithCancel(ctx)
	stop := context.AfterFunc(cmp.Or[context.Context](s.Stopping, context.Background()), end)
	work, _ := recovery.WithContext(ctx)
	work.Go(func() error {
		defer func() { <-s.ahead }()
		defer account.Close()
		defer end()
		defer stop()
		if err := recovery.Do(func() error { return s.prefetchOf(ctx, entry) }); err != nil && ctx.Err() == nil {
			s.Log.Warn("foreseeing a search", "err", err) // whose profile is a secret
		}
		return nil
	})
}

// prefetchOf opens the profile for itself: the request's is closed when that ends.
func (s *handler) prefetchOf(ctx context.Context, entry *catalog.Entry) error {
	p, err := s.Store.Open(ctx, entry)
	if err != nil {
		return err
	}
	defer p.Close()
	records, err := instrdb.Of(p)
	if err != nil {
		return err
	}
	return records.Prefetch(ctx)
}
