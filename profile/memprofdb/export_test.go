package memprofdb

import (
	"context"

	"proflens/profile/stored"
)

// Again opens a profile again and hands it on with its tables in the cache,
// those that are there or read anew, and nothing else.
func Again(ctx context.Context, p *Profile, known bool, use func(*Profile) error) error {
	opened, err := stored.OpenAt(p.Content(), p.Content().Size(), func() error { return nil }, stored.NewCache(256<<20))
	if err != nil {
		return err
	}
	defer opened.Close()
	again, err := Of(opened)
	if err != nil {
		return err
	}
	if known {
		x, err := p.index(ctx)
		if err != nil {
			return err
		}
		stored.Keep(opened, "memprof", x, x.bytes())
	} else if _, err := again.index(ctx); err != nil {
		return err
	}
	return use(again)
}
