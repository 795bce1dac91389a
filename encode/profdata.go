package encode

import (
	"context"
	"fmt"
	"io"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// The indexed versions that can be written.
const (
	MinVersion = 5
	MaxVersion = 14
)

// newestRead is the newest version that LLVM 22 reads.
const newestRead = 13

// ProfdataOptions are for [PlanProfdata].
type ProfdataOptions struct {
	// Version is the indexed version, 5 to 14. 0 chooses: for front-end
	// profiles the newest of the producer's hash generation (see [Producer]),
	// else the newest that LLVM 22 reads, 13; an older or newer one where only
	// that holds what the profile has.
	Version int
	// Lossy leaves out what the version cannot hold. Without it that is a
	// [*LossError].
	Lossy bool
	// KeepVTableNames writes the vtable names of raw profiles too, as
	// --keep-vtable-symbols does; llvm-profdata leaves them out otherwise.
	// Those of indexed files are always kept.
	KeepVTableNames bool
	// MemProf is the profile's heap profile. It is written anew unless the source
	// is one file that has it in a form that the version can have: then its
	// section is carried over as it stands.
	MemProf *memprof.Profile
	Heap    HeapOptions
}

// ProfdataPlan is a profile about to be written as an indexed file: its version
// is chosen and everything that cannot be held is known.
type ProfdataPlan struct {
	Version  int
	Producer Producer
	// Findings are what is left out, and what clang will not match.
	Findings []model.Finding

	src       sums.Records
	flags     instrprof.Variant
	plain, cs analyze.Summarizer
	layout    layout
	memprof   memProf
	traces    bool
	vtables   []byte // the section of their names (instrprof.md §3.6)
}

// PlanProfdata prepares src to be written as an indexed profile of any version
// from 5 on (instrprof.md §3).
//
// A source that is not merged is merged first, in memory. Beside that the plan
// takes 20 bytes a record, 12 a bucket, of which there are one to three
// a name, a heap profile twice, and what two [analyze.Summarizer] take; and for
// writing, the largest item.
//
// The error is a [*LossError] when the version cannot hold all of the profile
// and o.Lossy is not set, [model.KindUnsymbolized] for a heap profile that has
// only addresses and nothing beside it, [model.KindUnsupportedVersion] when the version cannot
// be written, or the source's own.
func PlanProfdata(src instrprof.Source, o ProfdataOptions) (*ProfdataPlan, error) {
	if o.Version != 0 && (o.Version < MinVersion || o.Version > MaxVersion) {
		return nil, &model.FormatError{Kind: model.KindUnsupportedVersion, Section: "header", Field: "Version",
			Msg: "this indexed version cannot be written", Expected: fmt.Sprintf("%d to %d", MinVersion, MaxVersion),
			Found: fmt.Sprint(o.Version)}
	}
	merged, err := sums.Of(context.Background(), src)
	if err != nil {
		return nil, err
	}
	p := &ProfdataPlan{src: merged}
	found := &surveyed{refs: make([]uint64, 0, merged.Info().Records), names: make([]uint32, 0, merged.Info().Records)}
	have, err := p.survey(o, found)
	if err != nil {
		return nil, err
	}
	if have.onlyAddresses(o.MemProf) {
		return nil, unsymbolized(o.MemProf, "an indexed profile")
	}
	p.Version = o.Version
	if p.Version == 0 {
		p.Version = have.version(p.Producer)
	}
	lost := have.losses(p.Version)
	if len(lost) > 0 && !o.Lossy {
		return nil, &LossError{Version: p.Version, Losses: lost}
	}
	for i := range lost {
		lost[i].Message = "left out: " + lost[i].Message
	}
	p.Findings = append(lost, have.remarks(p.Version)...)
	p.Findings = append(p.Findings, p.Producer.Mismatch(p.Version)...)
	p.leaveOut(have)
	p.layout = layOut(merged, found, p.Version)
	return p, nil
}

// survey looks at every record once: what is there that not every version
// holds, and the summaries.
func (p *ProfdataPlan) survey(o ProfdataOptions, found *surveyed) (*contents, error) {
	have, err := contentsOf(p.src, func(f *instrprof.Function) {
		found.add(f)
		// LLVM looks at the flag bit of the hash in front-end profiles too, so
		// that their summary lacks functions whose hash has it by chance.
		if f.FuncHash&instrprof.CSFlagInFuncHash != 0 {
			p.cs.Add(f)
		} else {
			p.plain.Add(f)
		}
	})
	if err != nil {
		return nil, err
	}
	have.takeMemProf(o.MemProf, o.Heap)
	var vtables [][]byte
	if have.takeVTableNames(o.KeepVTableNames) {
		vtables = have.info.VTableNames
	}
	p.vtables = appendPadded(nil, nameBlob(vtables))
	p.Producer = have.producer()
	return have, nil
}

// indexedFlags are the variant flags that indexed files have; that of
// correlation is never copied into one.
const indexedFlags = instrprof.InstrLoopEntries | instrprof.IRProf | instrprof.CSIRProf | instrprof.InstrEntry |
	instrprof.ByteCoverage | instrprof.FunctionEntryOnly | instrprof.MemProf | instrprof.TemporalProf

// leaveOut drops what the version does not have.
func (p *ProfdataPlan) leaveOut(have *contents) {
	p.flags = p.src.Info().Variant & indexedFlags
	if have.heap {
		p.flags |= instrprof.MemProf
	}
	for _, s := range flagsSince {
		if p.Version < s.since {
			p.flags &^= s.flag
		}
	}
	m := have.memProfOf(p.Version)
	if m.section == nil {
		p.flags &^= instrprof.MemProf
	}
	if p.flags.Has(instrprof.MemProf) {
		p.memprof = m
	}
	p.traces = p.flags.Has(instrprof.TemporalProf)
}

// Profdata writes src as an indexed profile and returns what was left out and
// what clang will not match: [PlanProfdata], then [ProfdataPlan.WriteTo].
func Profdata(w io.Writer, src instrprof.Source, o ProfdataOptions) ([]model.Finding, error) {
	p, err := PlanProfdata(src, o)
	if err != nil {
		return nil, err
	}
	_, err = p.WriteTo(w)
	return p.Findings, err
}
