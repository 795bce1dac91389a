package mip

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Joiner adds the counters of runs to the functions of a map, or of a profile
// (mip.md §5). A function's record in a run begins with its entry, which is of
// one size for all functions, and goes on with a byte for each of its blocks.
type Joiner struct {
	m     *Profile
	laid  bool   // entry is the size of entries: the map and a run agree on it
	entry uint64 // bytes
	order []int  // functions by where their counters are
}

// NewJoiner joins runs to m, which it changes. m must not be a raw file.
func NewJoiner(m *Profile) *Joiner { return &Joiner{m: m, entry: entrySizes(m.Header.ProfileType)[0]} }

// entrySizes are the sizes that entries of such a run can have, in bytes, those
// of the reference reader first: a coverage byte or, without function coverage,
// a call count and a timestamp, whichever of them the header names (mip.md §4).
// Of types that no compiler writes nothing else is published. Then the map
// tells what it has room for: the one word that is named or, for blocks alone, a
// coverage byte that is not, or nothing.
func entrySizes(t ProfileType) []uint64 {
	switch t & bothEntries {
	case Timestamp | CallCount:
		return []uint64{8}
	case Timestamp, CallCount:
		return []uint64{8, 4}
	case 0:
		return []uint64{8, 1, 0}
	}
	return []uint64{1}
}

// RawSize is how many bytes a raw file of the map takes.
func (j *Joiner) RawSize() uint64 {
	end, _ := j.end(j.entry)
	return max(end, headerSize)
}

// end is where the last counters of a raw file end with entries of this size, and
// whose they are.
func (j *Joiner) end(entry uint64) (end uint64, last int) {
	for i := range j.m.Functions {
		if _, to := j.span(i, entry); to > end {
			end, last = to, i
		}
	}
	return end, last
}

// span is where the record of a function stands in a raw file. Offsets beyond any
// file do not wrap round.
func (j *Joiner) span(i int, entry uint64) (from, to uint64) {
	from = min(j.m.Functions[i].RawOffset, math.MaxUint64/2)
	return from, from + entry + j.counted(i)
}

// counted is how many blocks of a function have counters.
func (j *Joiner) counted(i int) uint64 {
	if !j.m.HasBlocks() {
		return 0
	}
	return uint64(len(j.m.Functions[i].Blocks))
}

// Add adds one run. On an error nothing was added.
//
// Errors are those of the header, mismatch when map and run are not of one
// program, and corrupt. They are about the run, but for functions that share
// counters, which is the map's.
func (j *Joiner) Add(name string, data []byte, rec *wire.Recorder) error {
	raw, err := OpenRaw(data, rec)
	if err != nil {
		return err
	}
	if err := j.pair(&raw.Header); err != nil {
		return err
	}
	if err := j.lay(uint64(len(data))); err != nil {
		return err
	}
	c := wire.New("counters", data, 0)
	c.RecordSections(rec)
	if err := c.Spend("", "the runs declare more functions and blocks than their bytes can hold", j.kept()); err != nil {
		return err
	}
	run := raw.Runs[0]
	run.File, run.Warnings = name, nil
	if err := j.read(&run, data); err != nil {
		return err
	}
	j.merge(&run)
	return nil
}

// kept is how many bytes a run takes in memory. Folded functions share counters, all of
// them perhaps.
func (j *Joiner) kept() uint64 {
	bytes := uint64(len(j.m.Functions)/8 + 1)
	if j.m.HasCalls() {
		bytes += 4 * uint64(len(j.m.Functions))
	}
	if j.m.HasTimestamps() {
		bytes += 4 * uint64(len(j.m.Functions))
	}
	if j.m.HasBlocks() {
		bytes += uint64(j.m.Blocks/8 + 1)
	}
	return bytes
}

// pair checks that a run's header is that of the map's program. A profile says
// nothing of the width, so then any will do.
func (j *Joiner) pair(h *Header) error {
	with, says := &j.m.Header, "the run is not of the program of "+cmp.Or(j.m.MapFile, "the map")
	width, mapWidth := h.FileType&FileWidth, with.FileType&FileWidth
	err := samePrograms("", says, with, h)
	if fromProfile := with.FileType&FileProfile != 0; err == nil && width != mapWidth && !(fromProfile && mapWidth == 0) {
		err = mismatch("", says, 6, "FileType", "the widths differ", widthWord(mapWidth), widthWord(width))
	}
	return err
}

func widthWord(t FileType) string {
	if t == 0 {
		return "no width"
	}
	return strings.Join(t.Words(), ", ")
}

// lay finds the size of entries with which the map's records fit a run of so many
// bytes. What an earlier run has settled stays.
func (j *Joiner) lay(size uint64) error {
	if j.laid {
		return j.within(size)
	}
	if err := j.sortRecords(); err != nil {
		return err
	}
	var first error
	for n, entry := range entrySizes(j.m.Header.ProfileType) {
		j.entry = entry
		err := j.apart()
		if err == nil {
			err = j.within(size)
		}
		switch {
		case err == nil && (n == 0 || j.leaves(size) == 0):
			if j.laid = true; n > 0 {
				warn(j.m, EntriesByMap)
			}
			return nil
		case n == 0:
			first = err
		}
	}
	j.entry = entrySizes(j.m.Header.ProfileType)[0]
	return first
}

// sortRecords orders the functions by where their counters are, which has to be
// behind the header.
func (j *Joiner) sortRecords() error {
	j.order = make([]int, len(j.m.Functions))
	for i := range j.order {
		j.order[i] = i
	}
	slices.SortFunc(j.order, func(a, b int) int {
		from, to := j.span(a, 0)
		otherFrom, otherTo := j.span(b, 0)
		return cmp.Or(cmp.Compare(from, otherFrom), cmp.Compare(to, otherTo))
	})
	if len(j.order) > 0 && j.m.Functions[j.order[0]].RawOffset < headerSize { // a map's are not
		return &model.FormatError{Kind: model.KindCorrupt, File: j.m.MapFile, Section: "functions",
			Field:    "RawProfileDataOffset",
			Msg:      fmt.Sprintf("the counters of function %d are before the data of the raw file", j.order[0]),
			Expected: fmt.Sprintf("at least %d", headerSize), Found: fmt.Sprint(j.m.Functions[j.order[0]].RawOffset)}
	}
	return nil
}

// within refuses a run that ends before its last record does.
func (j *Joiner) within(size uint64) error {
	if j.RawSize() <= size {
		return nil
	}
	_, last := j.end(j.entry)
	return &model.FormatError{Kind: model.KindCorrupt, Section: "counters", Offset: size,
		Msg: fmt.Sprintf("the counters of function %d run past the end of the file: the run was cut short, or comes "+
			"from another build than %s", last, cmp.Or(j.m.MapFile, "the map")),
		Expected: "at least " + wire.Plural(j.RawSize(), "byte"), Found: fmt.Sprint(size)}
}

// apart refuses a map whose functions share counters in different ways. Two
// with the very same counters are folded duplicates.
func (j *Joiner) apart() error {
	for n := 0; n+1 < len(j.order); n++ {
		a, b := j.order[n], j.order[n+1]
		from, to := j.span(a, j.entry)
		nextFrom, nextTo := j.span(b, j.entry)
		if nextFrom < to && (from != nextFrom || to != nextTo) {
			return &model.FormatError{Kind: model.KindCorrupt, File: j.m.MapFile, Section: "functions",
				Offset:   j.m.Functions[b].RecordOffset,
				Msg:      fmt.Sprintf("the counters of functions %d and %d overlap in the raw file", a, b),
				Expected: fmt.Sprintf("from byte %d on", to), Found: fmt.Sprint(nextFrom)}
		}
	}
	return nil
}

// leaves is how many bytes of a run of this size belong to no record and are more
// than padding: entries of this size are then not those of the run.
func (j *Joiner) leaves(size uint64) (bytes uint64) {
	padding := uint64(1)
	if j.entry == 4 {
		padding = 4
	}
	at := uint64(headerSize)
	for _, i := range j.order {
		from, to := j.span(i, j.entry)
		if from >= at+padding {
			bytes += from - at
		}
		at = max(at, to)
	}
	if size >= at+8 { // the section's own padding
		bytes += size - at
	}
	return bytes
}

// Coverage bytes of a raw file: the instrumentation stores a zero where there
// was a one in every bit (mip.md §4).
const (
	covered    = 0x00
	notCovered = 0xff
)

// read reads the counters of a run; its size was checked.
func (j *Joiner) read(run *Run, data []byte) error {
	m := j.m
	run.Executed = NewBits(len(m.Functions))
	if j.entry == 8 || j.entry == 4 && m.HasCalls() {
		run.Calls = make([]uint32, len(m.Functions))
	}
	if j.entry == 8 || j.entry == 4 && m.HasTimestamps() {
		run.First = make([]uint32, len(m.Functions))
	}
	if m.HasBlocks() {
		run.Blocks = NewBits(m.Blocks)
	}
	odd := uint64(0)
	for i := range m.Functions {
		f := &m.Functions[i]
		at := f.RawOffset
		switch j.entry {
		case 8, 4:
			if err := j.readWords(run, i, data[at:at+j.entry], at); err != nil {
				return err
			}
		case 1:
			switch data[at] {
			case covered:
				run.Executed.Set(i)
			case notCovered:
			default:
				odd++
			}
		}
		at += j.entry
		for b := range j.counted(i) {
			switch data[at+b] {
			case covered:
				run.Blocks.Set(f.FirstBlock + int(b))
				if blocksAlone(m) {
					run.Executed.Set(i)
				}
			case notCovered:
			default:
				odd++
			}
		}
	}
	if odd > 0 {
		run.OddBytes = odd
		run.Warnings = []Warning{OddByte}
	}
	return nil
}

// blocksAlone reports whether nothing but blocks was counted: a function ran if a
// block of it did.
func blocksAlone(m *Profile) bool { return m.Header.ProfileType&^ReturnAddress == BlockCoverage }

// readWords reads the call count and the timestamp of a function, or the one of
// them that there is. Where the header names both they are set together; one that
// it does not name may never have been.
func (j *Joiner) readWords(run *Run, i int, b []byte, at uint64) error {
	calls, first := uint32(Never), uint32(Never)
	switch {
	case j.entry == 8:
		calls, first = binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	case run.Calls != nil:
		calls = binary.LittleEndian.Uint32(b)
	default:
		first = binary.LittleEndian.Uint32(b)
	}
	if j.m.HasCalls() && j.m.HasTimestamps() && (calls == Never) != (first == Never) {
		return &model.FormatError{Kind: model.KindCorrupt, Section: "counters", Field: "CallCount", Offset: at,
			Msg:      fmt.Sprintf("function %d has a call count without a timestamp, or the reverse", i),
			Expected: "both, or neither", Found: fmt.Sprintf("%08x and %08x", calls, first)}
	}
	ran := calls != Never
	if j.m.HasTimestamps() {
		ran = first != Never
	}
	if !ran || calls == 0 {
		return nil
	}
	run.Executed.Set(i)
	if calls != Never && run.Calls != nil {
		run.Calls[i] = calls
	}
	if first != Never && run.First != nil {
		run.First[i] = first
	}
	return nil
}

// merge adds a run to the functions (mip.md §5).
func (j *Joiner) merge(run *Run) {
	m := j.m
	for i := range m.Functions {
		f := &m.Functions[i]
		for b := range j.counted(i) {
			if run.Blocks.Has(f.FirstBlock + int(b)) {
				f.Blocks[b].Covered = true
			}
		}
		if !run.Executed.Has(i) {
			continue
		}
		f.MergeCount++
		if run.First != nil {
			f.TimestampSum = j.add(f.TimestampSum, uint64(run.First[i]))
		}
		if run.Calls == nil {
			f.CallCount = max(f.CallCount, 1)
			continue
		}
		f.CallCount = j.add(f.CallCount, uint64(run.Calls[i]))
		f.Saturated = f.Saturated || run.Calls[i] == MaxCalls
	}
	m.Runs = append(m.Runs, *run)
	for _, w := range run.Warnings {
		warn(m, w)
	}
	if m.Form == FormatMap {
		asProfile(m)
	}
}

// add adds, and stops at what 64 bits hold.
func (j *Joiner) add(a, b uint64) uint64 { return addCounts(j.m, a, b) }

func addCounts(m *Profile, a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		warn(m, Saturated)
		return math.MaxUint64
	}
	return a + b
}

// warn notes a warning, once.
func warn(m *Profile, w Warning) {
	if i, found := slices.BinarySearch(m.Warnings, w); !found {
		m.Warnings = slices.Insert(m.Warnings, i, w)
	}
}

// asProfile makes of a map's facts those of the profile that it becomes.
func asProfile(m *Profile) {
	m.Form, m.Layout = FormatProfile, Documented
	m.Header.RawSectionOffset = 0
}
