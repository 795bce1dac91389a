package sampleprof

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"proflens/decode/model"
)

// Family is the family of sample profiles.
const Family model.Family = "sample"

// The formats of sample profiles.
const (
	FormatText      model.Format = "sample-text"
	FormatBinary    model.Format = "sample-binary"
	FormatCompact   model.Format = "sample-compact"
	FormatExtBinary model.Format = "sample-extbinary"
	FormatGCC       model.Format = "sample-gcc"
)

// The kinds of faults that only sample profiles have, in LLVM's words.
const (
	// a number of a name, or of a context, that the table has not got
	KindTruncatedNameTable model.Kind = "truncated_name_table"
	KindIllegalLineOffset  model.Kind = "illegal_line_offset" // a body record beyond line offset 65535
	KindCounterOverflow    model.Kind = "counter_overflow"    // a text whose repeated records add up past 64 bits
	KindHashMismatch       model.Kind = "hash_mismatch"       // profiles of different builds of a function
)

// Profile is a sample profile. Functions and names refer to each other by index, so
// that one of a hundred thousand functions is a few slices and not a map of maps.
type Profile struct {
	Format  model.Format
	Version uint64 // 103 in LLVM's binary forms; 704, 1 or 2 in GCC's; 0 of text
	Flags   Flags
	// Reader is the newest release of LLVM that reads the file: 13 or 16, or 0 for
	// today's. It says how the tool orders ties, and what it prints of attributes.
	Reader int

	Names []Name // each once; what Function.Name, Target.Name and so on count in
	// Contexts are the calling contexts of a profile with [FullContexts], each once.
	Contexts [][]Frame
	// Functions are by total, descending, ties by name or context: the order in which
	// every tool lists them. Each name, or context, stands once.
	Functions []*Function
	read      []*Function // as they stood in the file or, of what was added up, as they were added
	added     bool
	table     *Table // in which they stand, where functions were taken out and others added
	// Summary is as it stands in the file; nil for text and GCC's form, which have none.
	Summary *Summary
	// Symbols are all those of the profiled program, sorted, so that what was never
	// sampled can be told from what is new; nil where the profile has no list.
	Symbols []string
	// Sections are the sections of an extensible file in the order of its table, empty
	// ones too.
	Sections []Section
	// Program is what the programs that were given with the profile say of its functions;
	// nil where none was.
	Program *Program
	// Found is what the reader noticed.
	Found []model.Finding
}

// Flags say what a profile is.
type Flags uint16

// The flags.
const (
	Partial          Flags = 1 << iota // of code that programs share
	FullContexts                       // functions stand by calling context (CSSPGO)
	FSDiscriminators                   // discriminators of all passes (FS-AFDO)
	PreInlined                         // the pre-inliner decided what is to be inlined
	Probes                             // offsets are numbers of pseudo probes, functions have checksums
	MD5Names                           // names are MD5 hashes
	FixedMD5                           // and stand with eight bytes each
	Uniq                               // names have a suffix for each module, ".__uniq."
	VTables                            // the file has room for vtables
	Attributed                         // the file has room for attributes
	Compressed                         // sections are compressed
	Split                              // functions without inlined callees stand in a section of their own
)

// AllFlags are all that there may be.
const AllFlags = ^Flags(0)

// Comparable reports whether profiles with such flags can be compared place by place, or added
// up, as far as some flags go. The error, of kind incompatible, says that one has contexts or
// probes and the other has not.
func (f Flags) Comparable(test, asked Flags) *model.FormatError {
	for _, unlike := range []struct {
		flag Flags
		what string
	}{{Probes, "pseudo probes"}, {FullContexts, "calling contexts"}} {
		if (f^test)&asked&unlike.flag != 0 {
			return &model.FormatError{
				Kind: model.KindIncompatible, Section: "header", Msg: fmt.Sprintf("one has %s and the other has not", unlike.what),
			}
		}
	}
	return nil
}

var flagWords = []string{
	"partial", "full contexts", "FS discriminators", "pre-inlined", "probes", "MD5 names", "", "unique suffixes",
	"vtables", "", "compressed", "split layout",
}

// Has reports whether all of f are set.
func (f Flags) Has(of Flags) bool { return f&of == of }

// Words names the flags that tell people something, in the order of their bits.
func (f Flags) Words() (list []string) {
	for i, word := range flagWords {
		if f&(1<<i) != 0 && word != "" {
			list = append(list, word)
		}
	}
	return list
}

// NameID is the index of a name in Profile.Names.
type NameID uint32

// Function is one function: of the profile, or inlined into another.
type Function struct {
	Name    NameID
	Context int32 // index in Profile.Contexts of a function with one; -1 of others
	// Total covers the function and what it inlined. It is no sum of the counts below:
	// converters count instructions, while a count is the largest of its line.
	Total    uint64
	Head     uint64 // times entered by a branch; 0 of inlined functions
	Checksum uint64 // of the control flow graph, with probes; 0 is none
	// Attributes are bits: 1 was inlined, 2 should be inlined, 4 is already merged into
	// the base profile.
	Attributes uint32
	Ordinal    uint32   // among the functions of its file
	Body       []Record // by place, each once
	Sites      []Site   // by place and callee, each once
	VTables    []VTable // by place and type, each once
}

// The attributes of a function.
const (
	WasInlined      = 1
	ShouldBeInlined = 2
	MergedIntoBase  = 4
)

// Loc is a place in a function: lines below its declaration or, with probes, the
// number of a probe; and a discriminator.
type Loc struct{ Offset, Discriminator uint32 }

// Compare orders places by offset, then discriminator.
func (l Loc) Compare(m Loc) int {
	if c := cmp.Compare(l.Offset, m.Offset); c != 0 {
		return c
	}
	return cmp.Compare(l.Discriminator, m.Discriminator)
}

// String is "12", or "12.3" with a discriminator.
func (l Loc) String() string {
	if l.Discriminator == 0 {
		return fmt.Sprint(l.Offset)
	}
	return fmt.Sprintf("%d.%d", l.Offset, l.Discriminator)
}

// Record is the samples at a place of the function itself.
type Record struct {
	Loc
	Count   uint64
	Targets []Target // calls from there that were not inlined, by count, descending, then name
}

// Target is a function that was called.
type Target struct {
	Name  NameID
	Count uint64
}

// Site is a callee that was inlined at a place. Several may share one.
type Site struct {
	Loc
	Callee *Function
}

// VTable is how often a type was seen at a place.
type VTable struct {
	Loc
	Type  NameID
	Count uint64
}

// Frame is one step of a calling context, outermost first; the last one's place is
// 0 and means nothing.
type Frame struct {
	Name NameID
	Loc  Loc // of the call
}

// Summary is what a file says of its counts (sampleprof.md §9.1).
type Summary struct {
	Total       uint64 `api:"total_count,exact"` // of all counts
	MaxCount    uint64 `api:"max_count,exact"`
	MaxFunction uint64 `api:"max_function,exact"` // the largest head
	Counts      uint64 `api:"num_counts,exact"`
	Functions   uint64 `api:"functions,exact"`
	Entries     []SummaryEntry
}

// SummaryEntry says that Counts counts of at least MinCount make up the share Cutoff,
// in millionths, of all samples.
type SummaryEntry struct{ Cutoff, MinCount, Counts uint64 }

// MinCount is the smallest count within a share, in millionths: that of the first entry
// which covers it. False when the summary has none.
func (s *Summary) MinCount(cutoff uint64) (uint64, bool) {
	if s == nil {
		return 0, false
	}
	i := slices.IndexFunc(s.Entries, func(e SummaryEntry) bool { return e.Cutoff >= cutoff })
	if i < 0 {
		return 0, false
	}
	return s.Entries[i].MinCount, true
}

// Section is one of an extensible file, as its table has it.
type Section struct {
	Type, Flags  uint64
	Offset, Size uint64
}

// Findings are what was noticed.
func (p *Profile) Findings() []model.Finding { return p.Found }

// Has reports whether the profile has all of these flags.
func (p *Profile) Has(f Flags) bool { return p.Flags.Has(f) }

// Entry estimates how often a function was entered: in a profile with contexts its head,
// if it has one; else the count at its first place (sampleprof.md §2).
func (p *Profile) Entry(f *Function) uint64 {
	if p.Has(FullContexts) && f.Head != 0 {
		return f.Head
	}
	n := uint64(0)
	switch {
	case len(f.Body) > 0 && (len(f.Sites) == 0 || f.Body[0].Compare(f.Sites[0].Loc) < 0):
		n = f.Body[0].Count
	case len(f.Sites) > 0:
		for _, s := range f.Sites {
			if s.Loc != f.Sites[0].Loc {
				break
			}
			n = Add(n, p.Entry(s.Callee))
		}
	}
	if n == 0 && f.Total > 0 {
		return 1
	}
	return n
}

// Add adds counts, which stop at the largest.
func Add(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return ^uint64(0)
	}
	return sum
}

// Multiply multiplies counts, which stop at the largest.
func Multiply(a, b uint64) uint64 {
	over, product := bits.Mul64(a, b)
	if over != 0 {
		return ^uint64(0)
	}
	return product
}
