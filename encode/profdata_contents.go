package encode

import (
	"fmt"
	"slices"
	"strings"

	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// LossError says what an indexed version cannot hold of a profile.
type LossError struct {
	Version int
	Losses  []model.Finding // never empty
}

// Error names everything that would be lost.
func (e *LossError) Error() string { return e.formatError().Error() }

// Unwrap returns it as a [*model.FormatError] of [model.KindLossy].
func (e *LossError) Unwrap() error { return e.formatError() }

func (e *LossError) formatError() *model.FormatError {
	var what []string
	for _, l := range e.Losses {
		what = append(what, l.Message)
	}
	return model.Faultf(model.KindLossy,
		"indexed version %d cannot hold all of this profile; a lossy export would leave out %s", e.Version,
		strings.Join(what, "; "))
}

// contents counts what not every indexed version can hold.
type contents struct {
	info                                  *instrprof.Info
	hashes                                hashCounts
	unnamed                               uint64 // records
	bitmaps, uniformity, uniform, vtables uint64 // records that have them; vtables: vtable values
	traces                                uint64
	vtableNames, vtableNamesUnasked       uint64
	heap                                  bool      // there is a heap profile
	sections                              []memProf // ways to write it, the best first
	memprofErr                            error     // why there is none
	profile                               *memprof.Profile
	memprofRemarks                        []model.Finding
}

// contentsOf looks at every record once, and shows it to each.
// The error is the source's.
func contentsOf(src instrprof.Source, each func(f *instrprof.Function)) (*contents, error) {
	c := &contents{info: src.Info()}
	for f, err := range src.Functions() {
		if err != nil {
			return nil, err
		}
		c.add(f)
		each(f)
	}
	for _, err := range src.Traces() {
		if err != nil {
			return nil, err
		}
		c.traces++
	}
	c.heap = c.info.Variant.Has(instrprof.MemProf)
	carried, err := openMemProf(c.info)
	c.addSection(carried, err)
	return c, nil
}

// takeMemProf writes the heap profile, if there is one, unless a section that
// stands in a file can be carried over into every version that has heap
// profiles at all.
func (c *contents) takeMemProf(p *memprof.Profile, o HeapOptions) {
	c.profile = p
	if p != nil && o != (HeapOptions{}) {
		c.sections = nil
	}
	if p == nil || len(c.sections) > 0 && c.sections[0].last == MaxVersion {
		return
	}
	c.heap, c.memprofErr = true, nil
	if c.addSection(writtenMemProf(p, o)); c.memprofErr == nil {
		c.memprofRemarks = memprofRemarks(p)
	}
}

// onlyAddresses reports whether there is nothing to write: no record, and a heap
// profile that no indexed file can hold.
func (c *contents) onlyAddresses(p *memprof.Profile) bool {
	return p != nil && !p.Symbolized && c.producer().Records == 0
}

// addSection adds a way to write the heap profile.
func (c *contents) addSection(m memProf, err error) {
	if c.memprofErr = err; m.section != nil {
		c.sections = append(c.sections, m)
	}
}

// memProfOf is the heap profile as a version has it, without a section where that
// cannot have it.
func (c *contents) memProfOf(version int) memProf {
	for _, m := range c.sections {
		if m.fits(version) {
			return m
		}
	}
	return memProf{}
}

// takeVTableNames settles whether vtable names are written where the version
// has them: those of indexed files always, of others when asked.
func (c *contents) takeVTableNames(asked bool) bool {
	c.vtableNames, c.vtableNamesUnasked = 0, 0
	n := uint64(len(c.info.VTableNames))
	if c.info.Format == instrprof.FormatIndexed || asked {
		c.vtableNames = n
		return true
	}
	c.vtableNamesUnasked = n
	return false
}

func (c *contents) producer() Producer { return producerOf(c.info, c.hashes) }

func (c *contents) add(f *instrprof.Function) {
	count := func(n *uint64, when bool) {
		if when {
			*n++
		}
	}
	c.hashes.add(f.FuncHash)
	count(&c.unnamed, len(f.Name) == 0)
	count(&c.bitmaps, len(f.Bitmap) > 0)
	count(&c.uniformity, len(f.Uniformity) > 0)
	count(&c.uniform, len(f.UniformCounters) > 0)
	count(&c.vtables, len(f.Sites[instrprof.VTableTarget]) > 0)
}

// The versions that brought what records and files hold (instrprof.md §3.7).
const (
	sinceMemProf    = 8
	sinceBinaryIDs  = 9
	sinceTraces     = 10
	sinceBitmaps    = 11
	sinceVTables    = 12
	sinceUniformity = 14
)

// flagsSince are the variant flags that a release of LLVM began to write after
// version 5, with the version of that release. Readers of older versions
// misunderstand the profile, or refuse it.
var flagsSince = []struct {
	flag  instrprof.Variant
	since int
	what  string
}{
	{instrprof.InstrEntry, 7, "that counter 0 is the entry count"},
	{instrprof.ByteCoverage, 7, "that counters are of a single byte, executed or not"},
	{instrprof.FunctionEntryOnly, 7, "that only function entries are counted"},
	{instrprof.InstrLoopEntries, 12, "that loop entries are always counted"},
	{instrprof.MemProf, sinceMemProf, ""},
	{instrprof.TemporalProf, sinceTraces, ""},
}

// version chooses the version for a profile that has no version to be kept.
func (c *contents) version(p Producer) int {
	v := p.Version()
	switch {
	case c.uniformity > 0:
		return MaxVersion
	case c.bitmaps > 0 && p.FrontEnd && p.Last == sinceBitmaps:
		return sinceBitmaps // MC/DC bitmaps mean something else from 12 on
	case len(c.sections) > 0 && c.memProfOf(v).section == nil:
		return max(min(v, c.sections[0].last), c.sections[0].first)
	}
	return v
}

// losses are what a version cannot hold.
func (c *contents) losses(version int) []model.Finding {
	var lost []model.Finding
	add := func(code string, count uint64, since int, what string, args ...any) {
		if count == 0 || since != 0 && version >= since {
			return
		}
		f := model.Finding{
			Severity: model.Warning, Code: "profdata." + code, Kind: model.KindLossy, Count: count,
			Message: fmt.Sprintf(what, args...),
		}
		if since != 0 {
			f.Expected, f.Found = fmt.Sprintf("version %d or newer", since), fmt.Sprint(version)
			f.Remedy = fmt.Sprintf("write version %d or newer", since)
			f.Message += fmt.Sprintf(" (since version %d)", since)
		}
		lost = append(lost, f)
	}
	records := func(n uint64) string { return wire.Plural(n, "record") }
	add("bitmap", c.bitmaps, sinceBitmaps, "the MC/DC bitmaps of %s", records(c.bitmaps))
	add("vtable_values", c.vtables, sinceVTables, "the vtable value sites of %s", records(c.vtables))
	add("vtable_names", c.vtableNames, sinceVTables, "%s", wire.Plural(c.vtableNames, "vtable name"))
	add("uniformity", c.uniformity, sinceUniformity, "the uniformity bits of %s", records(c.uniformity))
	add("uniform_counters", c.uniform, 0, "the uniform counters of %s, which no indexed version has", records(c.uniform))
	if c.info.Variant.Has(instrprof.TemporalProf) { // also when there is none: the flag says that they were looked for
		add("traces", max(c.traces, 1), sinceTraces, "%s", wire.Plural(c.traces, "temporal trace"))
	}
	ids := uint64(len(c.info.BinaryIDs))
	add("binary_ids", ids, sinceBinaryIDs, "%s", wire.Plural(ids, "binary ID"))
	for _, s := range flagsSince {
		if s.what != "" && c.info.Variant.Has(s.flag) {
			add("flag", 1, s.since, "%s", s.what)
		}
	}
	if c.heap && c.memProfOf(version).section == nil {
		switch m := c.oldestMemProf(); {
		case m.section == nil:
			add("memprof", 1, 0, "the heap profile: %v", c.memprofErr)
		case version < m.first:
			add("memprof", 1, m.first, "the heap profile, of MemProf version %d", m.version)
		default:
			add("memprof", 1, 0, "the heap profile, of MemProf version %d, which is read with indexed versions %d to %d only",
				m.version, m.first, m.last)
		}
	}
	return lost
}

// oldestMemProf is the way to write the heap profile that the oldest version has.
func (c *contents) oldestMemProf() memProf {
	if len(c.sections) == 0 {
		return memProf{}
	}
	return slices.MinFunc(c.sections, func(a, b memProf) int { return a.first - b.first })
}

// remarks are what is written, but not as it was.
func (c *contents) remarks(version int) []model.Finding {
	var findings []model.Finding
	if m := c.memProfOf(version); m.section != nil && !m.carried {
		findings = slices.Clone(c.memprofRemarks)
	}
	if c.unnamed > 0 {
		findings = append(findings, model.Finding{
			Severity: model.Warning, Code: "profdata.unnamed", Count: c.unnamed,
			Message: model.Amount(c.unnamed, "record has no name: it is written under an empty name",
				"records have no name: they are written together under an empty name") + ", as llvm-profdata does",
			Cause: "an indexed file finds records by name, and the input has no name for these",
		})
	}
	if c.vtableNamesUnasked > 0 {
		findings = append(findings, model.Finding{
			Severity: model.Note, Code: "profdata.vtable_names", Count: c.vtableNamesUnasked,
			Message: model.Amount(c.vtableNamesUnasked, "vtable name", "vtable names") + " of the raw profile " +
				model.Left(c.vtableNamesUnasked) + " out, as llvm-profdata does unless told --keep-vtable-symbols",
		})
	}
	before := c.bitmapsBefore12()
	if c.bitmaps > 0 && before != nil && *before != (version < sinceVTables) && version >= sinceBitmaps {
		findings = append(findings, model.Finding{
			Severity: model.Warning, Code: "profdata.bitmap_meaning", Count: c.bitmaps,
			Message: "before version 12 the bits of MC/DC bitmaps mean different test vectors: " +
				model.Amount(c.bitmaps, "record", "records") + " will be misread",
			Cause: "llvm-cov interprets the bits by the version of the indexed file",
		})
	}
	return findings
}

// bitmapsBefore12 says whether the bitmaps are of LLVM 18, nil where the
// profile does not show it.
func (c *contents) bitmapsBefore12() *bool {
	var before bool
	switch c.info.Format {
	case instrprof.FormatRaw:
		before = c.info.Version < 10
	case instrprof.FormatIndexed:
		before = c.info.Version < sinceVTables
	default:
		return nil
	}
	return &before
}
