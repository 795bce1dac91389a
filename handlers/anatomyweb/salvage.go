package anatomyweb

import (
	"context"
	"slices"

	"proflens/catalog"
	"proflens/handlers/site"
	"proflens/internal/humanize"
	"proflens/views/page"
)

// filesOffered are looked at for what can be salvaged.
const filesOffered = 20

// SalvageOffer is the button for a failed profile of which something can be
// salvaged; nil for others.
func (s *Handler) SalvageOffer(ctx context.Context, e *catalog.Entry) (*page.Salvage, error) {
	salvaged := slices.ContainsFunc(e.Files, func(f catalog.FileEntry) bool { return f.Salvage })
	if e.State != catalog.Failed || e.Pending || salvaged {
		return nil, nil
	}
	for _, f := range e.Files[:min(len(e.Files), filesOffered)] {
		a, err := s.Of(ctx, f)
		if err != nil {
			return nil, err
		}
		if a.Salvage == nil {
			continue
		}
		offer := &page.Salvage{
			ID: e.ID, Action: site.PageOf(e.ID) + "/salvage", Text: site.PartialCount(a.Salvage) + " can be read",
		}
		if len(e.Files) > 1 {
			offer.Text = humanize.Printable(f.Name) + ": " + offer.Text
		}
		offer.Text = site.Sentence(offer.Text)
		return offer, nil
	}
	return nil, nil
}
