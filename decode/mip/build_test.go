package mip_test

import (
	"encoding/binary"
	"errors"
	"testing"

	"proflens/decode/mip"
	"proflens/decode/model"
)

var le = binary.LittleEndian

// Profile types of these tests.
const (
	coverage = mip.FunctionCoverage | mip.BlockCoverage
	counting = mip.Timestamp | mip.CallCount | mip.BlockCoverage
)

// head is a header of 32 bytes.
func head(file mip.FileType, profile mip.ProfileType) []byte {
	b := append([]byte("\xfbMIP"), 8, 0)
	b = le.AppendUint16(b, uint16(file))
	b = le.AppendUint32(b, uint32(profile))
	b = le.AppendUint32(b, 0x1f2e3d4c)
	b = le.AppendUint64(b, 0)
	return le.AppendUint32(le.AppendUint32(b, 0), 32)
}

// function is one of a .mip to be built.
type function struct {
	name        string
	raw         uint64
	merges      uint32
	calls, sums uint64
	blocks      []mip.Block
	signature   uint64 // in place of the name's
}

// laidOut is a .mip to be built in one of the four layouts.
type laidOut struct {
	layout    mip.Layout
	kind      mip.ProfileType
	functions []function
	names     []string // in place of the functions' own
	open      bool     // no NUL behind the last name
}

func (l laidOut) bytes() []byte {
	wide := l.layout == mip.Tool64 || l.layout == mip.Tool64Length
	b := le.AppendUint64(head(mip.FileProfile, l.kind), uint64(len(l.functions)))
	names := l.names
	for _, f := range l.functions {
		signature := f.signature
		if signature == 0 {
			signature = mip.Signature([]byte(f.name))
		}
		b = le.AppendUint64(b, signature)
		if wide {
			b = le.AppendUint64(le.AppendUint64(b, f.raw), 1<<64-16) // 16 bytes before the raw section
		} else {
			b = le.AppendUint32(le.AppendUint32(b, uint32(f.raw)), 1<<32-16)
		}
		b = le.AppendUint32(le.AppendUint32(b, 64), 7) // size, and signature of the graph
		b = le.AppendUint32(le.AppendUint32(b, uint32(len(f.blocks))), f.merges)
		b = le.AppendUint64(le.AppendUint64(b, f.calls), f.sums)
		for _, block := range f.blocks {
			b = le.AppendUint32(b, block.Offset)
			covered := byte(0)
			if block.Covered {
				covered = 1
			}
			b = append(b, covered)
		}
		b = le.AppendUint32(b, 0) // call edges
		if l.names == nil {
			names = append(names, f.name)
		}
	}
	var text []byte
	for i, name := range names {
		if text = append(text, name...); i < len(names)-1 || !l.open {
			text = append(text, 0)
		}
	}
	if l.layout == mip.Tool64 || l.layout == mip.DocumentedCount {
		b = le.AppendUint64(b, uint64(len(names)))
	} else {
		b = le.AppendUint64(b, uint64(len(text)))
	}
	return append(b, text...)
}

// opened is a .mip that was built.
func (l laidOut) opened(t testing.TB) *mip.Profile {
	t.Helper()
	m, err := mip.OpenProfile(l.bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// run is a raw file of a program: its counters stand behind the header.
func run(kind mip.ProfileType, counters ...byte) []byte {
	return append(head(mip.FileRaw|mip.File64, kind), counters...)
}

// counted are the counters of a function: calls, and the place among those that
// first ran.
func counted(calls, place uint32, blocks ...byte) []byte {
	return append(le.AppendUint32(le.AppendUint32(nil, calls), place), blocks...)
}

// faultOf is what an error says of a file.
func faultOf(t testing.TB, err error) *model.FormatError {
	t.Helper()
	f, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		t.Fatalf("%v is no fault of a file", err)
	}
	if f.Kind == "" || f.Section == "" || f.Msg == "" {
		t.Fatalf("%+v", f)
	}
	return f
}
