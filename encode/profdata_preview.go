package encode

import (
	"context"
	"fmt"

	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
)

// ProfdataPreview is what would become of a profile as an indexed file, in each version
// that can be written. It holds nothing of the profile itself.
type ProfdataPreview struct {
	Producer Producer
	// Default is the version that [PlanProfdata] chooses.
	Default int
	// VTableNames is how many vtable names the profile has.
	VTableNames uint64
	// AsksForVTableNames is set where they are kept only when that is asked for.
	AsksForVTableNames bool
	// Heap is what the heap profile has; nil where there is none.
	Heap *MemProfPreview
	// Versions are from MinVersion to MaxVersion.
	Versions []VersionPreview
}

// VersionPreview is what would become of a profile in one indexed version.
type VersionPreview struct {
	Version int
	// Lost is what the version cannot hold: the losses of a [LossError].
	Lost []model.Finding
	// Remarks are what is written, but not as it was.
	Remarks []model.Finding
	// Mismatch is what clang will not match, see [Producer.Mismatch].
	Mismatch []model.Finding
	// KeepsVTableNames is set when the vtable names, if there are some, are
	// written.
	KeepsVTableNames bool
	Hashes           HashFit
	// Heap is how the version has the heap profile; nil where it has none.
	Heap *MemProfForm
}

// HashFit says whether clang, which computes a function's hash as the version
// of the file tells it to, finds the hashes that a profile has.
type HashFit string

// The ways in which hashes fit.
const (
	HashOfControlFlow HashFit = "control-flow" // IR profiles: the version does not matter
	HashKept          HashFit = "kept"         // the producer's generation
	HashMismatch      HashFit = "mismatch"     // some functions will not match
	HashUnknown       HashFit = "unknown"      // the profile does not show whether some will not
)

// Mismatched is how many records will not match, 0 where the profile does not
// show how many.
func (v *VersionPreview) Mismatched() uint64 {
	var n uint64
	for _, f := range v.Mismatch {
		n = max(n, f.Count)
	}
	return n
}

// PreviewProfdata looks at a profile as [PlanProfdata] does, for every version; the
// options' Version and Lossy do not matter. A source that is not merged is
// merged first, in memory, unless it is one indexed file, which has each record
// once as it is. The error is the source's, or [model.KindUnsymbolized] for a
// heap profile that has only addresses and nothing beside it.
func PreviewProfdata(src instrprof.Source, options ProfdataOptions) (*ProfdataPreview, error) {
	if info := src.Info(); info.Format != instrprof.FormatIndexed || info.Variant.Has(instrprof.TemporalProf) {
		sum, err := sums.Of(context.Background(), src)
		if err != nil {
			return nil, err
		}
		src = sum
	}
	have, err := contentsOf(src, func(*instrprof.Function) {})
	if err != nil {
		return nil, err
	}
	if have.onlyAddresses(options.MemProf) {
		return nil, unsymbolized(options.MemProf, "an indexed profile")
	}
	have.takeMemProf(options.MemProf, options.Heap)
	keeps := have.takeVTableNames(options.KeepVTableNames)
	p := have.producer()
	o := &ProfdataPreview{
		Producer: p, Default: have.version(p), VTableNames: uint64(len(have.info.VTableNames)), Heap: have.memprofPreview(),
	}
	o.AsksForVTableNames = o.VTableNames > 0 && have.info.Format != instrprof.FormatIndexed
	for version := MinVersion; version <= MaxVersion; version++ {
		v := VersionPreview{
			Version: version, Lost: have.losses(version), Remarks: have.remarks(version), Mismatch: p.Mismatch(version),
			KeepsVTableNames: keeps && version >= sinceVTables, Heap: have.memprofForm(version),
		}
		v.Hashes = p.fit(v.Mismatch)
		o.Versions = append(o.Versions, v)
	}
	return o, nil
}

// Version is the preview of one version, 0 for the default; nil for one that
// cannot be written.
func (o *ProfdataPreview) Version(version int) *VersionPreview {
	if version == 0 {
		version = o.Default
	}
	for i := range o.Versions {
		if o.Versions[i].Version == version {
			return &o.Versions[i]
		}
	}
	return nil
}

func (p Producer) fit(mismatch []model.Finding) HashFit {
	if !p.FrontEnd {
		return HashOfControlFlow
	}
	fit := HashKept
	for _, f := range mismatch {
		if f.Severity != model.Note {
			return HashMismatch
		}
		fit = HashUnknown
	}
	return fit
}

// Releases is a range of releases of LLVM, both ends among them.
type Releases struct{ First, Last int }

// String writes "22", or "19 to 21".
func (r Releases) String() string {
	if r.First == r.Last {
		return fmt.Sprint(r.First)
	}
	return fmt.Sprintf("%d to %d", r.First, r.Last)
}

// writers are the releases of LLVM that write each version (instrprof.md §8).
// A version is read by the first of them and all that are newer.
var writers = map[int]Releases{
	5: {6, 10}, 6: {11, 11}, 7: {12, 14}, 8: {15, 15}, 9: {16, 16}, 10: {17, 17}, 11: {18, 18}, 12: {19, 21},
	13: {22, 22}, 14: {23, 23},
}

// WrittenBy is which releases of LLVM write an indexed version; the first of
// them and all newer ones read it.
func WrittenBy(version int) Releases { return writers[version] }

// identicalFrom is the oldest version whose files equal those of llvm-profdata
// byte for byte (instrprof.md §3.8).
const identicalFrom = 12

// Identical reports whether the file of a version equals, byte for byte, what
// llvm-profdata of the releases that write it makes of the same records: but
// for the order of the records of a name with many hashes, which differs from
// release to release.
func Identical(version int) bool { return version >= identicalFrom && version <= newestRead }
