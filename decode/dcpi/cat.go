package dcpi

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// dump is one profile of dcpicat's text: the events of an image side by side.
type dump struct {
	header    Header
	at        uint64 // where it begins
	named     map[string]bool
	events    []catEvent
	addresses []uint64
	counts    []uint32 // a row for each address, a column for each event
}

type catEvent struct {
	name             string
	total            uint64
	period, fraction uint64
}

// OpenCat reads the text of dcpicat: one dump or several, with a profile for
// each event of each. data may be dropped afterwards.
//
// The error is a [*model.FormatError].
func OpenCat(name string, data []byte, rec *wire.Recorder) (*File, error) {
	c := wire.New("dump", data, 0)
	c.Record(rec)
	r := catReader{c: c}
	for c.Remaining() > 0 && c.Err() == nil {
		r.line()
	}
	r.finish()
	if err := c.Err(); err != nil {
		return nil, err
	}
	f := &File{Name: name, Dumps: len(r.dumps)}
	for i, d := range r.dumps {
		for j := range d.events {
			p, err := d.profile(c, j)
			if err != nil {
				return nil, err
			}
			p.File, p.Dump = name, i
			f.Profiles = append(f.Profiles, *p)
		}
	}
	return f, nil
}

type catReader struct {
	c     *wire.Cursor
	dumps []*dump
	d     *dump // the one being read
	n     int   // lines read
}

// line reads one line: a row of counts, or a keyword with a value, which begins
// the next dump when rows came before.
func (r *catReader) line() {
	at := r.c.Offset()
	line, _, _ := bytes.Cut(r.c.Peek(), []byte("\n"))
	size := uint64(min(len(line)+1, int(r.c.Remaining())))
	line = bytes.TrimRight(line, " \t\r")
	r.n++
	switch {
	case len(line) == 0:
		r.c.Skip("", size)
	case len(line) > maxLine && !bytes.HasPrefix(line, []byte("0x")):
		r.fail(at, model.KindTooLarge, "", "the line is too long", fmt.Sprintf("at most %d bytes", maxLine), line)
	case bytes.HasPrefix(line, []byte("0x")):
		r.row(at, line)
		r.c.Skip("", size)
	default:
		key, value, ok := splitLine(line)
		if !ok {
			r.fail(at, KindHeaderSyntax, "", "the line is neither a keyword with a value nor an address with counts", "", line)
			return
		}
		if r.d != nil && (len(r.d.addresses) > 0 || key[0] == 'n' && string(key) == "name" && r.d.named["name"]) {
			r.finish()
		}
		if r.d == nil {
			r.d = &dump{at: at, named: map[string]bool{}}
		}
		r.c.Skip("", uint64(bytes.Index(line[len(key):], value)+len(key)))
		r.c.Text(string(key), uint64(len(value)))
		r.c.Skip("", at+size-r.c.Offset())
		r.keyword(at, string(key), text(value))
	}
}

func (r *catReader) fail(at uint64, kind model.Kind, field, msg, want string, found []byte) {
	r.c.FailAt(at, kind, field, fmt.Sprintf("line %d: %s", r.n, msg), want,
		strconv.Quote(string(found[:min(len(found), 60)])))
}

func (r *catReader) keyword(at uint64, key, value string) {
	h := &r.d.header
	if key != "path" && key != "event" && KindOfLine(key) != Unknown || key == "name" || key == "text_start" ||
		key == "text_size" {
		if r.d.named[key] {
			r.fail(at, KindDuplicateLine, key, "the line appears twice", "one", []byte(value))
		}
	}
	r.d.named[key] = true
	switch key {
	case "name":
		h.Name = value
	case "label":
		h.Label = value
	case "path":
		h.Paths = append(h.Paths, value)
	case "platform":
		h.Platform = value
	case "image":
		if h.Image = value; strings.Trim(value, hexDigits) != "" {
			r.fail(at, KindBadValue, key, "the id is not hexadecimal", "hexadecimal digits", []byte(value))
		}
	case "epoch":
		start, ok := epochTime(value)
		if h.Epoch, h.Start = value, start; !ok {
			r.fail(at, KindBadValue, key, "this is not a valid time", "YYMMDDHHMM, YYYYMMDDHHMM or YYYYMMDDHHMMSS",
				[]byte(value))
		}
	case "text_start":
		h.TextStart, h.HasTextStart = r.hexadecimal(at, key, value), true
	case "text_size":
		h.TextSize = r.hexadecimal(at, key, value)
	case "event":
		r.event(at, value)
	default:
		h.Lines = append(h.Lines, Line{Key: key, Value: value, Kind: KindOfLine(key), Offset: at})
	}
}

func (r *catReader) hexadecimal(at uint64, key, value string) uint64 {
	n, err := strconv.ParseUint(strings.TrimPrefix(value, "0x"), 16, 64)
	if err != nil {
		r.fail(at, KindBadValue, key, "the value is not a hexadecimal number", "0x…", []byte(value))
	}
	return n
}

// event reads "TOTAL NAME:PERIOD:FRACTION"; events of ProfileMe have one more
// part in the name, "SET:COUNTER".
func (r *catReader) event(at uint64, value string) {
	words := strings.Fields(value)
	if len(words) == 2 {
		total, err := strconv.ParseUint(words[0], 10, 64)
		parts := strings.Split(words[1], ":")
		if n := len(parts); err == nil && n >= 3 {
			period, err1 := strconv.ParseUint(parts[n-2], 10, 64)
			fraction, err2 := strconv.ParseUint(parts[n-1], 10, 64)
			if err1 == nil && err2 == nil {
				r.d.events = append(r.d.events, catEvent{strings.Join(parts[:n-2], ":"), total, period, fraction})
				return
			}
		}
	}
	r.fail(at, KindBadValue, "event", "the event cannot be read", "TOTAL NAME:PERIOD:FRACTION", []byte(value))
}

// row reads "0xADDRESS count …", a count for each event.
func (r *catReader) row(at uint64, line []byte) {
	if r.d == nil || len(r.d.events) == 0 {
		r.fail(at, KindMissingRequired, "event", "counts come before the first event", "an event line", line)
		return
	}
	d, words := r.d, bytes.Fields(line)
	if len(words) != 1+len(d.events) {
		r.fail(at, KindHeaderSyntax, "", "the row needs one count for each event", strconv.Itoa(len(d.events)), line)
		return
	}
	address, err := strconv.ParseUint(string(words[0][2:]), 16, 64)
	switch {
	case err != nil || address < d.header.TextStart:
		r.fail(at, KindBadValue, "address", "the address is impossible", fmt.Sprintf("one from 0x%x on", d.header.TextStart),
			words[0])
		return
	case len(d.addresses) > 0 && address <= d.addresses[len(d.addresses)-1]:
		r.fail(at, KindUnsorted, "address", "the address is not above the previous one", "rising addresses", words[0])
		return
	}
	d.addresses = append(d.addresses, address)
	for _, word := range words[1:] {
		count, err := strconv.ParseUint(string(word), 10, 32)
		if err != nil {
			r.fail(at, KindBadValue, "count", "the count is not a 32-bit number", "a decimal number", word)
		}
		d.counts = append(d.counts, uint32(count))
	}
}

// finish ends the dump being read, which must have what a profile needs.
func (r *catReader) finish() {
	d := r.d
	r.d = nil
	if r.c.Err() != nil {
		return
	}
	if d == nil {
		if len(r.dumps) == 0 {
			r.c.FailAt(0, KindNotDCPI, "", "the file has no dump", "name, image, epoch …", "")
		}
		return
	}
	for _, key := range []string{"image", "epoch", "platform", "event"} {
		if !d.named[key] {
			r.c.FailAt(d.at, KindMissingRequired, key, "the dump lacks this line", "one", "none")
		}
	}
	r.dumps = append(r.dumps, d)
}

// profile is one event's column.
func (d *dump) profile(c *wire.Cursor, column int) (*Profile, error) {
	e := d.events[column]
	p := &Profile{Header: d.header, Stride: wordSize, Each: d.each(column)}
	p.Event, p.Period, p.Fraction = e.name, e.period, e.fraction
	for chunk := range p.Each {
		p.Chunks++
		p.Addresses += uint64(len(chunk.Counts))
		p.Nonzero += uint64(len(chunk.Counts)) // none is zero
		for _, n := range chunk.Counts {
			p.Samples += uint64(n)
		}
	}
	if p.Samples != e.total {
		return nil, c.FailAt(d.at, KindFooterMismatch, "event", "the counts of "+e.name+" do not add up to its total",
			strconv.FormatUint(e.total, 10), strconv.FormatUint(p.Samples, 10))
	}
	return p, nil
}

// each yields the counts above zero of a column, those of neighbouring
// instructions together.
func (d *dump) each(column int) iter.Seq[Chunk] {
	return func(yield func(Chunk) bool) {
		var chunk Chunk
		for i, address := range d.addresses {
			count := d.counts[i*len(d.events)+column]
			if count == 0 {
				continue
			}
			offset := address - d.header.TextStart
			if n := uint64(len(chunk.Counts)); n > 0 && offset != chunk.Offset+wordSize*n {
				if !yield(chunk) {
					return
				}
				chunk.Counts = chunk.Counts[:0]
			}
			if len(chunk.Counts) == 0 {
				chunk.Offset = offset
			}
			chunk.Counts = append(chunk.Counts, count)
		}
		if len(chunk.Counts) > 0 {
			yield(chunk)
		}
	}
}
