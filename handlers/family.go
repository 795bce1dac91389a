package handlers

import (
	"errors"
	"net/http"
	"slices"

	"proflens/decode/dcpi"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/mip"
	"proflens/decode/model"
)

// families is who answers at an address that profiles of several families have,
// each in its own way. The route table lists them.
type families map[model.Family]handler

// familyOrder is which family of a file that holds several answers.
var familyOrder = []model.Family{instrprof.Family, mip.Family, dcpi.Family, memprof.Family}

// errNotInFamily is the answer where a profile's family has nothing to show.
var errNotInFamily = errors.New("profiles of this kind do not have this")

// byFamily lets the opened profile's family answer. Instrumentation answers for
// those that are not listed: it says what there is not.
func (s *server) byFamily(ways families) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		o, err := s.profile(r).Overview(r.Context())
		if err != nil {
			return err
		}
		for _, family := range familyOrder {
			if answer := ways[family]; answer != nil && slices.Contains(o.Info.Families, family) {
				return answer(w, r)
			}
		}
		if answer := ways[instrprof.Family]; answer != nil {
			return answer(w, r)
		}
		return errNotInFamily
	}
}
