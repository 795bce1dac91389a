package instrprof

import (
	"encoding/binary"
	"fmt"
	"math"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// readHashTable reads the head of the bucket table at HashOffset, which says
// how many items the payload has (instrprof.md §3.3, §3.4). The buckets
// themselves are not needed: records are read in payload order, as LLVM does.
func (x *Indexed) readHashTable(offset uint64, rec *wire.Recorder) error {
	x.buckets = offset
	if offset > x.payload && offset <= uint64(len(x.data)) {
		wire.New("hash table", x.data[x.payload:offset], x.payload).Record(rec)
	}
	c := x.at("bucket table", "HashOffset", offset, 16)
	peek := *c
	buckets := peek.U64("num_buckets")
	if err := c.Err(); err != nil {
		return err
	}
	if buckets <= peek.Remaining()/8 {
		c = c.Section("bucket table", 16+8*buckets)
	} else {
		x.warn("indexed.bucket_table", "bucket table", offset, model.KindTruncated,
			fmt.Sprintf("the table declares %d buckets, more than the file can hold; records are read without it", buckets))
	}
	c.Record(rec)
	c.U64("num_buckets")
	x.entries = c.U64("num_entries")
	if x.entries <= uint64(len(x.data))/itemHeader {
		x.info.Records = x.entries
	}
	return c.Err()
}

// itemHeader is hash, key_length and data_length.
const itemHeader = 24

// itemWalk walks the items of the hash table in payload order. It goes exactly
// where LLVM's iterator goes, also in a damaged table: a bucket that claims 0
// items never ends, and nothing but the end of the file bounds the payload.
type itemWalk struct {
	c        wire.Cursor
	left     uint64 // items still to come
	inBucket uint64 // items left in this bucket

	hash   uint64 // md5_64 of name, as stored
	name   []byte
	data   []byte
	offset uint64 // of data
}

func (x *Indexed) items() itemWalk {
	return itemWalk{c: *wire.New("hash table", x.data[x.payload:], x.payload), left: x.entries}
}

// next moves to the next item; false at the end and at a fault, which c.Err
// then has.
func (w *itemWalk) next() bool {
	if w.left == 0 {
		return false
	}
	w.left--
	if w.inBucket == 0 {
		w.inBucket = uint64(w.c.U16("number_of_items"))
	}
	w.inBucket--
	var keyLength, dataLength uint64
	if head := w.c.Peek(); len(head) >= itemHeader {
		w.hash, keyLength = binary.LittleEndian.Uint64(head), binary.LittleEndian.Uint64(head[8:])
		dataLength = binary.LittleEndian.Uint64(head[16:])
		w.c.Skip("hash", itemHeader)
	} else { // which says where the file ends
		w.hash, keyLength, dataLength = w.c.U64("hash"), w.c.U64("key_length"), w.c.U64("data_length")
	}
	if keyLength > model.MaxName && keyLength <= w.c.Remaining() {
		w.c.FailAt(w.c.Offset()-16, model.KindTooLarge, "key_length", "a symbol name is too long", model.NameBound,
			keyLength)
	}
	w.name = w.c.Bytes("key", keyLength)
	w.offset = w.c.Offset()
	w.data = w.c.Bytes("data", dataLength)
	return w.c.Err() == nil
}

// Functions yields the records in payload order, those of one name together.
func (x *Indexed) Functions() Functions { return x.functions(0, math.MaxUint64) }

// functions yields the records of the items that begin at offsets from one to before
// another.
func (x *Indexed) functions(from, to uint64) Functions {
	return func(yield func(*Function, error) bool) {
		r := x.records()
		w := x.items()
		for w.c.Offset() < to {
			begin := w.c.Offset()
			if !w.next() {
				break
			}
			if begin < from {
				continue
			}
			r.f.Name, r.f.NameRef, r.f.Item = w.name, w.hash, w.offset-uint64(len(w.name))-itemHeader
			r.c.Restart(w.data, w.offset)
			for first := true; first || r.c.Remaining() > 0; first = false {
				if err := r.read(&r.c); err != nil {
					yield(nil, model.InLLVM(err, noRecord))
					return
				}
				if !yield(&r.f, nil) {
					return
				}
			}
		}
		if err := w.c.Err(); err != nil {
			yield(nil, model.InLLVM(err, noRecord))
		}
	}
}

// noRecord is what LLVM says of an item of which it cannot read a record.
const noRecord = "malformed instrumentation profile data: profile data is empty"

// Reader reads single records of a file that was read whole before, by the offsets of item
// and record that Functions told. It is for one goroutine. A Function is valid until the
// next is read; it is empty where no record stands.
func (x *Indexed) Reader() func(item, record uint64) *Function {
	r, w := x.records(), x.items()
	return func(item, record uint64) *Function {
		w.left, w.inBucket = 1, 1
		w.c.Restart(x.data[min(item, uint64(len(x.data))):], item)
		if !w.next() || record-w.offset >= uint64(len(w.data)) {
			return &Function{}
		}
		r.f.Name, r.f.NameRef, r.f.Item = w.name, w.hash, item
		if r.c.Restart(w.data[record-w.offset:], record); r.read(&r.c) != nil {
			return &Function{}
		}
		return &r.f
	}
}

// Touch is the byte at an offset that Functions told, for who wants what stands there soon.
func (x *Indexed) Touch(offset uint64) byte { return x.data[offset] }

// HashAt is the FuncHash of the record at an offset which Functions told.
func (x *Indexed) HashAt(record uint64) uint64 { return binary.LittleEndian.Uint64(x.data[record:]) }

// NameAt is the name of the item that begins at an offset which Functions told.
func (x *Indexed) NameAt(item uint64) []byte {
	head := x.data[item : item+itemHeader]
	from := item + itemHeader
	return x.data[from : from+binary.LittleEndian.Uint64(head[8:])]
}

// NameOf is a name by its hash, as the table of buckets has it; nil where that has none.
func (x *Indexed) NameOf(hash uint64) []byte {
	_, _, begin := x.bucket(hash)
	w := itemWalk{left: min(begin, 1)} // 0 is an empty one
	for w.c.Restart(x.data[min(begin, uint64(len(x.data))):], begin); w.next(); w.left = w.inBucket {
		if w.hash == hash {
			return w.name
		}
	}
	return nil
}

// bucket is the number of buckets, the bucket of a hash, and the offset of its items; all are 0
// if the table cannot be read.
func (x *Indexed) bucket(hash uint64) (n, bucket, begin uint64) {
	if n = x.word(x.buckets); n == 0 || n&(n-1) != 0 || !x.holds(x.buckets+16, min(n, 1<<60)*8) {
		return 0, 0, 0
	}
	bucket = hash & (n - 1)
	return n, bucket, x.word(x.buckets + 16 + 8*bucket)
}

// word is the number at an offset, or 0 where none stands.
func (x *Indexed) word(at uint64) uint64 {
	if !x.holds(at, 8) {
		return 0
	}
	return binary.LittleEndian.Uint64(x.data[at:])
}

// recordReader reads function records (instrprof.md §3.5) into one reused
// Function.
type recordReader struct {
	version  uint64
	c        wire.Cursor // over one item's data
	f        Function
	counters []uint64
	bitmap   []byte
	values   valueReader
}

// records reads the records of a file.
func (x *Indexed) records() recordReader {
	return recordReader{version: x.version, c: *wire.New("function record", nil, 0)}
}

// read reads the record at the cursor, which is over one item's data.
func (r *recordReader) read(c *wire.Cursor) error {
	f := &r.f
	f.Offset = c.Offset()
	// LLVM wants something after the hash, so that a version 1 record without
	// counters is refused too.
	if n := c.Remaining(); n%8 != 0 || n <= 8 {
		return c.Fail(model.KindMalformed, "data_length", "the item's data is too short for a function record",
			"a multiple of 8 of at least 16", wire.Plural(n, "byte"))
	}
	f.FuncHash = c.U64("FuncHash")
	n := c.Remaining() / 8
	if r.version != 1 {
		n = c.U64("NumCounts")
	}
	if r.f.Counters = grow(&r.counters, c.Count("NumCounts", n, 8)); len(f.Counters) > 0 {
		c.U64s("Counts", f.Counters)
	}
	if r.version > 10 {
		r.readBitmap(c)
	}
	if r.version > 2 && c.Err() == nil {
		if err := r.values.read(c, &f.Sites); err != nil {
			return err
		}
	}
	f.Size = c.Offset() - f.Offset
	return c.Err()
}

// readBitmap reads the bitmap bytes, one to a word before version 14, and
// since then also the uniformity bits.
func (r *recordReader) readBitmap(c *wire.Cursor) {
	n := c.U64("NumBitmapBytes")
	if r.version >= 14 {
		r.f.Bitmap = padded(c, "Bitmap", n)
		r.f.Uniformity = padded(c, "Uniformity bits", c.U64("NumUniformityBytes"))
		return
	}
	r.f.Bitmap = grow(&r.bitmap, c.Count("NumBitmapBytes", n, 8))
	for i := range r.f.Bitmap {
		r.f.Bitmap[i] = byte(c.U64("Bitmap"))
	}
}

// padded returns n bytes and moves past their padding to a multiple of 8.
func padded(c *wire.Cursor, field string, n uint64) []byte {
	if n > c.Remaining() {
		n = uint64(c.Count(field, n, 1))
	}
	b := c.Bytes(field, n)
	c.Skip(field, -n%8)
	return b
}

// grow returns n elements of *buf, which it makes longer where needed. What
// they hold is not defined.
func grow[T any](buf *[]T, n int) []T {
	if n > cap(*buf) {
		*buf = make([]T, n+n/4)
	}
	return (*buf)[:n]
}
