package sampleprof

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// Suite is sample profiles.
var Suite = &format.Suite{
	Formats:   []*format.Format{textFormat, binaryFormat, compactFormat, extFormat, gccFormat, namesFormat},
	Reads:     "sample",
	Recognise: recognise,
	Guess:     guess,
	Open:      openFiles,
	Merge:     merge,
	Sum:       "sample-extbinary",
	SumText:   "sample-text",
}

var (
	textFormat    = newFormat(FormatText, "sample profile (text)")
	binaryFormat  = newFormat(FormatBinary, "sample profile (binary)")
	compactFormat = newFormat(FormatCompact, "sample profile (compact binary)")
	extFormat     = newFormat(FormatExtBinary, "sample profile (extensible binary)")
	gccFormat     = newFormat(FormatGCC, "sample profile (GCC)")
)

// called is what people call files of each format.
var called = map[model.Format]string{}

func newFormat(name model.Format, words string) *format.Format {
	called[name] = words
	return &format.Format{
		Name: name, Prefix: prefix, Advice: advice,
		Inspect: func(a *model.Anatomy, f format.File, rec *wire.Recorder) error {
			p, err := read(f, rec)
			if err == nil {
				a.Findings = append(a.Findings, p.Found...)
			}
			return err
		},
		Outline: func(f format.File, rec *wire.Recorder) error { _, err := read(f, rec); return err },
	}
}

// madeAgain is what to do about a file that is damaged.
const madeAgain = "copy the file again and compare sizes; if it is the same, make it again with llvm-profgen or " +
	"create_llvm_prof"

var advice = map[model.Kind]format.Advice{
	model.KindTruncated: {
		Cause:  "the file was cut short: by a full disk, an interrupted copy, or a converter that was stopped",
		Remedy: madeAgain,
	},
	model.KindMalformed: {
		Cause:  "the file was damaged or, if it is text, edited by hand",
		Remedy: "correct the place at this offset, or make the profile again with llvm-profgen or create_llvm_prof",
	},
	model.KindUnsupportedVersion: {
		Cause:  "a compiler under development wrote the file, or its header is damaged",
		Remedy: "write it as text with the llvm-profdata of that compiler: merge --sample --text",
	},
	model.KindUncompressFailed: {
		Cause: "a compressed section was altered, often by a transfer in text mode", Remedy: format.CopyAsBinary,
	},
	KindTruncatedNameTable: {Cause: "the file was damaged, or a section is missing", Remedy: madeAgain},
	KindIllegalLineOffset: {
		Cause:  "an older tool wrote text with line offsets beyond 65535 as binary, which no tool can read",
		Remedy: "make the binary again from text without these lines",
	},
	KindCounterOverflow: {
		Cause:  "profiles were concatenated whose counts are near the largest that there is",
		Remedy: "merge them with llvm-profdata merge --sample, which stops at the largest",
	},
}

// recognise tells binary files by their magic, text by its first line, and lists of names
// by several.
func recognise(name string, data []byte) (format.Recognised, bool) {
	var f *format.Format
	switch {
	case bytes.HasPrefix(data, magicBinary):
		f = binaryFormat
	case bytes.HasPrefix(data, magicExt):
		f = extFormat
	case bytes.HasPrefix(data, magicCompact):
		f = compactFormat
	case isGCC(data):
		f = gccFormat
	case isText(data):
		f = textFormat
	default:
		return recogniseNames(name, data)
	}
	return recognisedAs(f), true
}

func recognisedAs(f *format.Format) format.Recognised {
	return format.Recognised{
		Format: f, Families: []model.Family{Family}, Describe: called[f.Name], Claim: claim, Complete: true,
	}
}

// Open reads a file of any form; its form is told as [Suite] recognises it. rec may be
// nil. The error is a [*model.FormatError].
func Open(data []byte, rec *wire.Recorder) (*Profile, error) {
	f, err := recognised(data)
	if err != nil {
		return nil, err
	}
	return read(f, rec)
}

// OpenTable reads no further than the table of sections of an extensible file; a profile of another
// format has its format alone. Errors are those of [Open].
func OpenTable(data []byte) (*Profile, error) {
	f, err := recognised(data)
	switch {
	case err != nil:
		return nil, err
	case f.Is.Format.Name == FormatBinary:
		r, _, err := headOfBinary(data, nil)
		return r.p, err
	case f.Is.Format.Name != FormatExtBinary:
		return &Profile{Format: f.Is.Format.Name}, nil
	}
	r := newExtReader(data, nil)
	return r.p, r.table()
}

func recognised(data []byte) (format.File, error) {
	r, ok := recognise("", data)
	if !ok || r.Err != nil {
		return format.File{}, &model.FormatError{
			Kind: model.KindUnrecognizedFormat, Section: "header", Msg: "this is no sample profile",
		}
	}
	return format.File{Data: data, Is: &r}, nil
}

func read(f format.File, rec *wire.Recorder) (*Profile, error) {
	switch f.Is.Format.Name {
	case FormatBinary:
		return openBinary(f.Data, rec)
	case FormatExtBinary:
		return openExt(f.Data, rec)
	case FormatCompact:
		return openCompact(f.Data, rec)
	case FormatGCC:
		return openGCC(f.Data, rec)
	}
	return openText(f.Data, rec)
}

// openFiles opens one file, or several that are added up, with the programs and lists of
// symbols beside them.
func openFiles(ctx context.Context, files []format.File, o format.Options) (*format.Profile, error) {
	out := &format.Profile{Inputs: make([]format.Input, len(files))}
	var read []format.Weighted
	done, total := uint64(0), uint64(0)
	for _, f := range files {
		total += uint64(len(f.Data))
	}
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		p, err := openFile(out, i, f, o)
		if err := out.Spare(files, i, err); err != nil {
			return nil, err
		}
		if done += uint64(len(f.Data)); o.Progress != nil {
			o.Progress(done, total)
		}
		if p != nil {
			one := &format.Profile{}
			one.Add(Family, p)
			read = append(read, format.Weighted{Name: f.Name, Profile: one, Weight: f.Weight})
		}
	}
	if err := out.Spared(); err != nil && len(read) == 0 {
		return nil, err
	}
	sum, err := add(read)
	if err != nil {
		return nil, err
	}
	complete(out, sum)
	return out, openCompanions(ctx, out, sum, files, o)
}

// openFile reads one of the files; nil for one that adds nothing.
func openFile(out *format.Profile, i int, f format.File, o format.Options) (*Profile, error) {
	in := &out.Inputs[i]
	*in = format.NewInput(f)
	switch {
	case isCompanion(f.Is):
		return nil, nil
	case f.Is.Empty:
		*in = out.AddNothing(f)
		return nil, nil
	case f.Optional && f.Is.Foreign():
		*in = out.LeaveOut(f)
		return nil, nil
	case f.Is.Err != nil:
		return nil, f.Is.Err
	case f.Is.Families[0] != Family:
		return nil, f.Is.Format.Refuse(f.Name,
			fmt.Sprintf("%s is %s, which cannot form one profile with a sample profile", f.Name, f.Is.Describe), nil)
	}
	rec := o.Recorder()
	p, err := read(f, rec)
	if err != nil {
		return nil, f.Is.Format.InFile(f.Name, err)
	}
	for n := range p.Found {
		p.Found[n].File = f.Name
	}
	in.Info = info(p)
	in.Keep(rec)
	return p, nil
}

// merge adds decoded profiles up.
func merge(_ context.Context, profiles []format.Weighted, _ format.MergeOptions) (*format.Profile, error) {
	sum, err := add(profiles)
	if err != nil {
		return nil, err
	}
	out := &format.Profile{}
	complete(out, sum)
	return out, nil
}

// add is one profile itself, or the sum of several.
func add(profiles []format.Weighted) (*Profile, error) {
	var m Merger
	var found []model.Finding
	for _, w := range profiles {
		p, err := format.Need[*Profile](w.Profile, Family, "no samples")
		if err != nil {
			return nil, err
		}
		if len(profiles) == 1 && w.Weight <= 1 {
			return p, nil
		}
		if err := m.Merge(w.Name, p, w.Weight); err != nil {
			return nil, err
		}
		found = append(found, p.Found...)
	}
	p := m.Profile()
	p.Found = append(found, p.Found...)
	return p, nil
}

// complete makes a profile of its one part.
func complete(out *format.Profile, p *Profile) {
	out.Add(Family, p)
	out.Info = info(p)
}

// info is what a profile says of itself.
func info(p *Profile) model.Info {
	words := p.Flags.Words()
	return model.Info{
		Format: p.Format, Families: []model.Family{Family}, Version: p.Version, Profiles: 1,
		Describe: called[p.Format], Words: words,
	}
}

// Describe is the kind of a profile in one line, with its flags.
func (p *Profile) Describe() string {
	return strings.Join(append([]string{called[p.Format]}, p.Flags.Words()...), ", ")
}
