package instrprof

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// LocateIndexed finds a function in an indexed profile, and works out how its
// record is found: by the bucket of its name's hash (instrprof.md §3.3). Results
// are those of [LocateRaw].
func LocateIndexed(data []byte, wanted model.Wanted) (*model.Location, []model.Match, error) {
	x, err := OpenIndexed(data, nil)
	if err != nil {
		return nil, nil, err
	}
	find := newFinder(wanted)
	var sums []model.Sum
	r := recordReader{version: x.version}
	for items := x.items(); items.next(); {
		c := wire.New("function record", items.data, items.offset)
		for first := true; first || c.Remaining() > 0; first = false {
			if err := r.read(c); err != nil {
				return find.location(sums), find.inPart, nil
			}
			if find.look(items.hash, r.f.FuncHash, func() []byte { return items.name }) {
				sums = x.sums(&items, &r.f)
			}
		}
	}
	return find.location(sums), find.inPart, nil
}

// sums are those of one record of an item.
func (x *Indexed) sums(item *itemWalk, f *Function) []model.Sum {
	key := item.offset - uint64(len(item.name))
	hash := key - itemHeader
	sums := []model.Sum{
		{
			Of: "name", Section: "hash table", Offset: key, Size: uint64(len(item.name)),
			Terms: []model.Term{
				{
					Name: "hash of the item", Value: fmt.Sprintf("%016x", item.hash),
					Note: "first 8 bytes of the MD5 of the name, little-endian", Offset: hash, Size: 8,
				},
			},
		},
		x.bucketOf(item.hash, hash),
	}
	record := model.Sum{Of: "record", Section: "hash table", Offset: f.Offset, Size: f.Size, Terms: []model.Term{
		{Name: "item at", Value: hexText(hash)},
		{Sign: "+", Name: "hash, key_length, data_length", Value: fmt.Sprint(itemHeader)},
		{Sign: "+", Name: "key_length", Value: fmt.Sprint(len(item.name)), Offset: hash + 8, Size: 8},
	}}
	if before := f.Offset - item.offset; before > 0 {
		record.Terms = append(record.Terms, model.Term{
			Sign: "+", Name: "records of other hashes", Value: fmt.Sprint(before), Note: "of the same name",
		})
	}
	record.Terms = append(record.Terms, model.Term{Sign: "=", Name: "FuncHash at", Value: hexText(f.Offset)})
	counters := model.Sum{Of: "counters", Section: "hash table", Offset: f.Offset + 8, Size: 8 * uint64(len(f.Counters)),
		Terms: []model.Term{
			{Name: "FuncHash at", Value: hexText(f.Offset)}, {Sign: "+", Name: "FuncHash", Value: "8"},
		}}
	if x.version != 1 {
		counters.Offset += 8
		counters.Terms = append(counters.Terms, model.Term{
			Sign: "+", Name: "NumCounts", Value: "8", Note: fmt.Sprintf("says %d", len(f.Counters)), Offset: f.Offset + 8,
			Size: 8,
		})
	}
	counters.Terms = append(counters.Terms, model.Term{
		Sign: "=", Name: "offset in the file", Value: hexText(counters.Offset),
	})
	list(&counters, f.Counters, func(v uint64) string { return fmt.Sprint(v) })
	return append(sums, record, counters)
}

// bucketOf is how a reader gets from the hash to the item: by a table of buckets,
// whose number is a power of two.
func (x *Indexed) bucketOf(hash, item uint64) model.Sum {
	s := model.Sum{Of: "bucket", Section: "bucket table", Note: "The table of buckets cannot be read."}
	n, bucket, begin := x.bucket(hash)
	if n == 0 {
		return s
	}
	s.Note, s.Offset, s.Size = "", x.buckets+16+8*bucket, 8
	s.Terms = []model.Term{
		{Name: "hash", Value: hexText(hash), Offset: item, Size: 8},
		{Sign: "&", Name: "num_buckets − 1", Value: hexText(n - 1), Note: wire.Plural(n, "bucket"), Offset: x.buckets,
			Size: 8},
		{Sign: "=", Name: "bucket", Value: fmt.Sprint(bucket)},
		{Sign: "×", Name: "8 bytes each", Value: hexText(8 * bucket)},
		{Sign: "+", Name: "table + 16", Value: hexText(x.buckets + 16), Note: "after num_buckets and num_entries"},
		{Sign: "=", Name: "offset in the file", Value: hexText(s.Offset), Offset: s.Offset, Size: 8},
		{
			Sign: "=", Name: "items of the bucket from", Value: hexText(begin), Note: fmt.Sprintf("its item is at 0x%x", item),
			Offset: begin, Size: 2,
		},
	}
	return s
}
