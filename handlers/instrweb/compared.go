package instrweb

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"proflens/catalog"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/profiledb/instrdb"
	"proflens/say"
)

// compared is two profiles of a request, as the catalog knows them.
type compared struct{ base, test *catalog.Entry }

// comparedEntries finds both and makes sure that they can be compared.
func (s *room) comparedEntries(r *http.Request, base, test string) (compared, error) {
	b, err := s.comparedEntry(r, base)
	if err != nil {
		return compared{}, err
	}
	t, err := s.comparedEntry(r, test)
	return compared{b, t}, err
}

// askedPair finds the two profiles that a call of the API names.
func (s *room) askedPair(r *http.Request) (compared, error) {
	q := r.URL.Query()
	var ids [2]string
	for i, key := range []string{"base", "test"} {
		if ids[i] = q.Get(key); ids[i] == "" || len(q[key]) > 1 {
			return compared{}, &site.ParamError{Param: key, Msg: "give the id of one profile"}
		}
	}
	return s.comparedEntries(r, ids[0], ids[1])
}

func (s *room) comparedEntry(r *http.Request, id string) (*catalog.Entry, error) {
	e, err := s.Store.Entry(r.Context(), id)
	if err != nil {
		return nil, err
	}
	if e.State != catalog.Ready {
		return nil, s.Unready(e)
	}
	if !s.CanCompare(e) {
		return nil, &site.Problem{Status: http.StatusUnprocessableEntity, Kind: string(model.KindIncompatible), Title: "Cannot be compared", ID: e.ID,
			Detail: fmt.Sprintf("%s has no function records with counters: it is %s", say.Printable(e.Name), e.Describe)}
	}
	return e, nil
}

// compare opens the comparison; release closes both profiles.
func (s *room) compare(ctx context.Context, both compared) (c *instrdb.Comparison, release func(), err error) {
	var records [2]*instrdb.Profile
	var closers []io.Closer
	release = func() {
		for _, c := range closers {
			c.Close()
		}
	}
	for i, e := range []*catalog.Entry{both.base, both.test} {
		p, err := s.Store.Open(ctx, e)
		if err == nil {
			closers = append(closers, p)
			records[i], err = instrdb.Of(p)
		}
		if err != nil {
			release()
			return nil, nil, err
		}
	}
	if c, err = instrdb.Compare(ctx, records[0], records[1]); err != nil {
		release()
		return nil, nil, err
	}
	return c, release, nil
}

// overlapKinds are the words of llvm-profdata overlap for kinds of value sites.
var overlapKinds = [instrprof.NumValueKinds]string{"IndirectCall", "MemOP", "VTable"}

// overlapText is the program level of what llvm-profdata overlap prints; nothing
// where one profile has no counts, as that does.
func overlapText(base, test string, o *instrdb.Overlap) string {
	if !o.Comparable() {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Profile overlap information for base_profile: %s and test_profile: %s\nProgram level:\n", base, test)
	fmt.Fprintf(&b, "  # of functions overlap: %d\n", o.Overlap.Overlap.Entries)
	if n := o.Mismatch.Entries; n > 0 {
		fmt.Fprintf(&b, "  # of functions mismatch: %d\n", n)
	}
	if n := o.Unique.Entries; n > 0 {
		fmt.Fprintf(&b, "  # of functions only in test_profile: %d\n", n)
	}
	part := func(kind string, overlap, mismatch, unique, base, test float64) {
		fmt.Fprintf(&b, "  %s profile overlap: %.3f%%\n", kind, overlap*100)
		if o.Mismatch.Entries > 0 {
			fmt.Fprintf(&b, "  Mismatched count percentage (%s): %.3f%%\n", kind, mismatch*100)
		}
		if o.Unique.Entries > 0 {
			fmt.Fprintf(&b, "  Percentage of %s profile only in test_profile: %.3f%%\n", kind, unique*100)
		}
		fmt.Fprintf(&b, "  %s profile base count sum: %.0f\n  %s profile test count sum: %.0f\n", kind, base, kind, test)
	}
	part("Edge", o.Overlap.Overlap.Edge, o.Mismatch.Edge, o.Unique.Edge, o.Base.Edge, o.Test.Edge)
	for kind, word := range overlapKinds {
		if o.Base.Values[kind] < 1 && o.Test.Values[kind] < 1 {
			continue
		}
		part(word, o.Overlap.Overlap.Values[kind], o.Mismatch.Values[kind], o.Unique.Values[kind], o.Base.Values[kind], o.Test.Values[kind])
	}
	return b.String()
}
