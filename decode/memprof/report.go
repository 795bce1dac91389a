package memprof

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"

	"proflens/decode/model"
	"proflens/internal/lazyregexp"
)

// IsReport reports whether data begin like the report that the runtime prints
// with print_text=1 (memprof.md §1.7).
func IsReport(data []byte) bool {
	head := data[:min(len(data), 4096)]
	for line := range bytes.Lines(head) {
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 || bytes.HasPrefix(line, []byte("==")) { // messages of the runtime
			continue
		}
		s := string(line)
		return s == "Recorded MIBs (incl. live on exit):" || s == "Live on exit:" || terseMIB().MatchString(s)
	}
	return false
}

// report reads the runtime's text report.
type report struct {
	*builder
	data    []byte
	at      int // of the line being read
	modules map[string]int32
	sites   []rawSite // in the order of the file
	stacks  map[uint64]StackID
	reading *MIB
	stack   uint64   // id of the stack being read
	frames  []uint32 // of it
	inStack bool
	last    uint64 // address of the last frame
	first   string // text of the first frame of that address: the innermost inlined one
	err     *model.FormatError
}

// OpenReport reads the runtime's text report, verbose or terse (memprof.md
// §1.7). It has averages for totals, so that these are right to a hundredth of
// the count; names are demangled, so that functions have no GUID and there are
// no records. Errors are malformed, with the line.
func OpenReport(data []byte) (*Profile, error) {
	r := &report{builder: newBuilder(FormatReport, 0, len(data)), data: data,
		modules: map[string]int32{}, stacks: map[uint64]StackID{}}
	for r.err == nil && r.at < len(data) {
		line, _, _ := bytes.Cut(data[r.at:], []byte("\n"))
		if len(line) > model.MaxName {
			r.fail("a line of the report is too long", "")
			r.err.Kind, r.err.Expected, r.err.Found = model.KindTooLarge, model.NameBound, fmt.Sprintf("%d bytes", len(line))
			break
		}
		r.line(strings.TrimSuffix(string(line), "\r"))
		r.at += len(line) + 1
	}
	r.endStack()
	if r.err != nil {
		return nil, r.err
	}
	bare := uint64(0)
	for i := range r.sites {
		s := &r.sites[i]
		stack, ok := r.stacks[s.id]
		if !ok {
			bare++
			continue
		}
		r.context(stack, s.id, s.mib)
	}
	if bare > 0 {
		r.find(model.Warning, "no_stack", bare, "%s no call stack in the report and %s out",
			model.Amount(bare, "MIB has", "MIBs have"), model.Left(bare))
	}
	r.find(model.Note, "report", 0,
		"the report has averages for totals and demangled names for functions; the raw profile of the same run has more").Remedy =
		"run with MEMPROF_OPTIONS=print_text=0 and give the .profraw with its executable"
	return r.profile, nil
}

func (r *report) fail(msg, found string) {
	if r.err == nil {
		r.err = &model.FormatError{Kind: model.KindMalformed,
			Section: fmt.Sprintf("line %d", 1+bytes.Count(r.data[:r.at], []byte("\n"))), Offset: uint64(r.at), Msg: msg,
			Found: found}
	}
}

// What the lines of a report look like.
var (
	verboseMIB = lazyregexp.New(`^Memory allocation stack id = (\d+)$`)
	sizes      = lazyregexp.New(`^\talloc_count (\d+), size \(ave/min/max\) (\d+\.\d\d) / (\d+) / (\d+)$`)
	accesses   = lazyregexp.New(`^\taccess_count \(ave/min/max\): (\d+\.\d\d) / (\d+) / (\d+)$`)
	lifetimes  = lazyregexp.New(`^\tlifetime \(ave/min/max\): (\d+\.\d\d) / (\d+) / (\d+)$`)
	counts     = lazyregexp.New(`^\tnum migrated: (\d+), num lifetime overlaps: (\d+), ` +
		`num same alloc cpu: (\d+), num same dealloc_cpu: (\d+)$`)
	terseMIB = lazyregexp.New(`^MIB:(\d+)/(\d+)/` + // the stack and the allocations, then sizes, accesses and lifetimes
		`(\d+\.\d\d)/(\d+)/(\d+)/(\d+\.\d\d)/(\d+)/(\d+)/(\d+\.\d\d)/(\d+)/(\d+)/` +
		`(\d+)/(\d+)/(\d+)/(\d+)$`)
	stackOf   = lazyregexp.New(`^Stack for id (\d+):$`)
	frameLine = lazyregexp.New(`^ +#(\d+) 0x([0-9a-fA-F]+) *(?:in )?(.*)$`)
	moduleAt  = lazyregexp.New(`^(.*?) ?\((\S.*)\+0x([0-9a-fA-F]+)\)(?: \(BuildId: ([0-9a-fA-F]+)\))?$`)
	placeAt   = lazyregexp.New(`^(.*?):(\d+)(?::(\d+))?$`)
	allocator = lazyregexp.New(`^(__interceptor_)?((m|c|re|reallocarr|v|pv)alloc|reallocarray|` +
		`memalign|aligned_alloc|posix_memalign)$|^operator new(\[\])?\(`)
)

// line reads one line; lines of other programs in between are passed over.
func (r *report) line(s string) {
	if m := frameLine().FindStringSubmatch(s); m != nil && r.inStack {
		r.frameOf(m)
		return
	}
	r.endStack()
	switch {
	case strings.HasPrefix(s, "Memory allocation stack id"):
		if m := r.match(verboseMIB, s); m != nil {
			r.begin(r.numbers(m[1:])[0])
		}
	case strings.HasPrefix(s, "\talloc_count"):
		r.set(r.match(sizes, s), AllocCount, TotalSize, MinSize, MaxSize)
	case strings.HasPrefix(s, "\taccess_count"):
		r.set(r.match(accesses, s), TotalAccessCount, MinAccessCount, MaxAccessCount)
	case strings.HasPrefix(s, "\tlifetime"):
		r.set(r.match(lifetimes, s), TotalLifetime, MinLifetime, MaxLifetime)
	case strings.HasPrefix(s, "\tnum migrated"):
		r.set(r.match(counts, s), NumMigratedCPU, NumLifetimeOverlaps, NumSameAllocCPU, NumSameDeallocCPU)
	case strings.HasPrefix(s, "AccessCountHistogram["):
		r.histogram(s)
	case strings.HasPrefix(s, "MIB:"):
		if m := r.match(terseMIB, s); m != nil {
			r.begin(r.numbers(m[1:2])[0])
			r.set(m[1:], AllocCount, TotalSize, MinSize, MaxSize, TotalAccessCount, MinAccessCount, MaxAccessCount,
				TotalLifetime, MinLifetime, MaxLifetime, NumMigratedCPU, NumLifetimeOverlaps, NumSameAllocCPU, NumSameDeallocCPU)
		}
	case strings.HasPrefix(s, "Stack for id"):
		if m := r.match(stackOf, s); m != nil {
			r.stack, r.inStack, r.frames, r.last = r.numbers(m[1:])[0], true, r.frames[:0], 0
		}
	}
}

// match is the parts of a line that has to look like re.
func (r *report) match(re func() *regexp.Regexp, s string) []string {
	m := re().FindStringSubmatch(s)
	if m == nil {
		r.fail("the runtime does not write such a line", fmt.Sprintf("%.80q", s))
	}
	return m
}

// numbers reads numbers; an average is read in hundredths.
func (r *report) numbers(texts []string) []uint64 {
	out := make([]uint64, len(texts))
	for i, s := range texts {
		v, err := strconv.ParseUint(strings.Replace(s, ".", "", 1), 10, 64)
		if err != nil {
			r.fail("a number in the report does not fit 64 bits", s)
		}
		out[i] = v
	}
	return out
}

// begin starts the MIB of a stack, which has another in every dump.
func (r *report) begin(id uint64) {
	r.reading = &MIB{Schema: ReportedSchema, Values: make([]uint64, ReportedSchema.Len())}
	r.sites = append(r.sites, rawSite{id: id, mib: *r.reading})
}

// set takes fields of the MIB that is being read. Averages become totals.
func (r *report) set(m []string, fields ...MIBField) {
	if m == nil {
		return
	}
	if r.reading == nil {
		r.fail("the report has figures before the first stack id", "")
		return
	}
	values := r.numbers(m[1:])
	for i, f := range fields {
		v := values[i]
		if f == TotalSize || f == TotalAccessCount || f == TotalLifetime {
			count := r.reading.Get(AllocCount)
			if count != 0 && v > 1<<63/count {
				r.fail("an average in the report is too large", m[i+1])
			}
			v = (v*count + 99) / 100
		}
		if f.Size() == 4 && v > 1<<32-1 {
			r.fail("a number in the report does not fit 32 bits", m[i+1])
		}
		r.reading.Values[(ReportedSchema & (1<<f - 1)).Len()] = v
	}
}

// histogram reads the access counts, of which a report has 32 at most.
func (r *report) histogram(s string) {
	_, list, ok := strings.Cut(s, "]: ")
	if !ok && !strings.HasSuffix(s, "]:") || len(r.sites) == 0 {
		r.fail("the runtime does not write such a line", fmt.Sprintf("%.80q", s))
		return
	}
	if words := strings.Fields(list); len(words) > 0 && len(words) <= 32 {
		r.sites[len(r.sites)-1].mib.Histogram = r.numbers(words)
	}
}

// endStack keeps the stack that has been read.
func (r *report) endStack() {
	if !r.inStack {
		return
	}
	r.inStack = false
	for len(r.frames) > 1 && r.isRuntime(r.frames[0]) {
		r.frames = r.frames[1:]
	}
	if len(r.frames) > 0 {
		r.stacks[r.stack] = r.builder.stack(r.frames)
	}
}

// isRuntime reports whether a frame is of the runtime: the allocation function,
// which is no part of the context.
func (r *report) isRuntime(frame uint32) bool {
	f := &r.profile.Frames[frame]
	return runtimeFiles[path.Base(f.File)] || f.File == "" && allocator().MatchString(f.Name)
}

// frameOf reads a frame line: its number, address, and what the runtime could
// say of it.
func (r *report) frameOf(m []string) {
	address, err := strconv.ParseUint(m[2], 16, 64)
	if err != nil {
		r.fail("an address does not fit 64 bits", m[2])
		return
	}
	f := Frame{Module: -1}
	text := m[3]
	switch in := moduleAt().FindStringSubmatch(text); {
	case in != nil:
		f.Name = in[1]
		f.Module = r.module(in[2], in[4])
		f.Address, _ = strconv.ParseUint(in[3], 16, 64)
	case strings.HasSuffix(text, "(<unknown module>)"):
		f.Name = strings.TrimSpace(strings.TrimSuffix(text, "(<unknown module>)"))
		f.Address = address
	default:
		f.Name, f.File = splitPlace(text)
		if at := placeAt().FindStringSubmatch(f.File); at != nil {
			line, _ := strconv.ParseUint(at[2], 10, 32)
			column, _ := strconv.ParseUint(at[3], 10, 32)
			f.File, f.Line, f.Column = at[1], uint32(line), uint32(column)
		}
		f.Address = address
	}
	// Frames of one address are inlined into each other. A function that calls
	// itself has that address again, but from the innermost one on.
	if n := len(r.frames); n > 0 && r.last == address && r.first != text {
		inner := r.profile.Frames[r.frames[n-1]]
		inner.Inline = true
		r.frames[n-1] = r.frame(inner)
	} else {
		r.first = text
	}
	r.last = address
	r.frames = append(r.frames, r.frame(f))
}

// splitPlace splits what a frame line says into a demangled name and a place in
// a file; both may have spaces.
func splitPlace(text string) (name, place string) {
	at := strings.Index(text, " /")
	if at < 0 {
		at = max(strings.LastIndexByte(text, ')'), 0)
		if rest, ok := strings.CutPrefix(text[at:], ") const "); ok {
			at = len(text) - len(rest) - 1
		} else if space := strings.IndexByte(text[at:], ' '); space >= 0 {
			at += space
		} else {
			return text, ""
		}
	}
	return text[:at], text[at+1:]
}

// module is the number of a file that the report names.
func (r *report) module(path, id string) int32 {
	if n, ok := r.modules[path]; ok {
		return n
	}
	m := Module{Path: path}
	m.BuildID, _ = hex.DecodeString(id)
	n := int32(len(r.profile.Modules))
	r.profile.Modules = append(r.profile.Modules, m)
	r.modules[path] = n
	return n
}
