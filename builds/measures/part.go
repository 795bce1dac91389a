package measures

import (
	"context"

	"proflens/profile/stored"
)

// of measures a family's part of one profile.
func of[P any](open func(*stored.Profile) (P, error),
	measure func(context.Context, P) (Set, error)) func(context.Context, *stored.Profile) (Set, error) {
	return func(ctx context.Context, p *stored.Profile) (Set, error) {
		one, err := open(p)
		if err != nil {
			return nil, err
		}
		return measure(ctx, one)
	}
}

// between measures a family's parts of two profiles.
func between[P any](open func(*stored.Profile) (P, error),
	measure func(ctx context.Context, base, test P) (Set, error),
) func(ctx context.Context, base, test *stored.Profile) (Set, error) {
	return func(ctx context.Context, base, test *stored.Profile) (Set, error) {
		b, err := open(base)
		if err != nil {
			return nil, err
		}
		t, err := open(test)
		if err != nil {
			return nil, err
		}
		return measure(ctx, b, t)
	}
}
