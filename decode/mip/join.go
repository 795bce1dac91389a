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
// (mip.md §5).
type Joiner struct {
	m       *Profile
	checked bool
	end     uint64 // of the last counters in a raw file, as the map has them
	last    int    // the function whose they are
}

// NewJoiner joins runs to m, which it changes. m must not be a raw file.
func NewJoiner(m *Profile) *Joiner { return &Joiner{m: m} }

// RawSize is how many bytes a raw file of the map takes.
func (j *Joiner) RawSize() uint64 {
	j.measure()
	return max(j.end, headerSize)
}

func (j *Joiner) measure() {
	if j.end > 0 {
		return
	}
	for i := range j.m.Functions {
		// Offsets beyond any file must not wrap round.
		if end := min(j.m.Functions[i].RawOffset, math.MaxUint64/2) + j.recordSize(i); end > j.end {
			j.end, j.last = end, i
		}
	}
}

// counted is how many blocks of a function have counters.
func (j *Joiner) counted(i int) uint64 {
	if !j.m.HasBlocks() {
		return 0
	}
	return uint64(len(j.m.Functions[i].Blocks))
}

// entrySize is the bytes of a function's own counters: a coverage byte, or a
// count and a timestamp (mip.md §4).
func (j *Joiner) entrySize() uint64 {
	if j.m.HasTimestamps() {
		return 8
	}
	return 1
}

func (j *Joiner) recordSize(i int) uint64 { return j.entrySize() + j.counted(i) }

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
	if err := j.checkMap(); err != nil {
		return err
	}
	if size := uint64(len(data)); j.RawSize() > size {
		return &model.FormatError{Kind: model.KindCorrupt, Section: "counters", Offset: size,
			Msg:      fmt.Sprintf("the counters of function %d pass the end of the file: the run was cut, or is of another build than %s", j.last, j.mapName()),
			Expected: "at least " + wire.Plural(j.RawSize(), "byte"), Found: fmt.Sprint(size)}
	}
	run := raw.Runs[0]
	run.File, run.Warnings = name, nil
	if err := j.read(&run, data); err != nil {
		return err
	}
	j.merge(&run)
	return nil
}

func (j *Joiner) mapName() string {
	if j.m.MapFile == "" {
		return "the map"
	}
	return j.m.MapFile
}

// pair checks that a run's header is that of the map's program. A profile says
// nothing of the width, so then any will do.
func (j *Joiner) pair(h *Header) error {
	with := &j.m.Header
	mismatch := func(offset uint64, field, what, want, found string) error {
		return &model.FormatError{Kind: model.KindMismatch, Section: "header", Field: field, Offset: offset,
			Msg: fmt.Sprintf("the run is not of the program of %s: %s", j.mapName(), what), Expected: want, Found: found}
	}
	width, mapWidth := h.FileType&FileWidth, with.FileType&FileWidth
	fromProfile := with.FileType&FileProfile != 0
	switch {
	case h.ModuleHash != with.ModuleHash:
		return mismatch(12, "ModuleHash", "the module hashes differ", fmt.Sprintf("0x%08x", with.ModuleHash), fmt.Sprintf("0x%08x", h.ModuleHash))
	case h.ProfileType != with.ProfileType:
		return mismatch(8, "ProfileType", "the profile types differ", strings.Join(with.ProfileType.Words(), ", "), strings.Join(h.ProfileType.Words(), ", "))
	case width != mapWidth && !(fromProfile && mapWidth == 0):
		return mismatch(6, "FileType", "the widths differ", widthWord(mapWidth), widthWord(width))
	}
	return nil
}

func widthWord(t FileType) string {
	if t == 0 {
		return "no width"
	}
	return strings.Join(t.Words(), ", ")
}

// checkMap refuses a map whose functions share counters in different ways. Two
// with the very same counters are folded duplicates.
func (j *Joiner) checkMap() error {
	if j.checked {
		return nil
	}
	j.measure()
	order := make([]int, len(j.m.Functions))
	for i := range order {
		order[i] = i
	}
	at := func(i int) (from, to uint64) {
		from = min(j.m.Functions[i].RawOffset, math.MaxUint64/2)
		return from, from + j.recordSize(i)
	}
	slices.SortFunc(order, func(a, b int) int {
		from, to := at(a)
		otherFrom, otherTo := at(b)
		return cmp.Or(cmp.Compare(from, otherFrom), cmp.Compare(to, otherTo))
	})
	if len(order) > 0 && j.m.Functions[order[0]].RawOffset < headerSize { // a map's are not
		return &model.FormatError{Kind: model.KindCorrupt, File: j.m.MapFile, Section: "functions", Field: "RawProfileDataOffset",
			Msg:      fmt.Sprintf("the counters of function %d are before the data of the raw file", order[0]),
			Expected: fmt.Sprintf("at least %d", headerSize), Found: fmt.Sprint(j.m.Functions[order[0]].RawOffset)}
	}
	for n := 0; n+1 < len(order); n++ {
		from, to := at(order[n])
		nextFrom, nextTo := at(order[n+1])
		if nextFrom < to && (from != nextFrom || to != nextTo) {
			a, b := order[n], order[n+1]
			return &model.FormatError{Kind: model.KindCorrupt, File: j.m.MapFile, Section: "functions", Offset: j.m.Functions[b].RecordOffset,
				Msg:      fmt.Sprintf("the counters of functions %d and %d overlap in the raw file", a, b),
				Expected: fmt.Sprintf("from byte %d on", to), Found: fmt.Sprint(nextFrom)}
		}
	}
	j.checked = true
	return nil
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
	if m.HasTimestamps() {
		run.Calls, run.First = make([]uint32, len(m.Functions)), make([]uint32, len(m.Functions))
	}
	if m.HasBlocks() {
		run.Blocks = NewBits(m.Blocks)
	}
	odd := uint64(0)
	for i := range m.Functions {
		f := &m.Functions[i]
		at := f.RawOffset
		if run.Calls == nil {
			switch data[at] {
			case covered:
				run.Executed.Set(i)
			case notCovered:
			default:
				odd++
			}
		} else if err := readCounts(run, i, data[at:at+8], at); err != nil {
			return err
		}
		at += j.entrySize()
		for b := range j.counted(i) {
			switch data[at+b] {
			case covered:
				run.Blocks.Set(f.FirstBlock + int(b))
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

// readCounts reads the call count and the timestamp of a function.
func readCounts(run *Run, i int, b []byte, at uint64) error {
	calls, first := binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])
	if (calls == Never) != (first == Never) {
		return &model.FormatError{Kind: model.KindCorrupt, Section: "counters", Field: "CallCount", Offset: at,
			Msg:      fmt.Sprintf("function %d has one of call count and timestamp without the other", i),
			Expected: "both, or neither", Found: fmt.Sprintf("%08x and %08x", calls, first)}
	}
	if calls != Never && calls > 0 {
		run.Executed.Set(i)
		run.Calls[i], run.First[i] = calls, first
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
		if run.Calls == nil {
			f.CallCount = max(f.CallCount, 1)
			continue
		}
		f.CallCount = j.add(f.CallCount, uint64(run.Calls[i]))
		f.TimestampSum = j.add(f.TimestampSum, uint64(run.First[i]))
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
