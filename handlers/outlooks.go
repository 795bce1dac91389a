package handlers

import (
	"context"
	"slices"
	"sync"

	"proflens/catalog"
	"proflens/encode"
)

// outlooksKept is how many outlooks are kept between requests, of a few
// kilobytes each.
const outlooksKept = 64

// outlooks are what would become of the profiles looked at last as indexed
// files: choosing another version would decode the originals again. The zero
// value is ready for use.
type outlooks struct {
	mu   sync.Mutex
	kept []keptOutlook // the latest last
}

// outlookKey is what an outlook depends on.
type outlookKey struct {
	digest  string // over all files
	decoder int
	vtables bool
}

type keptOutlook struct {
	outlookKey
	*encode.Outlook
}

func (o *outlooks) get(key outlookKey) *encode.Outlook {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, k := range o.kept {
		if k.outlookKey == key {
			return k.Outlook
		}
	}
	return nil
}

func (o *outlooks) keep(key outlookKey, outlook *encode.Outlook) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.kept) == outlooksKept {
		o.kept = slices.Delete(o.kept, 0, 1)
	}
	o.kept = append(o.kept, keptOutlook{key, outlook})
}

// outlook is what would become of a ready profile in each indexed version. The
// originals are decoded for it unless it is kept from before.
func (s *server) outlook(ctx context.Context, e *catalog.Entry, keepVTableNames bool) (*encode.Outlook, error) {
	key := outlookKey{e.Digest, e.Decoder, keepVTableNames}
	if o := s.outlooks.get(key); o != nil {
		return o, nil
	}
	if err := s.decoding(ctx); err != nil {
		return nil, err
	}
	defer s.decoded()
	o, err := s.Originals.Outlook(ctx, e.Files, keepVTableNames)
	if err == nil {
		s.outlooks.keep(key, o)
	}
	return o, err
}
