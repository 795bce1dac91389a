package format

import (
	"context"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Suite is formats whose files can form one profile, and how they do.
type Suite struct {
	Formats []*Format
	Reads   string // what its profiles are called, for who gave another file
	// Recognise tells files of the suite by their content or, where it binds, by
	// their name. It looks at headers only and is cheap.
	Recognise func(name string, data []byte) (Recognised, bool)
	// Guess is asked when no suite recognised a file, and it is of no foreign kind
	// either; nil for those that never guess. Whoever then takes the file knows best
	// what is wrong with it.
	Guess func(name string, data []byte) (Recognised, bool)
	// Open makes one profile of files that were recognised, of which the first
	// that is a profile is of the suite; see decode.Open.
	Open func(ctx context.Context, files []File, o Options) (*Profile, error)
	// Merge adds decoded profiles up; nil where there is no such thing. See
	// decode.Merge.
	Merge func(ctx context.Context, profiles []Weighted, o MergeOptions) (*Profile, error)
	// Sum is the name of the export that a merged profile is kept as, and SumText of
	// the one that it is written as in text; empty where there is none.
	Sum, SumText string
}

// Format is one kind of file.
type Format struct {
	Name   model.Format
	Prefix string // begins the codes of findings: "raw" in "raw.truncated"
	// Inspect reads a whole file: its sections go to rec, what is said of it as a
	// whole into a. The error is what stopped the reading.
	Inspect func(a *model.Anatomy, f File, rec *wire.Recorder) error
	// Outline reads as much as the sections of a file need to be found.
	Outline func(f File, rec *wire.Recorder) error
	// Locate finds a function in one of a profile's files and works out where its
	// data stand; nil where no record has its own place. What it finds none for has a
	// nil location, and perhaps matches.
	Locate func(ctx context.Context, files []File, at int, wanted model.Wanted) (*model.Location, []model.Match, error)
	// Advice is for faults of which the format knows more than is generally said.
	Advice map[model.Kind]Advice
}

// File is one input: its bytes, usually a memory map, which must stay unchanged
// as long as the profile is in use.
type File struct {
	Name   string
	Data   []byte
	Weight uint64 // counts are multiplied by it; 0 means 1
	// Optional says that the file came along with others: it is left out, with a finding,
	// when it is no profile, is damaged, or is the program of none of them.
	Optional bool
	// Is is what the file was recognised as; nil before.
	Is *Recognised
}

// Recognised is what the first bytes of a file say it is.
type Recognised struct {
	Format   *Format // nil for a file of no kind that is read
	Families []model.Family
	Describe string // one line: "LLVM raw v8, 64-bit, little-endian, IR, entry first"
	// Key is equal for files that form one profile; empty where a file stands by
	// itself, and where that cannot be told.
	Key string
	// Single says that a profile has at most one such file among those of its Key.
	Single bool
	// Empty says that the file has no bytes: a program that never wrote its
	// profile. It may stand among other files and adds nothing.
	Empty bool
	// Claim says how much the file wants a companion; nil for files that want none.
	Claim func(companion *Recognised) Claim
	// Complete says that the profile is whole without a companion.
	Complete bool
	// Sole says that a profile of such files takes one companion.
	Sole bool
	// Companion is set for what is no profile and may stand beside one, such as an
	// executable: what the package that recognised it knows, for claims.
	Companion any
	// Late companions are looked for a place once the others have theirs.
	Late bool
	// Fault is what its header says of a profile that cannot be read as it stands; nil
	// where it says no such thing.
	Fault error
	// Ahead says that the file was recognised by its beginning alone.
	Ahead bool
	// Else is what the file is if it is not what it was guessed to be; nil for what is
	// certain. See [Settle].
	Else *Recognised
	// Err is a [*model.FormatError] when the file is none that can be read:
	// unrecognized_format or, for a known but unread format,
	// unsupported_version. A damaged file of a known format has none here. A
	// companion has one, as it is no profile, whatever it may stand beside.
	Err error
}

// Claim is how much a file wants a companion.
type Claim int

// The claims, weakest first.
const (
	NoClaim  Claim = iota
	Welcomes       // takes what no other file claims
	Prefers        // has more use for it than those that welcome it
	Fits           // is perhaps of the same program
	Owns           // is certainly of the same program: profiles that own one file are one
)

// Is reports whether a file was recognised as of one of these formats.
func (r *Recognised) Is(names ...model.Format) bool {
	if r == nil || r.Format == nil {
		return false
	}
	return slices.Contains(names, r.Format.Name)
}

// IsProfile reports whether a file is one that can be read as a profile.
func (r *Recognised) IsProfile() bool { return r.Err == nil && !r.Empty }

// Foreign reports whether a file is of no kind that is read, nor a profile of a
// kind that is known.
func (r *Recognised) Foreign() bool {
	return r.Err != nil && model.KindOf(r.Err) == model.KindUnrecognizedFormat
}

// Options are for opening files.
type Options struct {
	// Progress is told now and then how many bytes of how many are decoded.
	Progress func(done, total uint64)
	// Passed is told now and then of bytes of a file, from one to before another, that were
	// read and will not soon be read again, by several goroutines; nil where nobody cares.
	Passed func(file []byte, from, to uint64)
	// Record keeps sections and header fields of every file in Profile.Inputs.
	Record bool
	// Allowance is what the files may be made to together; decode.Open sees to it.
	Allowance *wire.Allowance
	// Salvage decodes the readable beginning of raw files that end too soon,
	// instead of refusing them. Info.Partial then says what there is of them.
	Salvage bool
}

// Recorder is one for a file: it keeps sections when they are wanted, and has the
// allowance of all files.
func (o *Options) Recorder() *wire.Recorder {
	if !o.Record {
		return wire.Allow(o.Allowance)
	}
	return &wire.Recorder{Allowance: o.Allowance}
}

// Weighted is a decoded profile on its way into a merge.
type Weighted struct {
	Name    string // in findings and errors
	Profile *Profile
	Weight  uint64 // counts are multiplied by it; 0 means 1
}

// MergeOptions are for merging.
type MergeOptions struct {
	// TakePartial lets profiles of which only the beginning was decoded in.
	TakePartial bool
}
