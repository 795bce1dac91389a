package sampleprof

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// openText reads text (sampleprof.md §3).
func openText(data []byte, rec *wire.Recorder) (*Profile, error) {
	p := &Profile{Format: FormatText}
	r := &textReader{builder: newBuilder(p), names: newTable(p), contexts: newContexts(p)}
	c := wire.New("text", data, 0)
	c.Record(rec)
	for c.Remaining() > 0 {
		r.offset = c.Offset()
		rest := c.Peek()
		n := bytes.IndexByte(rest, '\n') + 1
		if n == 0 {
			n = len(rest)
		}
		line := bytes.TrimSuffix(bytes.TrimSuffix(c.Bytes("", uint64(n)), []byte("\n")), []byte("\r"))
		r.number++
		if err := r.line(line); err != nil {
			return nil, err
		}
	}
	if len(p.Functions) == 0 {
		r.offset = 0
		return nil, r.fault(model.KindUnrecognizedFormat, "the text has no function", "NAME:TOTAL:HEAD", "")
	}
	if err := r.close(); err != nil {
		return nil, err
	}
	if r.settleLate() {
		return nil, r.overflow()
	}
	r.flags()
	return r.finish(), nil
}

// textReader reads lines. The stack has the open functions: one of the profile, and
// callees inlined into each other.
type textReader struct {
	*builder
	names    *table
	contexts *contexts
	stack    []*Function
	closed   int      // the depth at which metadata ended what a function has; 0 for none
	number   int      // of the line
	called   []Target // by the line at hand
	offset   uint64
}

// fault is the error for the line at hand.
func (r *textReader) fault(kind model.Kind, msg, expected, found string) error {
	return &model.FormatError{
		Kind: kind, Section: fmt.Sprintf("line %d", r.number), Offset: r.offset, Msg: msg, Expected: expected, Found: found,
	}
}

// maxShown is how much of a line an error shows, in bytes.
const maxShown = 100

func (r *textReader) malformed(says, msg, expected string, line []byte) error {
	err := r.fault(model.KindMalformed, msg, expected, fmt.Sprintf("%q", line[:min(len(line), maxShown)]))
	if says == "" {
		return err
	}
	return model.InLLVM(err, says+string(line[:min(len(line), mostSaid)]))
}

// What LLVM says of a line, before the line.
const (
	noHead     = "Expected 'mangled_name:NUM:NUM', found "
	noSamples  = "Expected 'NUM[.NUM]: NUM[ mangled_name:NUM]*', found "
	noMetadata = "Cannot parse metadata: "
	mostSaid   = 1 << 16 // bytes of the line
)

// line reads one line.
func (r *textReader) line(line []byte) error {
	text := bytes.TrimLeft(line, " ")
	switch {
	case len(text) == 0 || text[0] == '#':
		return nil
	case len(text) == len(line):
		return r.head(line)
	case len(r.stack) == 0:
		return r.malformed("", "a line of samples stands before the first function", headForm, line)
	}
	depth := len(line) - len(text)
	if text[0] != '!' && depth == r.closed {
		return r.malformed("Found non-metadata after metadata: ", "a line of samples follows the metadata of its function",
			"metadata, or a deeper or shallower line", line)
	}
	if depth < len(r.stack) {
		r.stack = r.stack[:depth]
	}
	f := r.stack[len(r.stack)-1]
	if text[0] == '!' {
		r.closed = depth
		return r.metadata(f, text, line)
	}
	return r.samples(f, text, line)
}

// headForm is a line that begins a function.
const headForm = "NAME:TOTAL:HEAD"

// parseHead takes the line of a function apart.
func parseHead(line []byte) (name []byte, total, head uint64, ok bool) {
	last := bytes.LastIndexByte(line, ':')
	if last < 0 {
		return nil, 0, 0, false
	}
	first := bytes.LastIndexByte(line[:last], ':')
	if first < 0 {
		return nil, 0, 0, false
	}
	total, ok = number(line[first+1 : last])
	head, ok2 := number(line[last+1:])
	return line[:first], total, head, ok && ok2
}

// head reads the line of a function.
func (r *textReader) head(line []byte) error {
	name, total, head, ok := parseHead(line)
	if !ok {
		return r.malformed(noHead, "the line begins no function", headForm, line)
	}
	if err := r.tooLong(name); err != nil {
		return err
	}
	if err := r.close(); err != nil {
		return err
	}
	var f *Function
	if len(name) > 0 && name[0] == '[' {
		r.p.Flags |= FullContexts
		frames := parseContext(string(name[1:max(1, len(name)-1)]), r.names)
		f = r.function(frames[len(frames)-1].Name, r.contexts.id(frames))
	} else {
		f = r.function(r.names.text(name), -1)
	}
	if accumulate(&f.Total, total) || accumulate(&f.Head, head) {
		return r.overflow()
	}
	r.stack, r.closed = append(r.stack[:0], f), 0
	return nil
}

func (r *textReader) overflow() error {
	return r.fault(KindCounterOverflow, "the counts of a function that stands more than once do not fit 64 bits", "", "")
}

func (r *textReader) tooLong(name []byte) error {
	if len(name) <= model.MaxName {
		return nil
	}
	return r.fault(model.KindTooLarge, "a name is implausibly long", model.NameBound,
		wire.Plural(len(name), "byte"))
}

// close puts the records of the function that ends in order, unless more may come.
func (r *textReader) close() error {
	if len(r.stack) > 0 && !r.late[r.stack[0]] && r.p.settleAll(r.stack[0]) {
		return r.overflow()
	}
	return nil
}

// samples reads a line of samples: of a place, of types, or of an inlined callee.
func (r *textReader) samples(f *Function, text, line []byte) error {
	place, rest, ok := bytes.Cut(text, []byte(":"))
	loc, isLoc := parseLoc(place)
	if !ok || !isLoc || len(rest) < 2 {
		return r.malformed(noSamples, "the line has no samples", bodyForm, line)
	}
	rest = rest[1:]
	switch {
	case rest[0] >= '0' && rest[0] <= '9':
		record, ok := r.record(loc, rest)
		if !ok {
			return r.malformed(noSamples, "the samples of a place cannot be read", bodyForm, line)
		}
		f.Body = append(f.Body, record)
	case bytes.HasPrefix(rest, []byte("vtables ")):
		if !r.types(f, loc, rest[len("vtables "):]) {
			return r.malformed("", "the types of a place cannot be read", "OFFSET[.DISCRIMINATOR]: vtables TYPE:COUNT …", line)
		}
	default:
		at := bytes.LastIndexByte(rest, ':')
		if at < 0 || rest[0] == '-' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9' {
			return r.malformed(noSamples, "the samples of a place cannot be read", bodyForm, line)
		}
		total, ok := number(rest[at+1:])
		if !ok || rest[0] == ' ' {
			return r.malformed(noSamples, "an inlined callee cannot be read", "OFFSET[.DISCRIMINATOR]: NAME:TOTAL", line)
		}
		if len(r.stack) >= maxDepth {
			return r.fault(model.KindTooLarge, "functions are inlined too deep", fmt.Sprintf("at most %d levels", maxDepth),
				"more")
		}
		if err := r.tooLong(rest[:at]); err != nil {
			return err
		}
		callee := r.inlined(r.names.text(rest[:at]))
		callee.Total = total
		f.Sites = append(f.Sites, Site{loc, callee})
		r.stack, r.closed = append(r.stack, callee), 0
	}
	return nil
}

// bodyForm is a line of samples.
const bodyForm = "OFFSET[.DISCRIMINATOR]: COUNT[ NAME:COUNT]*"

// parseLoc reads a place. Its offset must fit 16 bits, but with a discriminator,
// where no tool looks.
func parseLoc(b []byte) (Loc, bool) {
	offset, discriminator, ok := bytes.Cut(b, []byte("."))
	n, isNumber := number(offset)
	if !isNumber {
		return Loc{}, false
	}
	if !ok {
		return Loc{Offset: uint32(n)}, n <= 0xffff
	}
	d, isNumber := number(discriminator)
	return Loc{uint32(n), uint32(d)}, isNumber && n <= 0xffffffff && d <= 0xffffffff
}

// record reads a count, and the targets behind it.
func (r *textReader) record(loc Loc, text []byte) (Record, bool) {
	word, rest, more := bytes.Cut(text, []byte(" "))
	count, ok := number(word)
	if !ok {
		return Record{}, false
	}
	r.called = r.called[:0]
	for more {
		name, count, ok := []byte(nil), uint64(0), false
		name, count, rest, more, ok = nameAndCount(bytes.TrimLeft(rest, " "))
		if !ok || len(name) > model.MaxName {
			return Record{}, false
		}
		r.called = append(r.called, Target{r.names.text(name), count})
	}
	targets := lastOfEach(r.called)
	return Record{loc, count, append(r.targets.take(len(targets)), targets...)}, true
}

// lastOfEach keeps, of targets that a line names several times, the last.
func lastOfEach(list []Target) []Target {
	if len(list) < 2 {
		return list
	}
	slices.SortStableFunc(list, func(a, b Target) int { return cmp.Compare(a.Name, b.Name) })
	out := list[:0]
	for i, t := range list {
		if i+1 == len(list) || list[i+1].Name != t.Name {
			out = append(out, t)
		}
	}
	return out
}

// nameAndCount reads a name and a count behind the first colon that a number follows:
// names may hold spaces and colons. More says that a space ends the count.
func nameAndCount(text []byte) (name []byte, count uint64, rest []byte, more, ok bool) {
	for at := 0; ; at++ {
		next := bytes.IndexByte(text[at:], ':')
		if next < 0 {
			return nil, 0, nil, false, false
		}
		at += next
		word, rest, more := bytes.Cut(text[at+1:], []byte(" "))
		if count, ok := number(word); ok {
			return text[:at], count, rest, more, at > 0
		}
	}
}

// types reads the types that were seen at a place.
func (r *textReader) types(f *Function, loc Loc, text []byte) bool {
	first := len(f.VTables)
	for text = bytes.TrimLeft(text, " "); len(text) > 0; text = bytes.TrimLeft(text, " ") {
		name, rest, ok := bytes.Cut(text, []byte(":"))
		word, rest, _ := bytes.Cut(rest, []byte(" "))
		count, isNumber := number(word)
		if !ok || !isNumber || len(name) > model.MaxName {
			return false
		}
		f.VTables = append(f.VTables, VTable{loc, r.names.text(name), count})
		text = rest
	}
	return !repeats(f.VTables[first:])
}

// repeats reports whether a type stands twice.
func repeats(list []VTable) bool {
	seen := make(map[NameID]bool, len(list))
	for _, v := range list {
		if seen[v.Type] {
			return true
		}
		seen[v.Type] = true
	}
	return false
}

// metadata reads a line of metadata. Each sets the attributes, those of another kind to
// none.
func (r *textReader) metadata(f *Function, text, line []byte) error {
	const checksum, attributes = "!CFGChecksum: ", "!Attributes: "
	f.Attributes = 0
	switch {
	case bytes.HasPrefix(text, []byte(checksum)):
		n, ok := number(text[len(checksum):])
		if !ok {
			return r.malformed(noMetadata, "the checksum is no number", checksum+"N", line)
		}
		if n != 0 {
			f.Checksum = n
		}
	case bytes.HasPrefix(text, []byte(attributes)):
		n, ok := number(text[len(attributes):])
		if !ok || n > 0xffffffff {
			return r.malformed(noMetadata, "the attributes are no number of 32 bits", attributes+"N", line)
		}
		f.Attributes = uint32(n)
	case string(line) == " !Flat":
	default:
		return r.malformed(noMetadata, "the metadata are of no known kind", "!CFGChecksum, !Attributes or !Flat", line)
	}
	return nil
}

// flags says what the text shows of the profile.
func (r *textReader) flags() {
	for _, f := range r.p.Functions {
		if f.Checksum != 0 {
			r.p.Flags |= Probes
		}
		if preInlined(f) {
			r.p.Flags |= PreInlined
		}
		if r.p.Has(FullContexts) && f.Context < 0 { // the tools print it like one with a context, perhaps again
			f.Context = int32(len(r.p.Contexts))
			r.p.Contexts = append(r.p.Contexts, []Frame{{Name: f.Name}})
		}
	}
}

func preInlined(f *Function) bool {
	if f.Attributes&ShouldBeInlined != 0 {
		return true
	}
	for _, s := range f.Sites {
		if preInlined(s.Callee) {
			return true
		}
	}
	return false
}

// number reads plain decimal digits.
func number(b []byte) (uint64, bool) {
	if len(b) == 0 {
		return 0, false
	}
	n := uint64(0)
	for _, d := range b {
		d -= '0'
		if d > 9 || n > (1<<64-1-uint64(d))/10 {
			return 0, false
		}
		n = 10*n + uint64(d)
	}
	return n, true
}

// isText reports whether the first line that says something begins a function and,
// where that could be other text, the next one does too or is deeper.
func isText(data []byte) bool {
	rest := data[:min(len(data), model.MaxName)]
	plausible := false
	for len(rest) > 0 {
		var line []byte
		line, rest, _ = bytes.Cut(rest, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		text := bytes.TrimLeft(line, " ")
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		name, _, _, ok := parseHead(line)
		switch {
		case plausible:
			return ok || len(text) < len(line)
		case !ok || len(text) < len(line):
			return false
		case bytes.IndexByte(name, ' ') < 0:
			return true
		}
		plausible = true
	}
	return plausible
}

// bodyLine matches a line of samples, as wrong as its count may be.
var bodyLine = regexp.MustCompile(`^[ \t]+\d+(\.\d+)?:[ \t]*(-?\d|[^ \t]+:\d)`)

// guess takes text that looks like samples: a line with a colon begins a function, and
// lines of samples follow, or stand before the first. It will fail, and the text reader
// knows where.
func guess(_ string, data []byte) (format.Recognised, bool) {
	head, first := false, true
	for line := range bytes.Lines(data[:min(len(data), 4<<10)]) {
		line = bytes.TrimRight(line, "\r\n")
		switch text := bytes.TrimLeft(line, " \t"); {
		case len(text) == 0 || text[0] == '#':
		case bodyLine.Match(line):
			return recognisedAs(textFormat), head || first
		case len(text) < len(line):
			return format.Recognised{}, false
		default:
			head, first = bytes.IndexByte(line, ':') > 0, false
		}
	}
	return format.Recognised{}, false
}
