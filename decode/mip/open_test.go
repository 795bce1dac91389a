package mip_test

import (
	"errors"
	"testing"

	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/model"
)

func text(name, s string) format.File { return format.File{Name: name, Data: []byte(s)} }

// open opens files that are whole.
func open(t testing.TB, files ...format.File) *decodetest.Profile {
	t.Helper()
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// openDamaged opens files of which one may be damaged, and checks that an error
// is a fault that names one of them and has an offset in it.
func openDamaged(t testing.TB, files ...format.File) error {
	t.Helper()
	p, err := decodetest.Open(t.Context(), files, format.Options{})
	if err == nil {
		p.Findings()
		return nil
	}
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok || fault.Kind == "" || fault.Kind == model.KindInternal || fault.Msg == "" || fault.Section == "" {
		t.Fatalf("%#v", err)
	}
	for _, f := range files {
		if f.Name == fault.File && fault.Offset <= uint64(len(f.Data)) {
			return err
		}
	}
	t.Fatalf("neither file has this fault: %+v", fault)
	return err
}
