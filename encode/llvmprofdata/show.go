package llvmprofdata

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/encode"
	"proflens/internal/humanize"
)

// ShowOptions are those of llvm-profdata show for instrumentation profiles, by its names.
type ShowOptions struct {
	AllFunctions    bool     `show:"all-functions"`
	Counts          bool     `show:"counts"`
	Covered         bool     `show:"covered"`
	ICTargets       bool     `show:"ic-targets"`
	VTables         bool     `show:"show-vtables"`
	MemOPSizes      bool     `show:"memop-sizes"`
	Text            bool     `show:"text"`
	ShowCS          bool     `show:"showcs"`
	ListBelowCutoff bool     `show:"list-below-cutoff"`
	DetailedSummary bool     `show:"detailed-summary"`
	BinaryIDs       bool     `show:"binary-ids"`
	ProfileVersion  bool     `show:"profile-version"`
	Traces          bool     `show:"temporal-profile-traces"`
	HotFuncs        bool     `show:"hot-func-list"`
	Function        string   `all:"function"`
	ValueCutoff     uint64   `show:"value-cutoff"`
	TopN            uint64   `show:"topn"`
	Cutoffs         []uint64 // of the detailed summary; nil is LLVM's
}

// Show prints a profile as llvm-profdata show does (instrprof.md §6.3). The error is the
// source's, behind what was printed of the records before it, or the writer's.
func Show(w io.Writer, src instrprof.Source, o ShowOptions) error {
	s := shown{
		b: bufio.NewWriterSize(w, 1<<16), ShowOptions: o, info: src.Info(),
		ir: src.Info().Variant.Has(instrprof.IRProf), names: encode.SymbolsOf(src),
	}
	switch {
	case !o.Text && o.ListBelowCutoff:
		fmt.Fprintf(s.b, "The list of functions with the maximum counter less than %d:\n", o.ValueCutoff)
	case o.Text && s.ir:
		s.b.WriteString(":ir\n")
	}
	for f, err := range src.Functions() {
		if err != nil {
			return cmp.Or(s.b.Flush(), err)
		}
		s.function(f)
	}
	if !o.Text && !o.Covered {
		if err := s.summary(src); err != nil {
			return err
		}
	}
	return s.b.Flush()
}

// shown is what is known of the functions that were passed.
type shown struct {
	ShowOptions
	b          *bufio.Writer
	info       *instrprof.Info
	ir         bool
	names      *encode.Symbols
	functions  uint64 // that were printed
	below      uint64 // with a maximum below the cutoff
	sum        analyze.Summarizer
	hottest    hottest
	counted    []hotFunction // all, for those that are hot
	statistics [instrprof.NumValueKinds]siteStatistics
	text       []byte
}

func (s *shown) wants(name []byte) bool {
	return s.AllFunctions || s.Function != "" && bytes.Contains(name, []byte(s.Function))
}

// function prints a function, or counts it alone.
func (s *shown) function(f *instrprof.Function) {
	if s.ir && (f.FuncHash&instrprof.CSFlagInFuncHash != 0) != s.ShowCS {
		return
	}
	show := s.wants(f.Name)
	if show && s.Text {
		s.text = encode.AppendProftext(s.text[:0], f, s.names)
		s.b.Write(s.text)
		return
	}
	s.sum.Add(f)
	if s.Covered {
		if slices.ContainsFunc(f.Counters, func(c uint64) bool { return c > 0 }) {
			fmt.Fprintf(s.b, "%s\n", f.Name)
		}
		return
	}
	if f.IsPseudo() {
		if show {
			s.head(f, "")
			words := map[uint64]string{instrprof.PseudoHot: "Hot", instrprof.PseudoWarm: "Warm"}
			fmt.Fprintf(s.b, "    <Pseudo%s>\n", words[f.Counters[0]])
		}
		return
	}
	var most, sum uint64
	for _, c := range f.Counters {
		most = max(most, c)
		sum += c
	}
	switch {
	case most < s.ValueCutoff:
		s.below++
		if s.ListBelowCutoff {
			fmt.Fprintf(s.b, "  %s: (Max = %d Sum = %d)\n", f.Name, most, sum)
		}
		return
	case s.ListBelowCutoff:
		return
	}
	s.hottest.add(f.Name, most, s.TopN)
	if s.HotFuncs {
		s.counted = append(s.counted, hotFunction{string(f.Name), most})
	}
	if show {
		s.head(f, "\n")
		s.body(f)
	}
}

// hot lists the functions with a counter of the threshold or more, the largest first.
func (s *shown) hot(threshold uint64) {
	fmt.Fprintf(s.b, "# Hot count threshold: %d\n", threshold)
	slices.SortStableFunc(s.counted, func(a, b hotFunction) int { return cmp.Compare(b.count, a.count) })
	for _, f := range s.counted {
		if f.count < threshold {
			break
		}
		fmt.Fprintf(s.b, "%s\n", f.name)
	}
}

func (s *shown) head(f *instrprof.Function, end string) {
	if s.functions == 0 {
		s.b.WriteString("Counters:\n")
	}
	s.functions++
	t := append(append(s.b.AvailableBuffer(), "  "...), f.Name...)
	t = appendHash(append(t, ":\n    Hash: 0x"...), f.FuncHash)
	t = humanize.AppendUint(append(t, "\n    Counters: "...), uint64(len(f.Counters)))
	s.b.Write(append(t, end...))
}

// appendHash appends 16 hexadecimal digits: printing takes half of the time that a record does.
func appendHash(to []byte, hash uint64) []byte {
	return hex.AppendEncode(to, binary.BigEndian.AppendUint64(nil, hash))
}

func (s *shown) body(f *instrprof.Function) {
	if !s.ir && len(f.Counters) > 0 {
		fmt.Fprintf(s.b, "    Function count: %d\n", f.Counters[0])
	}
	memops := len(f.Sites[instrprof.MemOPSize])
	if s.ICTargets {
		fmt.Fprintf(s.b, "    Indirect Call Site Count: %d\n", len(f.Sites[instrprof.IndirectCallTarget]))
	}
	if s.VTables {
		fmt.Fprintf(s.b, "    Number of instrumented vtables: %d\n", len(f.Sites[instrprof.VTableTarget]))
	}
	if s.MemOPSizes && memops > 0 {
		fmt.Fprintf(s.b, "    Number of Memory Intrinsics Calls: %d\n", memops)
	}
	if s.Counts {
		s.counts(f.Counters)
	}
	if s.ICTargets {
		s.b.WriteString("    Indirect Target Results:\n")
		s.sites(f, instrprof.IndirectCallTarget)
	}
	if s.VTables {
		s.b.WriteString("    VTable Results:\n")
		s.sites(f, instrprof.VTableTarget)
	}
	if s.MemOPSizes && memops > 0 {
		s.b.WriteString("    Memory Intrinsic Size Results:\n")
		s.sites(f, instrprof.MemOPSize)
	}
}

// counts prints all counters; of front-end instrumentation the first stands apart.
func (s *shown) counts(counters []uint64) {
	if !s.ir && len(counters) > 0 {
		counters = counters[1:]
	}
	t := append(s.b.AvailableBuffer(), "    Block counts: ["...)
	for i, c := range counters {
		if i > 0 {
			t = append(t, ',', ' ')
		}
		t = humanize.AppendUint(t, c)
	}
	s.b.Write(append(t, ']', '\n'))
}

// summary prints what stands behind the functions.
func (s *shown) summary(src instrprof.Source) error {
	cutoffs := s.Cutoffs
	if cutoffs == nil {
		cutoffs = analyze.DefaultCutoffs
	}
	sum := s.sum.SummaryAt(cutoffs)
	level := "Front-end"
	if v := s.info.Variant; s.ir {
		level = fmt.Sprintf("IR  entry_first = %d  instrument_loop_entries = %d", bit(v.Has(instrprof.InstrEntry)),
			bit(v.Has(instrprof.InstrLoopEntries)))
	}
	fmt.Fprintf(s.b, "Instrumentation level: %s\n", level)
	if s.AllFunctions || s.Function != "" {
		fmt.Fprintf(s.b, "Functions shown: %d\n", s.functions)
	}
	fmt.Fprintf(s.b, "Total functions: %d\nMaximum function count: %d\nMaximum internal block count: %d\n"+
		"Total number of blocks: %d\nTotal count: %d\n", sum.NumFunctions, sum.MaxFunctionCount, sum.MaxInternalCount,
		sum.NumCounts, sum.TotalCount)
	if s.ValueCutoff > 0 {
		fmt.Fprintf(s.b, "Number of functions with maximum count (< %d): %d\n"+
			"Number of functions with maximum count (>= %[1]d): %[3]d\n", s.ValueCutoff, s.below, sum.NumFunctions-s.below)
	}
	if s.TopN > 0 {
		fmt.Fprintf(s.b, "Top %d functions with the largest internal block counts: \n", s.TopN)
		for _, f := range s.hottest {
			fmt.Fprintf(s.b, "  %s, max count = %d\n", f.name, f.count)
		}
	}
	if s.HotFuncs {
		s.hot(analyze.ThresholdsOf(sum).Hot)
	}
	if s.functions > 0 {
		if s.ICTargets {
			s.statisticsOf(instrprof.IndirectCallTarget, "indirect call sites")
		}
		if s.VTables {
			s.statisticsOf(instrprof.VTableTarget, "vtable")
		}
		if s.MemOPSizes {
			s.statisticsOf(instrprof.MemOPSize, "memory intrinsic calls sizes")
		}
	}
	if s.DetailedSummary {
		detailed(s.b, sum.NumCounts, sum.Detailed)
	}
	if s.BinaryIDs && (s.info.Format == instrprof.FormatIndexed || len(s.info.BinaryIDs) > 0) {
		s.b.WriteString("Binary IDs: \n")
		for _, id := range s.info.BinaryIDs {
			fmt.Fprintf(s.b, "%s\n", hex.EncodeToString(id))
		}
	}
	if s.ProfileVersion {
		version := s.info.Version
		if s.info.Format == instrprof.FormatRaw { // the word of the header, with its flags
			version |= uint64(s.info.Variant)
		}
		fmt.Fprintf(s.b, "Profile version: %d\n", version)
	}
	if s.Traces {
		return s.traces(src)
	}
	return nil
}

func bit(on bool) int {
	if on {
		return 1
	}
	return 0
}

// detailed prints how few counts make up which share of all.
func detailed(b *bufio.Writer, blocks uint64, entries []instrprof.SummaryEntry) {
	b.WriteString("Detailed summary:\n")
	for _, e := range entries {
		share := float64(e.NumCounts) * 100 / float64(max(blocks, 1))
		cutoff := strconv.FormatFloat(float64(float32(e.Cutoff)/1e6*100), 'g', 6, 64)
		fmt.Fprintf(b, "%d blocks (%.2f%%) with count >= %d account for %s%% of the total counts.\n", e.NumCounts, share,
			e.MinCount, cutoff)
	}
}

func (s *shown) traces(src instrprof.Source) error {
	symbols := s.names
	if s.info.Format == instrprof.FormatText {
		var err error
		if symbols, err = TraceSymbols(src); err != nil {
			return err
		}
	}
	var list []instrprof.Trace
	for t, err := range src.Traces() {
		if err != nil {
			return err
		}
		t.NameRefs = slices.Clone(t.NameRefs)
		list = append(list, t)
	}
	fmt.Fprintf(s.b, "Temporal Profile Traces (samples=%d seen=%d):\n", len(list), s.info.TraceStreamSize)
	for i, t := range list {
		fmt.Fprintf(s.b, "  Temporal Profile Trace %d (weight=%d count=%d):\n", i, t.Weight, len(t.NameRefs))
		for _, ref := range t.NameRefs {
			fmt.Fprintf(s.b, "    %s\n", symbols.Of(ref))
		}
	}
	return nil
}
