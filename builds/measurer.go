package builds

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"time"

	"proflens/builds/measures"
	"proflens/catalog"
	"proflens/catalog/projects"
	"proflens/profile/budget"
	"proflens/profile/stored"
)

// Store is what a Keeper needs of the catalog.
type Store interface {
	Entry(ctx context.Context, id string) (*catalog.Entry, error)
	Open(ctx context.Context, e *catalog.Entry) (*stored.Profile, error)
	Projects() *projects.Store
}

// Measurer measures the profiles of projects, and each against that of the build before, so
// that trends need not. Run does the work, one after another.
type Measurer struct {
	store Store
	log   *slog.Logger

	mu     sync.Mutex
	wanted []pairing
	asked  map[projects.Pair]bool // that wait, or that could not be measured
	wake   chan struct{}
}

type pairing struct{ profile, base *projects.Profile }

func (p pairing) key() projects.Pair {
	if p.base == nil {
		return projects.Pair{Profile: p.profile.ID}
	}
	return projects.Pair{Profile: p.profile.ID, Base: p.base.ID}
}

// NewMeasurer makes one that has nothing to do yet.
func NewMeasurer(store Store, log *slog.Logger) *Measurer {
	return &Measurer{store: store, log: log, asked: map[projects.Pair]bool{}, wake: make(chan struct{}, 1)}
}

// Figures are what is known of a series. What is not is measured soon.
func (k *Measurer) Figures(ctx context.Context, series []*Build) (Figures, error) {
	var profiles []projects.Profile
	for _, b := range series {
		for _, p := range b.Profiles {
			profiles = append(profiles, *p)
		}
	}
	found, err := k.store.Projects().Measured(ctx, profiles, measures.Version)
	if err != nil {
		return nil, err
	}
	figures, err := FiguresOf(found)
	if err != nil {
		return nil, err
	}
	k.want(series, figures)
	return figures, nil
}

// want has what is missing measured, the newest builds first.
func (k *Measurer) want(series []*Build, figures Figures) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, pair := range Pairs(series) {
		p := pairing{pair[0], pair[1]}
		if _, known := figures[p.key()]; !known && !k.asked[p.key()] && len(k.asked) < maxWanted {
			k.asked[p.key()] = true
			k.wanted = append(k.wanted, p)
		}
	}
	select {
	case k.wake <- struct{}{}:
	default:
	}
}

// maxWanted bounds what waits; views ask for the rest again.
const maxWanted = 100_000

// How often new profiles are looked for, and how many at once.
const (
	lookEvery = 5 * time.Second
	lookAt    = 100
)

// Run measures until the context ends.
func (k *Measurer) Run(ctx context.Context) error {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		for {
			p, ok := k.next()
			if !ok || ctx.Err() != nil {
				break
			}
			if err := k.measure(ctx, p); err != nil && ctx.Err() == nil {
				k.log.Warn("measuring for trends", "profile", p.key().Profile, "base", p.key().Base, "error", err)
				continue // and not again before the next start
			}
			k.done(p)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-k.wake:
		case <-tick.C:
			if err := k.look(ctx); err != nil && ctx.Err() == nil && !catalog.IsAway(err) {
				k.log.Warn("looking for what to measure", "error", err)
			}
		}
	}
}

func (k *Measurer) next() (pairing, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.wanted) == 0 {
		return pairing{}, false
	}
	p := k.wanted[len(k.wanted)-1]
	k.wanted = k.wanted[:len(k.wanted)-1]
	return p, true
}

func (k *Measurer) done(p pairing) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.asked, p.key())
}

// look finds profiles that nothing was measured of, and wants their series' figures.
func (k *Measurer) look(ctx context.Context) error {
	fresh, err := k.store.Projects().Unmeasured(ctx, measures.Version, lookAt, measures.Labels...)
	if err != nil {
		return err
	}
	type series struct{ project, branch, workload string }
	seen := map[series]bool{}
	for i, p := range fresh {
		if p.Project == "" {
			if _, err := k.Figures(ctx, Of(fresh[i:i+1])); err != nil {
				return err
			}
			continue
		}
		s := series{p.Project, p.Labels[projects.Branch], p.Labels[projects.Workload]}
		if seen[s] {
			continue
		}
		seen[s] = true
		q := projects.Query{Project: s.project, Labels: map[string]string{}, Limit: lookBack}
		if s.branch != "" {
			q.Labels[projects.Branch] = s.branch
		}
		list, err := k.store.Projects().Profiles(ctx, q)
		if err == nil {
			_, err = k.Figures(ctx, Series(Of(list), s.branch, s.workload))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// lookBack is how many of the newest profiles of a branch are looked at when one is new.
const lookBack = 2000

// measure measures within the budget of requests: a profile that does not fit has no
// figures.
func (k *Measurer) measure(ctx context.Context, p pairing) error {
	ctx, account := budget.Process.OpenBackground(ctx)
	defer account.Close()
	test, err := k.open(ctx, p.profile)
	if err != nil {
		return err
	}
	defer test.Close()
	var set measures.Set
	if p.base == nil {
		set, err = measures.Of(ctx, test)
	} else {
		var base *stored.Profile
		if base, err = k.open(ctx, p.base); err != nil {
			return err
		}
		defer base.Close()
		set, err = measures.Between(ctx, base, test)
	}
	if err != nil {
		return err
	}
	figures, err := json.Marshal(set)
	if err != nil {
		return err
	}
	record := projects.Record{Base: p.base, Version: measures.Version, Figures: figures}
	if p.base == nil {
		if record.HeadPart, record.HeadWhole, err = measures.Head(ctx, test); err != nil {
			return err
		}
	}
	return k.store.Projects().Record(ctx, p.profile, &record)
}

func (k *Measurer) open(ctx context.Context, p *projects.Profile) (*stored.Profile, error) {
	e, err := k.store.Entry(ctx, p.ID)
	if err != nil {
		return nil, err
	}
	return k.store.Open(ctx, e)
}
