package exports

import (
	"io"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	encode "proflens/encode/sampleprof"
)

var sampleText = Form{Family: sampleprof.Family, Takes: []string{"convert"}, Plan: ofSamples(func(s *sampleprof.Profile, _ Options) (*Plan, error) {
	return &Plan{Write: func(w io.Writer) ([]model.Finding, error) { return nil, encode.Text(w, s) }}, nil
}), Offers: always(Offer{Label: "Text", For: "text, byte for byte what llvm-profdata merge --sample --text writes; easy to read, edit and diff"})}

// ofSamples plans an export of a sample profile.
func ofSamples(plan func(s *sampleprof.Profile, o Options) (*Plan, error)) func(*format.Profile, Options) (*Plan, error) {
	return func(p *format.Profile, o Options) (*Plan, error) {
		s, err := need[*sampleprof.Profile](p, sampleprof.Family, "no samples")
		if err != nil {
			return nil, err
		}
		return plan(encode.Convert(s, encode.Layout(o.Word("convert"))), o)
	}
}
