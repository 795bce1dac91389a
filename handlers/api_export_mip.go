package handlers

import (
	"errors"
	"fmt"
	"io"
	"net/http"

	"proflens/decode"
	"proflens/decode/model"
	"proflens/encode"
)

// maxRuns is more raw files than a profile may have.
const maxRuns = 10_000

// machineProfile is the Machine IR Profile of a source; an error that says what
// the source is when it is another.
func machineProfile(src model.Source) (*model.MIP, error) {
	if p, ok := src.(*decode.Profile); ok && p.MIP != nil {
		return p.MIP, nil
	}
	return nil, notHeld(&model.FormatError{Kind: model.KindIncompatible,
		Msg: "this export is of machine IR profiles, and the profile is " + src.Info().Describe()})
}

// notHeld makes the problem of a profile that has not what an export needs.
func notHeld(err error) error {
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		return err
	}
	return &problem{Status: http.StatusNotFound, Kind: string(fault.Kind), Title: "No such export", Detail: sentence(fault.Message())}
}

// planOrder plans an order file of whatever recorded an order.
func planOrder(src model.Source, o encode.OrderOptions) (*encode.OrderPlan, error) {
	if p, ok := src.(*decode.Profile); ok && p.MIP != nil {
		plan, err := encode.PlanMIPOrder(p.MIP, o)
		return plan, notHeld(err)
	}
	return encode.PlanOrder(src, o)
}

func mipJSONOptions(v *values) prepare {
	o := encode.MIPJSONOptions{Run: v.number("run", 0, maxRuns, 0)}
	return func(_ http.Header, src model.Source) (func(io.Writer) error, error) {
		m, err := machineProfile(src)
		if err != nil {
			return nil, err
		}
		if o.Run > len(m.Runs) {
			return nil, notHeld(&model.FormatError{Kind: model.KindIncompatible, Msg: fmt.Sprintf("there is no run %d: the profile has %d", o.Run, len(m.Runs))})
		}
		return func(w io.Writer) error { return encode.MIPJSON(w, m, o) }, nil
	}
}

func mipOptions(v *values) prepare {
	o := encode.MIPOptions{Layout: choice(v, "layout", encode.MIPLayouts...)}
	return func(_ http.Header, src model.Source) (func(io.Writer) error, error) {
		m, err := machineProfile(src)
		if err != nil {
			return nil, err
		}
		plan, err := encode.PlanMIP(m, o)
		if err != nil {
			return nil, notHeld(err)
		}
		return plan.Write, nil
	}
}

// wantsRecords refuses machine IR and samples of DCPI where records of functions with
// counters are written.
func wantsRecords(src model.Source, format string) error {
	if p, ok := src.(*decode.Profile); ok && p.MIP != nil {
		return notHeld(&model.FormatError{Kind: model.KindIncompatible,
			Msg: fmt.Sprintf("a machine IR profile cannot be written as %s; mip-json, mip and order are right", format)})
	}
	if p, ok := src.(*decode.Profile); ok && p.DCPI != nil {
		return notHeld(&model.FormatError{Kind: model.KindIncompatible,
			Msg: fmt.Sprintf("samples of DCPI cannot be written as %s; dcpi, dcpi-json, pprof and folded are right", format)})
	}
	return nil
}
