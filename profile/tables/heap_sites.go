package tables

import (
	"context"

	"proflens/analyze"
	"proflens/profile/memprofdb"
	"proflens/profile/table"
)

// openSites is sites added up in a way.
func openSites(by memprofdb.SiteBy) opener[*memprofdb.Profile] {
	return declared(memprofdb.Sites, func(p *memprofdb.Profile, ctx context.Context) (table.Find, error) {
		return p.FindSites(ctx, memprofdb.Filter{}, by)
	})
}

// openBlame is sites by blame, by the default list of what is a library's.
func openBlame(ctx context.Context, p *memprofdb.Profile, o table.Options) (table.Table, error) {
	library, err := analyze.ParseLibrary("")
	if err != nil {
		return nil, err
	}
	return declared(memprofdb.BlameSites, func(p *memprofdb.Profile, ctx context.Context) (table.Find, error) {
		return p.FindBlame(ctx, memprofdb.Filter{Library: library}, memprofdb.SitesByBlame)
	})(ctx, p, o)
}
