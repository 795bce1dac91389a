package exports

import (
	"context"
	"errors"
	"io"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/profile/instrdb"
	"proflens/profile/stored"
)

var (
	instrText = Form{Family: instrprof.Family, Plan: ofCounters(func(src instrprof.Source, _ Options) (*Plan, error) {
		return &Plan{Writes: func(w io.Writer) error { return encode.Proftext(w, src) }}, nil
	}), Offers: suiting(instrdb.Of, hasText, Offer{Label: "Text",
		For: "text, byte for byte what llvm-profdata merge --text writes; easy to read, edit and diff"})}

	instrIndexed = Form{
		Family: instrprof.Family, Takes: []string{"version", "lossy", "keep-vtable-symbols"}, Plan: planIndexed,
	}

	instrOrder = Form{Family: instrprof.Family, Takes: []string{"macho", "run"},
		Plan: ofCounters(func(src instrprof.Source, o Options) (*Plan, error) {
			plan, err := encode.PlanOrder(src, orderOptions(o))
			return planOfOrder(plan), lackingRun(err)
		}), Offers: suiting(instrdb.Of, func(p *instrdb.Profile) bool { return p.Overview.Traces > 0 }, orderOffer...)}

	instrPprof = Form{Family: instrprof.Family, Plan: func(p *format.Profile, _ Options) (*Plan, error) {
		src, err := need[instrprof.Source](p, instrprof.Family, "no counters")
		if err != nil {
			return nil, err
		}
		return &Plan{Tells: func(w io.Writer) ([]model.Finding, error) {
			return encode.Pprof(context.Background(), w, src, declarationsOf(p)) // a task ends with its process
		}}, nil
	}, Offers: always(Offer{Label: "pprof", For: "a sample for each function, for go tool pprof; without callers"})}
)

var orderOffer = []Offer{{Label: "Order file", For: "functions in order of first run, for a linker"}}

// ofCounters plans an export of counters.
func ofCounters(plan func(src instrprof.Source, o Options) (*Plan, error)) Planner {
	return of(instrprof.Family, "no counters", plan)
}

// IndexedOptions are those of an indexed profile, with what it has of a heap.
func IndexedOptions(p *format.Profile, o Options) encode.ProfdataOptions {
	heap, _ := format.PartOf[*memprof.Profile](p)
	return encode.ProfdataOptions{
		Version: o.Number("version"), Lossy: o.Yes("lossy"), KeepVTableNames: o.Yes("keep-vtable-symbols"), MemProf: heap,
	}
}

// planIndexed plans an indexed profile, of counters, a heap profile or both.
func planIndexed(p *format.Profile, o Options) (*Plan, error) {
	plan, err := encode.PlanProfdata(llvm.SourceOf(p), IndexedOptions(p, o))
	if err != nil {
		return nil, err
	}
	return &Plan{Version: plan.Version, Findings: plan.Findings, Writes: func(w io.Writer) error {
		_, err := plan.WriteTo(w)
		return err
	}}, nil
}

func orderOptions(o Options) encode.OrderOptions {
	return encode.OrderOptions{MachO: o.Yes("macho"), Run: o.Number("run"), MinRuns: o.Number("min-runs")}
}

func planOfOrder(plan *encode.OrderPlan) *Plan {
	if plan == nil {
		return nil
	}
	return &Plan{Findings: plan.Findings, Writes: plan.Write}
}

// need is a part of a profile; the error is a *[LackError].
func need[T any](p *format.Profile, family model.Family, none string) (T, error) {
	part, err := format.Need[T](p, family, none)
	return part, lacking(err)
}

// lacking makes a *[LackError] of a fault that stands against writing a form.
func lacking(err error) error {
	if fault, ok := model.FaultIn(err); ok {
		return &LackError{fault}
	}
	return err
}

// lackingRun is lacking, of an export that takes a run: a profile that has runs lacks only
// the one that is asked for.
func lackingRun(err error) error {
	none, ok := errors.AsType[*encode.NoRunError](err)
	switch {
	case ok && none.Runs == 0:
		return lack(model.KindIncompatible, "%v", none)
	case ok:
		return &OptionError{"run", none.Error()}
	}
	return lacking(err)
}

// hasText reports whether the text form has anything: of a front-end profile without functions it has
// no byte.
func hasText(p *instrdb.Profile) bool {
	return p.Overview.Functions > 0 || p.Overview.Info.Variant != 0
}

// always offers ways to have it that suit every profile.
func always(offers ...Offer) Offerer {
	return func(*stored.Profile) ([]Offer, error) { return offers, nil }
}
