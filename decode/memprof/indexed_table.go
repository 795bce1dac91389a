package memprof

import (
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// table reads every item of an on-disk hash table (memprof.md §3.5) in the
// order of its payload. keyed says that items have the length of their key. A
// number of items is a claim that the payload must be able to hold.
func (x *indexed) table(name string, payload, table uint64, keyed bool,
	each func(key uint64, c *wire.Cursor) error) error {
	end := x.base + uint64(len(x.data))
	t := wire.New(name+" table", x.data[table-x.base:], table)
	buckets := t.U64("NumBuckets")
	entries := t.U64("NumEntries")
	t.Count("NumBuckets", buckets, 8)
	if err := t.Err(); err != nil {
		return err
	}
	if buckets == 0 || buckets&(buckets-1) != 0 {
		return t.FailAt(table, model.KindMalformed, "NumBuckets", "the number of buckets is not a power of two", "",
			buckets)
	}
	t = x.part(name+" table", table, min(end, table+16+8*buckets))
	t.U64("NumBuckets")
	t.U64("NumEntries")
	for range buckets {
		if at := t.U64("Bucket"); at != 0 && (at < payload || at >= table) {
			return t.FailAt(t.Offset()-8, model.KindMalformed, "Bucket", "a bucket lies outside the payload",
				fmt.Sprintf("0, or 0x%x to 0x%x", payload, table), fmt.Sprintf("0x%x", at))
		}
	}
	c := x.part(name, payload, table)
	if c.Count("NumEntries", entries, 24); c.Err() != nil {
		return c.Err()
	}
	for entries > 0 && c.Err() == nil {
		items := uint64(c.U16("NumItems"))
		if c.Err() == nil && (items == 0 || items > entries) {
			return c.FailAt(c.Offset()-2, model.KindMalformed, "NumItems", "a bucket's item count does not fit the table",
				fmt.Sprintf("1 to %d", entries), items)
		}
		for range items {
			if err := x.item(c, keyed, each); err != nil {
				return err
			}
		}
		entries -= items
	}
	return c.Err()
}

// item reads one item.
func (x *indexed) item(c *wire.Cursor, keyed bool, each func(key uint64, c *wire.Cursor) error) error {
	at := c.Offset()
	hash, keyLen := c.U64("Hash"), uint64(8)
	if keyed {
		keyLen = c.U64("KeyLen")
	}
	size := c.U64("DataLen")
	key := c.U64("Key")
	data := c.Within("Data", size)
	switch {
	case c.Err() != nil:
		return c.Err()
	case hash != key:
		return c.FailAt(at, model.KindMalformed, "Hash", "an item's hash is not its key", fmt.Sprintf("0x%x", key),
			fmt.Sprintf("0x%x", hash))
	case keyLen != 8:
		return c.FailAt(at+8, model.KindMalformed, "KeyLen", "an item's key is not of 8 bytes", "8", keyLen)
	}
	return each(key, data)
}
