package instrdb

import (
	"cmp"
	"context"
	"errors"

	"proflens/profile/btree"
	"proflens/profile/stored"
)

// nameEntry is a row of the name table.
type nameEntry struct {
	ranks []int
	name  []byte // when there is no record
}

// lookup finds a NameRef; the error is stored.ErrNoPart when the profile does not
// know it.
func (p *Profile) lookup(c *btree.Cursor, nameRef uint64) (nameEntry, error) {
	row, err := stored.Lookup(c, int64(nameRef))
	if err != nil || row == nil {
		return nameEntry{}, cmp.Or(err, stored.ErrNoPart)
	}
	return readName(row), row.Err()
}

// readName reads a row of the name table.
func readName(row *btree.Row) (e nameEntry) {
	if row.IsNull(1) {
		e.name = append(e.name, row.Bytes(3)...)
		return e
	}
	e.ranks = []int{int(row.Int(1))}
	for _, n := range stored.Vector(nil, row, 2) {
		e.ranks = append(e.ranks, int(n))
	}
	return e
}

// NamesOf looks up NameRefs, as of indirect-call targets. Those that the
// profile does not know are missing from the result.
func (p *Profile) NamesOf(ctx context.Context, refs []uint64) (map[uint64]NameInfo, error) {
	names := make(map[uint64]NameInfo, len(refs))
	byRef, byRank := p.name.Cursor(), p.function.Cursor()
	for _, ref := range refs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := p.lookup(byRef, ref)
		if errors.Is(err, stored.ErrNoPart) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if len(e.ranks) == 0 {
			names[ref] = NameInfo{Name: e.name}
			continue
		}
		row, err := stored.Find(byRank, e.ranks[0])
		if err != nil {
			return nil, err
		}
		names[ref] = NameInfo{Name: append([]byte{}, row.Bytes(fnName)...), HasRecord: true}
		if err := row.Err(); err != nil {
			return nil, err
		}
	}
	return names, nil
}
