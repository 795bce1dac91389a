package instrdb

import (
	"encoding/binary"

	"proflens/analyze"
	"proflens/profile/instrdb/collected"
	"proflens/profile/query"
	"proflens/profile/stored"
)

// sumEvery is how many functions lie between two running totals.
const sumEvery = 256

func (t *tables) writeFunctions(w *stored.Writer) error {
	return w.RowsInParts("function", len(t.ranked), func(from int) func(r *stored.Record, i int) {
		firstSite := t.sitesBefore(from) + 1
		ahead := collected.NewAhead(t.Collection, t.ranked)
		return func(r *stored.Record, i int) {
			index, rec := t.ranked[i], ahead.At(i)
			r.Uints(uint64(index), rec.NameRef, rec.FuncHash)
			r.Flag(rec.CS)
			r.Flag(rec.Pseudo)
			r.Sum(rec.Total)
			b := t.BodyOf(rec)
			entry, maxIndex := b.EntryAndMaxIndex(rec)
			r.Uints(rec.Max, uint64(maxIndex), entry, uint64(rec.NumCounters), uint64(rec.NumZero))
			sites := int64(0)
			for _, n := range b.NumSites() {
				r.Uint(uint64(n))
				sites += int64(n)
			}
			if sites > 0 {
				r.Int(firstSite)
				firstSite += sites
			} else {
				r.Int(0)
			}
			r.Uint(b.Repeats)
			at := t.places.of(index)
			r.Uints(uint64(at.file), uint64(at.line))
			r.Name(t.NameOf(rec))
			r.Blob(b.Counters)
			r.BlobOrNull(b.Bitmap)
		}
	})
}

// sitesBefore is how many value sites the first records of the default order have.
func (t *tables) sitesBefore(n int) (sites int64) {
	if t.Sums.AnySite() {
		for _, index := range t.ranked[:n] {
			b := t.BodyOf(t.At(index))
			for _, n := range b.NumSites() {
				sites += int64(n)
			}
		}
	}
	return sites
}

// writeRunningTotals writes the total of the first records at every sumEvery-th of them.
func (t *tables) writeRunningTotals(w *stored.Writer) error {
	return w.Table("running_total", func(r *stored.Record, add func(int64)) {
		var total analyze.Sum
		for i, index := range t.ranked {
			total.AddSum(t.At(index).Total)
			if (i+1)%sumEvery != 0 {
				continue
			}
			r.Sum(total)
			add(int64(i) + 1)
		}
	})
}

// writeFiles writes the files that functions are declared in.
func (t *tables) writeFiles(w *stored.Writer) error {
	return w.Rows("function_file", len(t.places.files), func(r *stored.Record, i int) {
		r.Name([]byte(t.places.files[i]))
	})
}

// writeSites writes the value sites in the order of writeFunctions, which has
// counted their ids.
func (t *tables) writeSites(w *stored.Writer) error {
	if !t.Sums.AnySite() {
		return nil
	}
	return w.List("value_site", func(r *stored.Record, add func()) {
		for i, index := range t.ranked {
			b := t.BodyOf(t.At(index))
			b.EachSite(func(kind, site int, values []byte) {
				r.Ints(i+1, kind, site)
				r.Blob(values)
				add()
			})
		}
	})
}

// refParts is in how many parts NameRefs are sorted, which takes 32 bytes for each.
const refParts = 2

// writeNames writes every NameRef, those of records and those without, in the
// signed order of row ids.
func (t *tables) writeNames(w *stored.Writer) error {
	items := make([]query.Keyed, 0, (len(t.ranked)+len(t.extra))*9/8/refParts) // ids: rank - 1, then the extra names
	return w.Table("name", func(r *stored.Record, add func(int64)) {
		for part := range uint64(refParts) {
			items = items[:0]
			take := func(ref uint64, id int) {
				if key := ref ^ 1<<63; key/(1<<64/refParts) == part {
					items = append(items, query.Keyed{Key: key, ID: uint32(id)})
				}
			}
			for i, index := range t.ranked {
				take(t.At(index).NameRef, i)
			}
			for i, extra := range t.extra {
				take(extra.Ref, len(t.ranked)+i)
			}
			items = query.SortKeyed(items)
			t.writeNamesOf(items, r, add)
		}
	})
}

// writeNamesOf writes some NameRefs, sorted.
func (t *tables) writeNamesOf(items []query.Keyed, r *stored.Record, add func(int64)) {
	var others []byte
	for len(items) > 0 {
		first := items[0]
		others = others[:0]
		for items = items[1:]; len(items) > 0 && items[0].Key == first.Key; items = items[1:] {
			others = binary.AppendUvarint(others, uint64(items[0].ID)+1)
		}
		if isRecord := int(first.ID) < len(t.ranked); isRecord {
			r.Int(int64(first.ID) + 1)
			r.BlobOrNull(others)
			r.Null()
		} else {
			r.Null()
			r.Null()
			r.Name(t.extra[int(first.ID)-len(t.ranked)].Name)
		}
		add(int64(first.Key ^ 1<<63))
	}
}
