package sampleprof_test

import (
	"errors"
	"strings"
	"testing"

	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/decode/wire"
	"proflens/internal/memtest"
)

// fuzz reads what is like the files of one form.
func fuzz(f *testing.F, of model.Format) {
	for path, data := range real(f) {
		p, err := sampleprof.Open(data, nil)
		if len(data) < 3000 && (err == nil && p.Format == of || err != nil && of == sampleprof.FormatText &&
			strings.HasSuffix(path, "text")) {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		defer memtest.Watch(t, len(data))()
		p, err := sampleprof.Open(data, &wire.Recorder{})
		if err != nil {
			if _, ok := errors.AsType[*model.FormatError](err); !ok {
				t.Fatal(err)
			}
			return
		}
		sound(t, p)
		var m sampleprof.Merger
		for range 2 {
			if err := m.Merge("x", p, 3); err != nil {
				t.Fatal(err)
			}
		}
		sound(t, m.Profile())
		sound(t, p.WithoutContexts())
	})
}

func FuzzText(f *testing.F)      { fuzz(f, sampleprof.FormatText) }
func FuzzBinary(f *testing.F)    { fuzz(f, sampleprof.FormatBinary) }
func FuzzCompact(f *testing.F)   { fuzz(f, sampleprof.FormatCompact) }
func FuzzExtBinary(f *testing.F) { fuzz(f, sampleprof.FormatExtBinary) }
func FuzzGCC(f *testing.F)       { fuzz(f, sampleprof.FormatGCC) }
