package exports

import (
	"io"

	"proflens/decode/sampleprof"
	encode "proflens/encode/sampleprof"
	"proflens/encode/stacks"
)

var (
	sampleText = Form{Family: sampleprof.Family, Takes: []string{"convert"},
		Plan: ofSamples(func(s *sampleprof.Profile, _ Options) (*Plan, error) {
			return &Plan{Writes: func(w io.Writer) error { return encode.Text(w, s) }}, nil
		}), Offers: always(Offer{Label: "Text",
			For: "text, byte for byte what llvm-profdata merge --sample --text writes; easy to read, edit and diff"})}

	sampleBinary = Form{Family: sampleprof.Family, Takes: []string{"convert"},
		Plan: ofSamples(func(s *sampleprof.Profile, _ Options) (*Plan, error) {
			findings, err := encode.PlanBinary(s)
			return &Plan{Findings: findings,
				Writes: func(w io.Writer) error { return encode.Binary(w, s) }}, lacking(err)
		})}

	sampleExtBinary = Form{Family: sampleprof.Family, Takes: []string{"convert", "compress", "md5"},
		Plan: ofSamples(func(s *sampleprof.Profile, o Options) (*Plan, error) {
			findings, err := encode.PlanExtBinary(s)
			return &Plan{Findings: findings, Writes: func(w io.Writer) error {
				return encode.ExtBinary(w, s, encode.Options{
					Compress: o.Yes("compress"), MD5: o.Yes("md5"), VTables: len(findings) > 0, // the one that there can be
				})
			}}, lacking(err)
		}), Offers: always(Offer{Label: "Extensible binary",
			For: "for clang -fprofile-sample-use, as llvm-profdata merge --sample writes it"},
			Offer{Label: "Extensible binary, small", Query: "compress=true&md5=true",
				For: "the same compressed, with hashes for names"})}

	samplePprof = Form{Family: sampleprof.Family, Plan: ofSamples(func(s *sampleprof.Profile, _ Options) (*Plan, error) {
		return planOfPprof(encode.Stacks(s)), nil
	}), Offers: always(Offer{Label: "pprof",
		For: "functions with what was inlined into them and their calling contexts, for go tool pprof; by line where the " +
			"program has debug info"})}

	sampleFolded = Form{Family: sampleprof.Family, Takes: []string{"names"}, Plan: sampleStacks(stacks.Folded),
		Offers: always(Offer{Label: "Folded", For: "one stack per line with its samples, for flame graph tools"})}

	sampleSpeedscope = Form{Family: sampleprof.Family, Takes: []string{"names"}, Plan: sampleStacks(speedscope),
		Offers: always(Offer{Label: "Speedscope", For: "the same stacks for speedscope.app"})}
)

// sampleStacks plans an export of stacks.
func sampleStacks(write func(w io.Writer, p *stacks.Profile, value int,
	names stacks.Names) error) Planner {
	return ofSamples(func(s *sampleprof.Profile, o Options) (*Plan, error) {
		return planOfStacks(encode.Stacks(s), 0, o, write), nil
	})
}

// ofSamples plans an export of a sample profile.
func ofSamples(plan func(s *sampleprof.Profile, o Options) (*Plan, error)) Planner {
	return of(sampleprof.Family, "no samples", func(s *sampleprof.Profile, o Options) (*Plan, error) {
		return plan(encode.Convert(s, encode.Layout(o.Word("convert"))), o)
	})
}
