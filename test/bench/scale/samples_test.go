package scale_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/sampleprof"
	encode "proflens/encode/sampleprof"
	"proflens/profile"
	"proflens/profile/profiletest"
	"proflens/profile/sampledb"
	"proflens/test/bench/scale"
)

// benchFunctions is the size of a large C++ program's profile.
const benchFunctions = 100_000

func benchFile(b *testing.B) []byte {
	b.Helper()
	var text bytes.Buffer
	if err := scale.WriteSamples(&text, benchFunctions, 1, 0); err != nil {
		b.Fatal(err)
	}
	return text.Bytes()
}

// benchBinary is the same as an extensible binary file.
func benchBinary(b *testing.B) []byte {
	b.Helper()
	p, err := sampleprof.Open(benchFile(b), nil)
	if err != nil {
		b.Fatal(err)
	}
	var file bytes.Buffer
	if err := encode.ExtBinary(&file, p, encode.Options{}); err != nil {
		b.Fatal(err)
	}
	return file.Bytes()
}

// BenchmarkStore decodes, analyses and stores a profile.
func BenchmarkStore(b *testing.B) {
	data := benchBinary(b)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		p, err := decode.Open(b.Context(), []format.File{{Name: "samples.afdo", Data: data}}, format.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := profile.Write(b.Context(), filepath.Join(b.TempDir(), "x.db"), profile.Input{Profile: p},
			nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirst reads the first page of functions of a profile that nobody has looked at.
func BenchmarkFirst(b *testing.B) {
	p, err := decode.Open(b.Context(), []format.File{{Name: "samples.afdo", Data: benchFile(b)}}, format.Options{})
	if err != nil {
		b.Fatal(err)
	}
	path := profiletest.Path(b, p)
	for b.Loop() {
		s, err := sampledb.Of(profiletest.At(b, path))
		if err != nil {
			b.Fatal(err)
		}
		q := sampledb.Query{}
		q.Limit = 100
		if _, err := s.Find(b.Context(), q); err != nil {
			b.Fatal(err)
		}
	}
}
