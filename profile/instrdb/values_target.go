package instrdb

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"proflens/decode/instrprof"
	"proflens/names"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// sitesWith are the value sites of a kind that saw a value whose name has the words
// of a text, by their number in the table. A value without a name has its number:
// sizes in decimal, the others in hexadecimal.
func (p *Profile) sitesWith(ctx context.Context, kind instrprof.ValueKind, text string) (map[uint32]bool, error) {
	return stored.Cached(ctx, p.Profile, fmt.Sprintf("value sites with %d %q", kind, text),
		func() (map[uint32]bool, int64, error) {
			terms, err := names.NewTerms(text, "")
			if err != nil {
				return nil, 0, err
			}
			matches := map[uint64]bool{} // by value
			if err := p.eachValue(ctx, kind, func(_ uint32, value uint64) { matches[value] = false }); err != nil {
				return nil, 0, err
			}
			known := map[uint64]NameInfo{}
			if kind != instrprof.MemOPSize {
				if known, err = p.NamesOf(ctx, slices.Sorted(maps.Keys(matches))); err != nil {
					return nil, 0, err
				}
			}
			for value := range matches {
				if err := ctx.Err(); err != nil {
					return nil, 0, err
				}
				name := known[value].Name
				switch {
				case kind == instrprof.MemOPSize:
					name = strconv.AppendUint(nil, value, 10)
				case len(bytes.TrimSpace(name)) == 0:
					name = fmt.Appendf(nil, "0x%016x", value)
				}
				matches[value] = terms.In(name) == terms.All()
			}
			sites := map[uint32]bool{}
			err = p.eachValue(ctx, kind, func(site uint32, value uint64) {
				if matches[value] {
					sites[site] = true
				}
			})
			return sites, int64(len(sites)) * 16, err
		})
}

// eachValue visits the values of all sites of a kind.
func (p *Profile) eachValue(ctx context.Context, kind instrprof.ValueKind,
	visit func(site uint32, value uint64)) error {
	return p.eachSite(ctx, func(row *btree.Row, numbers []uint64) error {
		for i := 0; i+1 < len(numbers) && row.Int(vsKind) == int64(kind); i += 2 {
			visit(uint32(row.ID), numbers[i])
		}
		return nil
	})
}
