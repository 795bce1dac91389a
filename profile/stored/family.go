package stored

import (
	"bytes"
	"context"

	"proflens/decode/format"
	"proflens/decode/model"
)

// Family is how profiles of one family are kept. Its tables are those of
// migrations/schema and migrations/rows under its name.
type Family struct {
	Name   model.Family
	Called string // what people call its profiles
	// Early parts are prepared before the others, which take away the records that
	// both read. Elsewhere they stand in their place.
	Early bool
	// Prepare reads a profile's part to its end and computes what its tables hold
	// beside that.
	Prepare func(ctx context.Context, in *Preparing) (Prepared, error)
	// Rows are the tables of migrations/rows: what stands in a file as vectors, as
	// rows for people.
	Rows []RowTable
}

// Stage is what is being done with a part on its way into a file.
type Stage string

// The stages, in order.
const (
	Reading  Stage = "reading"  // its records
	Indexing Stage = "indexing" // orders and sums over all records
	Writing  Stage = "writing"  // its tables
)

// Preparing is a part on its way into a file.
type Preparing struct {
	Profile *format.Profile
	Records any // of the part, in the family's own type
	// Others are the parts that are prepared already.
	Others []Prepared
	// Progress is told now and then what is being done and how far it is.
	Progress func(stage Stage, done, total uint64)
	// Preview writes a file that has nothing but some rows of the part, for those
	// who wait for the rest; nil where nobody wants one.
	Preview func(p Prepared) error
}

// Prepared is a part that is ready to be written.
type Prepared interface {
	// Write writes its tables. The small ones come first.
	Write(ctx context.Context, w *Writer) error
	// Meta writes its facts about the whole.
	Meta(m *MetaWriter)
	// Findings are what preparing it had to say.
	Findings() []model.Finding
	// Figures are what a list of profiles shows of it.
	Figures() Counts
}

// Sized is a part that knows about how many bytes its tables will take, so that
// it can be told how far writing them is.
type Sized interface{ Size() uint64 }

// Sourced is a part that names source files.
type Sourced interface{ SourceFiles() []string }

// Counts are what a list of profiles shows of a part.
type Counts struct {
	// Functions and Total are, of counters, records and their sum; of a heap
	// profile, functions that allocate and bytes; of Machine IR, functions and
	// calls; of samples, procedures that are known and samples.
	Functions int
	Total     string // decimal
	// Of the figure that lists show first, the part and the whole; 0 of 0: there is none.
	HeadPart, HeadWhole int64
	// Title is what a profile of several files may be called where nobody named it;
	// empty where its files say no more than their names.
	Title string
	// Magnitudes counts what was counted by magnitude: [0] those that are 0, [i]
	// those in 2^(i-1) .. 2^i-1; nil where there is no such thing.
	Magnitudes *[65]uint64
}

// Namer is a part that knows names of functions: of records, and of what they
// refer to, as PGO names.
type Namer interface {
	EachName(visit func(pgo []byte))
}

// Declarer is a part that knows where functions are declared.
type Declarer interface {
	EachDeclaration(visit func(model.Declaration))
}

// RowTable is a table of rows and how it is filled: add adds the columns in the
// record as one row, in the order in which rows shall stand. Where that fails, ctx ends.
type RowTable struct {
	Name string
	Fill func(ctx context.Context, p *Profile, r *Record, add func()) error
}

// Figures is what the catalog shows of a profile.
type Figures struct {
	Families  []model.Family
	Describe  string
	Format    model.Format
	Version   uint64
	Title     string         // see Counts
	Functions int            // see Counts
	Total     string         // see Counts
	HeadPart  int64          // see Counts
	HeadWhole int64          // see Counts
	Spark     []byte         // distribution by magnitude, 0..255 a bar, at most 24
	Finding   *model.Finding // the worst, if it is a warning or an error
	// Partial is what of each file was read, in their order, nil for whole ones.
	Partial []*model.Partial
	Builds  [][]byte // build IDs of the profiled programs, at most maxBuilds
}

// maxBuilds bounds the build IDs that the catalog keeps of a profile: one of so many
// programs is of none in particular.
const maxBuilds = 64

// FiguresOf is what the catalog shows of a profile, by its most telling part.
func FiguresOf(o *Overview, counts Counts) Figures {
	f := Figures{
		Families: o.Info.Families, Describe: o.Info.Describe, Format: o.Info.Format, Version: o.Info.Version,
		Title: counts.Title, Functions: counts.Functions, Total: counts.Total,
		HeadPart: counts.HeadPart, HeadWhole: counts.HeadWhole, Finding: worst(o.Findings),
		Partial: make([]*model.Partial, len(o.Inputs)),
	}
	for _, id := range o.Info.BinaryIDs[:min(len(o.Info.BinaryIDs), maxBuilds)] {
		f.Builds = append(f.Builds, bytes.Clone(id)) // the file it is part of is about to go
	}
	if counts.Magnitudes != nil {
		f.Spark = spark(counts.Magnitudes)
	}
	for i := range o.Inputs {
		f.Partial[i] = o.Inputs[i].Partial
	}
	return f
}

// spark squeezes the magnitudes above 0 into at most 24 bars, the tallest 255.
func spark(magnitudes *[65]uint64) []byte {
	last := 64
	for last > 0 && magnitudes[last] == 0 {
		last--
	}
	if last == 0 {
		return nil
	}
	bars := min(last, 24)
	heights := make([]uint64, bars)
	var tallest uint64
	for i := range last {
		b := i * bars / last
		heights[b] += magnitudes[i+1]
		tallest = max(tallest, heights[b])
	}
	out := make([]byte, bars)
	for i, h := range heights {
		if out[i] = byte(h * 255 / tallest); h > 0 && out[i] == 0 {
			out[i] = 1 // something is not nothing
		}
	}
	return out
}

// worst is the most severe finding that asks for a look.
func worst(findings []model.Finding) *model.Finding {
	var w *model.Finding
	for i, f := range findings {
		if f.Severity == model.Error {
			return &findings[i]
		}
		if f.Severity == model.Warning && w == nil {
			w = &findings[i]
		}
	}
	return w
}
