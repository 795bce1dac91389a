package encode_test

import (
	"bytes"
	"testing"

	"proflens/decode/instrprof"
	"proflens/encode"
)

// TestProftextAsLLVM has cases in which llvm-profdata 22 leaves something out;
// what is wanted is its output. Byte equality on real files is tested beside
// the decoders, in decode/instrprof.
func TestProftextAsLLVM(t *testing.T) {
	for _, test := range []struct{ name, text, want string }{
		{
			"records of the FuncHashes that its hash map reserves",
			":ir\nf\n18446744073709551615\n1\n3\nf\n18446744073709551614\n1\n3\nf\n18446744073709551613\n1\n3\n",
			"# IR level Instrumentation Flag\n:ir\nf\n# Func Hash:\n18446744073709551613\n# Num Counters:\n1\n# Counter " +
				"Values:\n3\n\n",
		},
		{
			"functions of a trace that have no record",
			":temporal_prof_traces\n1\n5\n2\nf,gone,f\nf\n1\n1\n3\n",
			":temporal_prof_traces\n# Num Temporal Profile Traces:\n1\n# Temporal Profile Trace Stream Size:\n5\n# " +
				"Weight:\n2\nf,,f,\n\n" +
				"f\n# Func Hash:\n1\n# Num Counters:\n1\n# Counter Values:\n3\n\n",
		},
		{
			"a target without a record, and front-end flags",
			":fe\nf\n1\n1\n3\n1\n0\n1\n2\ngone:4\nf:9\n",
			"f\n# Func Hash:\n1\n# Num Counters:\n1\n# Counter Values:\n3\n# Num Value Kinds:\n1\n# ValueKind = " +
				"IPVK_IndirectCallTarget:\n0\n" +
				"# NumValueSites:\n1\n2\nf:9\n** External Symbol **:4\n\n",
		},
	} {
		src, err := instrprof.OpenText([]byte(test.text), nil)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := encode.Proftext(&got, src); err != nil {
			t.Fatal(err)
		}
		if got.String() != test.want {
			t.Errorf("%s:\n%s\nwant:\n%s", test.name, &got, test.want)
		}
	}
}
