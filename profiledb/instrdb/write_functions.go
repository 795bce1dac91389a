package instrdb

import (
	"encoding/binary"

	"proflens/analyze"
	"proflens/profiledb/btree"
	"proflens/profiledb/query"
	"proflens/profiledb/stored"
)

// sumEvery is how many functions lie between two running totals.
const sumEvery = 256

func (t *tables) writeFunctions(w *stored.Writer) error {
	return w.RowsInParts("function", len(t.ranked), func(from int) func(r *btree.Record, i int) {
		firstSite := t.sitesBefore(from) + 1
		ahead := gathering{collection: t.collection, ranked: t.ranked}
		return func(r *btree.Record, i int) {
			index, rec := t.ranked[i], ahead.record(i)
			stored.Uints(r, uint64(index), rec.nameRef, rec.funcHash)
			stored.Flag(r, rec.cs)
			stored.Flag(r, rec.pseudo)
			stored.Sum(r, rec.total)
			b := t.bodyOf(rec)
			entry, maxIndex := b.entryAndMaxIndex(rec)
			stored.Uints(r, rec.max, uint64(maxIndex), entry, uint64(rec.numCounters), uint64(rec.numZero))
			sites := int64(0)
			for _, n := range b.numSites() {
				r.Uint(uint64(n))
				sites += int64(n)
			}
			if sites > 0 {
				r.Int(firstSite)
				firstSite += sites
			} else {
				r.Int(0)
			}
			r.Uint(b.repeats)
			at := t.places.of(index)
			stored.Uints(r, uint64(at.file), uint64(at.line))
			stored.Name(r, t.nameOf(rec))
			r.Blob(b.counters)
			stored.BlobOrNull(r, b.bitmap)
		}
	})
}

// sitesBefore is how many value sites the first records of the default order have.
func (t *tables) sitesBefore(n int) (sites int64) {
	if t.figures.anySite() {
		for _, index := range t.ranked[:n] {
			b := t.bodyOf(t.records.at(index))
			for _, n := range b.numSites() {
				sites += int64(n)
			}
		}
	}
	return sites
}

// writeRunningTotals writes the total of the first records at every sumEvery-th of them.
func (t *tables) writeRunningTotals(w *stored.Writer) error {
	return w.Table("running_total", func(r *btree.Record, add func(int64) error) error {
		var total analyze.Sum
		for i, index := range t.ranked {
			total.AddSum(t.records.at(index).total)
			if (i+1)%sumEvery != 0 {
				continue
			}
			stored.Sum(r, total)
			if err := add(int64(i) + 1); err != nil {
				return err
			}
		}
		return nil
	})
}

// writeFiles writes the files that functions are declared in.
func (t *tables) writeFiles(w *stored.Writer) error {
	return w.Rows("function_file", len(t.places.files), func(r *btree.Record, i int) { stored.Name(r, []byte(t.places.files[i])) })
}

// writeSites writes the value sites in the order of writeFunctions, which has
// counted their ids.
func (t *tables) writeSites(w *stored.Writer) error {
	if !t.figures.anySite() {
		return nil
	}
	return w.Table("value_site", func(r *btree.Record, add func(int64) error) error {
		id := int64(0)
		for i, index := range t.ranked {
			b := t.bodyOf(t.records.at(index))
			err := b.eachSite(func(kind, site int, values []byte) error {
				stored.Ints(r, i+1, kind, site)
				r.Blob(values)
				id++
				return add(id)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// writeNames writes every NameRef, those of records and those without, in the
// signed order of row ids.
func (t *tables) writeNames(w *stored.Writer) error {
	items := make([]query.Keyed, 0, len(t.ranked)+len(t.extra)) // ids: rank - 1, then the extra names
	for i, index := range t.ranked {
		items = append(items, query.Keyed{Key: t.records.at(index).nameRef ^ 1<<63, ID: uint32(i)})
	}
	for i, extra := range t.extra {
		items = append(items, query.Keyed{Key: extra.ref ^ 1<<63, ID: uint32(len(t.ranked) + i)})
	}
	items = query.SortKeyed(items)
	return w.Table("name", func(r *btree.Record, add func(int64) error) error {
		var others []byte
		for len(items) > 0 {
			first := items[0]
			others = others[:0]
			for items = items[1:]; len(items) > 0 && items[0].Key == first.Key; items = items[1:] {
				others = binary.AppendUvarint(others, uint64(items[0].ID)+1)
			}
			if isRecord := int(first.ID) < len(t.ranked); isRecord {
				r.Int(int64(first.ID) + 1)
				stored.BlobOrNull(r, others)
				r.Null()
			} else {
				r.Null()
				r.Null()
				stored.Name(r, t.extra[int(first.ID)-len(t.ranked)].name)
			}
			if err := add(int64(first.Key ^ 1<<63)); err != nil {
				return err
			}
		}
		return nil
	})
}
