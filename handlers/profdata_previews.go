package handlers

import (
	"context"
	"slices"
	"sync"

	"proflens/catalog"
	"proflens/encode"
)

// previewsKept is how many outlooks are kept between requests, of a few
// kilobytes each.
const previewsKept = 64

// profdataPreviews are what would become of the profiles looked at last as indexed
// files: choosing another version would decode the originals again. The zero
// value is ready for use.
type profdataPreviews struct {
	mu   sync.Mutex
	kept []keptPreview // the latest last
}

// previewKey is what a preview depends on.
type previewKey struct {
	digest  string // over all files
	decoder int
	vtables bool
}

type keptPreview struct {
	previewKey
	*encode.ProfdataPreview
}

func (o *profdataPreviews) get(key previewKey) *encode.ProfdataPreview {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, k := range o.kept {
		if k.previewKey == key {
			return k.ProfdataPreview
		}
	}
	return nil
}

func (o *profdataPreviews) keep(key previewKey, profdataPreview *encode.ProfdataPreview) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.kept) == previewsKept {
		o.kept = slices.Delete(o.kept, 0, 1)
	}
	o.kept = append(o.kept, keptPreview{key, profdataPreview})
}

// profdataPreview is what would become of a ready profile in each indexed version. The
// originals are decoded for it unless it is kept from before.
func (s *server) profdataPreview(ctx context.Context, e *catalog.Entry,
	keepVTableNames bool) (*encode.ProfdataPreview, error) {
	key := previewKey{e.Digest, e.Decoder, keepVTableNames}
	if o := s.profdataPreviews.get(key); o != nil {
		return o, nil
	}
	if err := s.decoding(ctx); err != nil {
		return nil, err
	}
	defer s.decoded()
	o, err := s.Originals.ProfdataPreview(ctx, e.Files, keepVTableNames)
	if err == nil {
		s.profdataPreviews.keep(key, o)
	}
	return o, err
}
