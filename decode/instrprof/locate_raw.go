package instrprof

import (
	"bytes"
	"fmt"
	"math"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// LocateRaw finds a function in a raw file, and works out where its record,
// name, counters, bitmap and value data stand (instrprof.md §2.4). A location of
// nil means that there is none such; matches are then records whose name has the
// words. Of a file that ends too soon what is there is looked at. Correlators are
// those of [OpenCorrelated], whose errors it returns.
func LocateRaw(data []byte, correlators []*Correlator, wanted model.Wanted) (*model.Location, []model.Match, error) {
	r, err := openRaw(data, nil, rawOptions{correlators: correlators})
	if err != nil {
		if r, err = openRaw(data, nil, rawOptions{correlators: correlators, salvage: true}); err != nil {
			return nil, nil, err
		}
	}
	find := newFinder(wanted)
	var sums []model.Sum
	for _, p := range r.parts {
		for i := range p.numRecords() {
			record := p.record(i)
			if !p.readable(i, record) {
				find.records++ // its number is taken
				continue
			}
			ref := p.nameRef(i, record)
			if find.look(ref, p.field(record, funcHashField), func() []byte { return p.table.name(ref) }) {
				w := working{rawPart: p, data: data, i: i, record: record}
				sums = w.sums()
			}
		}
	}
	return find.location(sums), find.inPart, nil
}

// working works out where one record's parts are.
type working struct {
	*rawPart
	data   []byte
	i      int
	record []byte
}

func (w *working) sums() []model.Sum {
	sums := []model.Sum{w.place(), w.name()}
	counters := w.pointed("counters", w.counters, counterPtrField, countersDelta, recordCounters, w.counterSize())
	if b, err := w.counterBytes(w.i, w.record); err == nil {
		w.listCounters(&counters, b)
	}
	sums = append(sums, counters)
	if w.field(w.record, recordBitmapBytes) > 0 {
		s := w.pointed("bitmap", w.bitmap, bitmapPtrField, bitmapDelta, recordBitmapBytes, 1)
		if b, err := w.bitmapBytes(w.i, w.record); err == nil {
			list(&s, b, func(b byte) string { return fmt.Sprintf("0x%02x", b) })
		}
		sums = append(sums, s)
	}
	if b, err := w.uniformBytes(w.i, w.record); err == nil && len(b) > 0 {
		s := w.pointed("uniform counters", w.uniform, uniformPtrField, uniformCountersDelta, recordCounters, 8)
		list(&s, appendWords(nil, b, w.bigEndian), func(v uint64) string { return fmt.Sprint(v) })
		sums = append(sums, s)
	}
	if w.records.kinds > 0 && w.hasValueData(w.record) && w.values.bytes != nil {
		sums = append(sums, w.valueData())
	}
	return sums
}

// listCounters lists a function's counters, whose first may be a timestamp.
func (w *working) listCounters(s *model.Sum, b []byte) {
	stamp, counts := w.timestamp(b)
	if w.counterSize() == 1 {
		list(s, counts, func(b byte) string { return fmt.Sprint(b) })
		s.Note = "A byte of 0 means the code ran, any other that it did not."
	} else {
		list(s, appendWords(nil, counts, w.bigEndian), func(v uint64) string { return fmt.Sprint(v) })
	}
	if len(counts) < len(b) {
		s.Note = fmt.Sprintf("The first eight bytes are the timestamp, %d. %s", stamp, s.Note)
	}
}

// headerTerm and recordTerm are numbers as they stand in the file.
func (w *working) headerTerm(sign string, f headerField, text string) model.Term {
	t := model.Term{Sign: sign, Name: headerFields[f].name, Value: text}
	for n, h := range w.format.header {
		if h == f {
			t.Offset, t.Size = w.at+8*uint64(n), 8
		}
	}
	return t
}

func (w *working) recordTerm(sign string, f recordField, text string) model.Term {
	t := model.Term{Sign: sign, Name: recordFields[f].name, Value: text}
	if w.correlation != nil {
		t.Note = "from the program"
	} else if w.records.size[f] > 0 {
		t.Offset, t.Size = w.recordAt()+uint64(w.records.at[f]), uint64(w.records.size[f])
	}
	return t
}

func (w *working) recordAt() uint64 { return w.rawPart.data.at + uint64(w.i)*w.records.total }

// place is where the record stands.
func (w *working) place() model.Sum {
	s := model.Sum{Of: "record", Section: w.section("data")}
	if w.correlation != nil {
		s.Note = fmt.Sprintf("The record is in the program, in %s; its pointer is an offset in the counters.",
			w.correlation.section)
		return s
	}
	s.Offset, s.Size = w.recordAt(), w.records.total
	s.Terms = []model.Term{
		{Name: "data section at", Value: hexText(w.rawPart.data.at)},
		w.times(),
		{Sign: "=", Name: "offset in the file", Value: hexText(s.Offset)},
	}
	return s
}

// times is how far the record is from the first.
func (w *working) times() model.Term {
	return model.Term{
		Sign: "+", Name: "i × record size", Value: hexText(uint64(w.i) * w.records.total),
		Note: fmt.Sprintf("%d × %d", w.i, w.records.total),
	}
}

// pointed is a part that the record points at: the pointer less the delta, which
// since version 8 shrinks by the size of a record from each to the next.
func (w *working) pointed(of string, in extent, pointer recordField, delta headerField, count recordField,
	size uint64) model.Sum {
	s := model.Sum{Of: of, Section: w.section(of)}
	value, n := w.field(w.record, pointer), w.field(w.record, count)
	at := w.offset(w.i, value, w.word[delta])
	s.Terms = append(s.Terms, w.recordTerm("", pointer, hexText(value)))
	if w.correlation == nil {
		s.Terms = append(s.Terms, w.headerTerm("−", delta, hexText(w.word[delta])))
	}
	if w.addressing != absolute {
		s.Terms = append(s.Terms, w.times())
	}
	result := model.Term{Sign: "=", Name: "offset in " + of, Value: hexText(uint64(at)), Note: "modulo 2^64"}
	if w.pointerSize == 4 || w.addressing == narrow {
		result.Note = "modulo 2^32"
	}
	if w.correlation != nil {
		result.Note = "no delta: the pointer is the offset"
	}
	s.Terms = append(s.Terms, result)
	s.Offset, s.Size = in.at+uint64(at), n*size
	first := model.Term{
		Sign: "=", Name: "first counter", Value: fmt.Sprint(uint64(at) / size),
		Note: fmt.Sprintf("0x%x ÷ %d; with NumCounters to %d of %d", uint64(at), size, uint64(at)/size+n-1, in.size()/size),
	}
	switch rest := uint64(at) % size; {
	case pointer == bitmapPtrField:
		first.Name, first.Note = "first byte", fmt.Sprintf("with NumBitmapBytes to %d of %d", uint64(at)+n-1, in.size())
	case rest > 0:
		first.Note = fmt.Sprintf("0x%x ÷ %d and %s; with NumCounters %d of %d", uint64(at), size, wire.Plural(rest, "byte"),
			n, in.size()/size)
	}
	s.Terms = append(s.Terms, first, model.Term{
		Sign: "=", Name: "offset in the file", Value: hexText(s.Offset),
		Note: fmt.Sprintf("0x%x + 0x%x, where the section begins and the offset in it", in.at, uint64(at)),
	})
	if s.Offset+s.Size > uint64(len(w.data)) {
		s.Note = "The file ends before them."
	}
	return s
}

// name is where the record's name stands: versions 1 and 2 point at it, others
// have the hash of one that is somewhere among the names.
func (w *working) name() model.Sum {
	s := model.Sum{Of: "name", Section: w.section("names")}
	if w.records.size[namePtrField] > 0 {
		at, size, err := w.pointedName(w.i, w.record)
		s.Terms = []model.Term{
			w.recordTerm("", namePtrField, hexText(w.field(w.record, namePtrField))),
			w.headerTerm("−", namesDelta, hexText(w.word[namesDelta])),
			{Sign: "=", Name: "offset in names", Value: hexText(uint64(at))},
		}
		if err == nil {
			s.Offset, s.Size = w.names.at+uint64(at), uint64(size)
			s.Terms = append(s.Terms, model.Term{
				Sign: "=", Name: "names section + offset", Value: hexText(s.Offset),
				Note: fmt.Sprintf("0x%x + 0x%x", w.names.at, at),
			})
		}
		return s
	}
	ref := w.field(w.record, nameRefField)
	s.Terms = []model.Term{w.recordTerm("", nameRefField, fmt.Sprintf("%016x", ref))}
	s.Terms[0].Note = "first 8 bytes of the MD5 of the name, little-endian"
	name := w.table.name(ref)
	switch {
	case len(name) == 0:
		s.Note = "No name of the file has this hash."
	case w.correlation != nil:
		s.Note = "The names are in the program."
	default:
		w.findName(&s, name)
	}
	return s
}

// findName looks for a name among the blobs of the names section.
func (w *working) findName(s *model.Sum, name []byte) {
	c := wire.New("names", w.data[min(w.namesAt, uint64(len(w.data))):], w.namesAt)
	_ = eachNameBlob(c, w.word[namesSize], func(text []byte, offset uint64) error {
		at := nameIn(text, name)
		if at < 0 {
			return nil
		}
		plain := offset+uint64(len(text)) <= uint64(len(w.data)) && bytes.Equal(w.data[offset:offset+uint64(len(text))], text)
		if plain {
			s.Offset, s.Size = offset+uint64(at), uint64(len(name))
			s.Terms = append(s.Terms, model.Term{
				Sign: "=", Name: "offset in the file", Value: hexText(s.Offset),
				Note: fmt.Sprintf("byte %d of the names at 0x%x", at, offset),
			})
			return errStop
		}
		s.Offset = offset
		s.Terms = append(s.Terms, model.Term{
			Sign: "=", Name: "offset in the inflated names", Value: hexText(uint64(at)),
			Note: fmt.Sprintf("of %s that are compressed at 0x%x", wire.Plural(len(text), "byte"), offset),
		})
		return errStop
	})
}

// nameIn is the place of a whole name in a blob's text; -1 when it has none.
func nameIn(text, name []byte) int {
	for from := 0; ; {
		at := bytes.Index(text[from:], name)
		if at < 0 {
			return -1
		}
		at += from
		end := at + len(name)
		if (at == 0 || text[at-1] == nameSeparator) && (end == len(text) || text[end] == nameSeparator) {
			return at
		}
		from = at + 1
	}
}

// valueData is the record's block, which stands after those of all records
// before it that have one.
func (w *working) valueData() model.Sum {
	s := model.Sum{Of: "value data", Section: w.section("value data")}
	c := wire.New(s.Section, w.values.bytes, w.values.at)
	c.SetOrder(w.bigEndian)
	blocks := 0
	for j := range w.i {
		if !w.hasValueData(w.rawPart.record(j)) {
			continue
		}
		total := *c
		n := uint64(total.U32("TotalSize"))
		if c.Skip("ValueProfData", n); c.Err() != nil || total.Err() != nil {
			s.Note = "The file ends before it."
			return s
		}
		blocks++
	}
	s.Offset = c.Offset()
	total := *c
	s.Size = uint64(total.U32("TotalSize"))
	s.Terms = []model.Term{
		{Name: "value data at", Value: hexText(w.values.at)},
		{
			Sign: "+", Name: "blocks before it", Value: hexText(s.Offset - w.values.at),
			Note: fmt.Sprintf("%s, by their TotalSize", wire.Plural(blocks, "block")),
		},
		{Sign: "=", Name: "offset in the file", Value: hexText(s.Offset)},
	}
	var sites [NumValueKinds][]ValueSite
	var reader valueReader
	if err := reader.read(c, &sites); err != nil {
		s.Note = "The block cannot be read."
		return s
	}
	w.remap(&sites)
	list(&s, siteValues(&sites, func(ref uint64) []byte { return w.table.name(ref) }), func(v string) string { return v })
	return s
}

// siteValues says what each site saw.
func siteValues(sites *[NumValueKinds][]ValueSite, name func(ref uint64) []byte) []string {
	var all []string
	for kind := range sites {
		for n, site := range sites[kind] {
			for _, v := range site {
				what := fmt.Sprint(v.Value)
				if ValueKind(kind) != MemOPSize {
					what = fmt.Sprintf("%016x", v.Value)
					if known := name(v.Value); len(known) > 0 {
						what = string(known)
					}
				}
				all = append(all, fmt.Sprintf("%s %d: %s × %d", ValueKind(kind), n, what, v.Count))
				if len(all) == math.MaxUint16 {
					return all
				}
			}
		}
	}
	return all
}
