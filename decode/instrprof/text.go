package instrprof

import (
	"bytes"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Text is an open text profile (.proftext, instrprof.md §5). It parses records
// from the file's bytes whenever they are asked for and holds none.
type Text struct {
	header lines // before the first line of the header
	body   lines // at the first line of the first record
	info   Info
	keeps  bool // see KeepBitmaps
}

// IsText reports whether data looks like a text profile by the rule of
// instrprof.md §1: the first eight bytes, or as many as there are, are
// printable ASCII or white space. An empty file is not one.
func IsText(data []byte) bool {
	for _, c := range data[:min(8, len(data))] {
		if (c < 0x20 || c > 0x7e) && (c < '\t' || c > '\r') {
			return false
		}
	}
	return len(data) > 0
}

// OpenText reads the header of a text profile, traces included. data must stay
// unchanged while the result is in use. rec, which may be nil, hears where the
// header and the records are.
//
// It accepts what llvm-profdata 22 accepts, and bitmaps of more than 255 bytes
// too. An unknown directive is [model.KindBadHeader], a header that ends early
// [model.KindEOF], a bad number [model.KindMalformed]; with an error the result has the
// header as far as it was read, and no records.
func OpenText(data []byte, rec *wire.Recorder) (*Text, error) {
	t := &Text{
		header: newLines(data),
		info:   Info{Info: model.Info{Format: FormatText, Families: []model.Family{Family}, Profiles: 1}},
	}
	t.body = t.header
	err := readTextHeader(&t.body, &t.info, func(uint64, [][]byte) bool { return true })
	t.info.Name()
	if err != nil {
		return t, err
	}
	start := uint64(t.body.offset)
	if start > 0 {
		wire.New("header", data[:start], 0).Record(rec)
	}
	wire.New("records", data[start:], start).Record(rec)
	return t, nil
}

// KeepBitmaps has a record without a bitmap come with that of the record before, as LLVM's
// reader has it, unless who was given that one has set it to nil.
func (t *Text) KeepBitmaps() { t.keeps = true }

// Info returns what the header says.
func (t *Text) Info() *Info { return &t.info }

// Findings is empty: whatever is wrong with a text file is an error.
func (t *Text) Findings() []model.Finding { return nil }

// Functions yields the records in file order, repeated ones too.
func (t *Text) Functions() Functions { return t.functions(nil) }

// Once are Functions, and the names that Names has beside theirs, which are those read so far:
// for who reads both in one pass. The records lack their NameRef, which of a text takes as long as
// all else, and which who knows the name knows.
func (t *Text) Once() (Functions, Names) {
	type target struct {
		ref  uint64
		name []byte
	}
	var targets []target
	return t.functions(func(ref uint64, name []byte) { targets = append(targets, target{ref, name}) }),
		func(yield func(uint64, []byte) bool) {
			more, _ := t.traceNames(yield)
			for i := 0; more && i < len(targets); i++ {
				more = yield(targets[i].ref, targets[i].name)
			}
		}
}

// functions yields the records; target, which may be nil, hears of value targets.
func (t *Text) functions(target func(ref uint64, name []byte)) Functions {
	return func(yield func(*Function, error) bool) {
		r := textReader{lines: t.body, keeps: t.keeps, target: target, bare: target != nil}
		for r.next() {
			if !yield(&r.f, nil) {
				return
			}
		}
		if r.err != nil {
			yield(nil, r.err)
		}
	}
}

// Names yields the names of functions, of value targets and in traces. It ends
// early where Functions would fail.
func (t *Text) Names() Names {
	return func(yield func(uint64, []byte) bool) {
		more, err := t.traceNames(yield)
		see := func(ref uint64, name []byte) { more = more && yield(ref, name) }
		r := textReader{lines: t.body, target: see}
		for err == nil && more && r.next() {
			see(r.f.NameRef, r.f.Name)
		}
	}
}

// traceNames yields the names in traces; more is false where yield was.
func (t *Text) traceNames(yield func(uint64, []byte) bool) (more bool, err error) {
	more = true
	l := t.header
	err = readTextHeader(&l, new(Info), func(_ uint64, names [][]byte) bool {
		for _, name := range names {
			more = more && yield(NameRef(name), name)
		}
		return more
	})
	return more, err
}

// Traces yields the temporal traces of the header.
func (t *Text) Traces() Traces {
	return func(yield func(Trace, error) bool) {
		var trace Trace
		more := true
		l := t.header
		err := readTextHeader(&l, new(Info), func(weight uint64, names [][]byte) bool {
			trace.Weight = weight
			trace.NameRefs = grow(&trace.NameRefs, len(names))
			for i, name := range names {
				trace.NameRefs[i] = NameRef(name)
			}
			more = yield(trace, nil)
			return more
		})
		if err != nil && more {
			yield(Trace{}, err)
		}
	}
}

// textVariants are the header directives that set a flag.
var textVariants = map[string]Variant{
	":ir":                      IRProf,
	":csir":                    IRProf | CSIRProf,
	":entry_first":             InstrEntry,
	":instrument_loop_entries": InstrLoopEntries,
	":single_byte_coverage":    ByteCoverage,
}

// readTextHeader reads the lines that start with ':' up to the first record,
// into info, and gives each trace to trace until that returns false. A
// directive may come more than once.
func readTextHeader(l *lines, info *Info, trace func(weight uint64, names [][]byte) bool) error {
	for ; bytes.HasPrefix(l.line, []byte(":")); l.advance() {
		directive := string(bytes.ToLower(l.line))
		flags, known := textVariants[directive]
		switch {
		case known:
			info.Variant |= flags
		case directive == ":fe":
			info.ExplicitFE = true
		case directive == ":not_entry_first":
			info.Variant &^= InstrEntry
		case directive == ":temporal_prof_traces":
			info.Variant |= TemporalProf
			if more, err := readTextTraces(l, info, trace); err != nil || !more {
				return err
			}
		default:
			return &model.FormatError{
				Kind: model.KindBadHeader, Section: "header", Offset: uint64(l.offset),
				Msg: "the directive is not known", Found: quote(l.line),
			}
		}
	}
	return nil
}

// readTextTraces reads the lines after ":temporal_prof_traces" and leaves the
// last of them current.
func readTextTraces(l *lines, info *Info, trace func(weight uint64, names [][]byte) bool) (more bool, err error) {
	number := func(field string) uint64 {
		if err != nil || !needTraceLine(l, field, &err) {
			return 0
		}
		v, ok := parseUint(l.line, true)
		if !ok {
			err = &model.FormatError{
				Kind: model.KindMalformed, Section: "header", Field: field, Offset: uint64(l.offset),
				Msg: "the number is not a valid integer", Found: quote(l.line),
			}
		}
		return v
	}
	n := number("NumTraces")
	if n > 1<<32-1 || n > l.left() {
		return false, &model.FormatError{
			Kind: model.KindEOF, Section: "header", Field: "NumTraces", Offset: uint64(l.offset),
			Msg: "the count exceeds the lines that are left", Found: fmt.Sprint(n),
		}
	}
	info.TraceStreamSize = number("StreamSize")
	var names [][]byte
	for ; n > 0 && err == nil; n-- {
		weight := number("Weight")
		if err != nil || !needTraceLine(l, "FunctionNameRefs", &err) {
			break
		}
		names = names[:0]
		for name := range bytes.SplitSeq(l.line, []byte(",")) {
			if len(name) > model.MaxName {
				return false, &model.FormatError{Kind: model.KindTooLarge, Section: "header", Field: "FunctionNameRefs",
					Offset: uint64(l.offset),
					Msg:    "a symbol name is too long", Expected: model.NameBound, Found: wire.Plural(len(name), "byte")}
			}
			if len(name) > 0 {
				names = append(names, bytes.Trim(name, " \t\n\v\f\r"))
			}
		}
		if !trace(weight, names) {
			return false, nil
		}
	}
	return true, err
}

// needTraceLine moves to the next line, which the header must have.
func needTraceLine(l *lines, field string, err *error) bool {
	if l.advance(); l.eof {
		*err = &model.FormatError{
			Kind: model.KindEOF, Section: "header", Field: field, Offset: uint64(l.offset),
			Msg: "the file ends inside the temporal traces",
		}
	}
	return !l.eof
}

// quote shows a line in an error, cut to what fits one.
func quote(line []byte) string {
	const most = 60
	if len(line) > most {
		return fmt.Sprintf("%q…", line[:most])
	}
	return fmt.Sprintf("%q", line)
}
