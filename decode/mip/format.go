package mip

import (
	"maps"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// Suite is Machine IR Profiles: maps, the raw files of their runs, and profiles.
var Suite = &format.Suite{
	Formats:   []*format.Format{profileFormat, mapFormat, rawFormat, elfFormat, machOFormat},
	Reads:     "Machine IR",
	Recognise: recognise,
	Open:      open,
}

var (
	profileFormat = &format.Format{
		Name: FormatProfile, Prefix: "mip", Inspect: inspect,
		Outline: func(f format.File, rec *wire.Recorder) error { _, err := OpenProfile(f.Data, rec); return err },
		Advice: advice(map[model.Kind]format.Advice{
			model.KindUnsupportedVersion: {
				Cause: "an early version of the tools wrote the file", Remedy: "record the profile again with the latest tools",
			},
			model.KindBadMagic: {
				Cause: "the file was overwritten, or has the wrong name", Remedy: "give it its own name",
			},
		}),
	}
	mapFormat = &format.Format{
		Name: FormatMap, Prefix: "mipmap", Inspect: inspect,
		Outline: func(f format.File, rec *wire.Recorder) error { _, err := OpenMap(f.Data, 0, rec); return err },
		Advice: advice(map[model.Kind]format.Advice{
			model.KindUnsupportedVersion: {
				Cause: "an early version of the compiler wrote the file", Remedy: "build the program with the latest tools",
			},
		}),
	}
	rawFormat = &format.Format{
		Name: FormatRaw, Prefix: "mipraw", Inspect: inspect,
		Outline: func(f format.File, rec *wire.Recorder) error { _, err := OpenRaw(f.Data, rec); return err },
		Advice: advice(map[model.Kind]format.Advice{
			model.KindCorrupt: {Cause: "the program was killed while writing its counters, or the run comes from another " +
				"build than the map: rebuilding does not change the module hash",
				Remedy: "give the map of the program that ran, and leave out incomplete runs"},
			model.KindTruncated: {
				Cause: "the program was killed while writing its counters", Remedy: "leave the run out, or record it again",
			},
			model.KindUnsupportedVersion: {
				Cause: "an early version of the compiler built the program", Remedy: "build the program with the latest tools",
			},
		}),
	}
)

// advice is what all files of the family have in common, and own.
func advice(own map[model.Kind]format.Advice) map[model.Kind]format.Advice {
	all := map[model.Kind]format.Advice{
		model.KindBadHeader: {
			Cause:  "the header is damaged, or the file has the wrong name",
			Remedy: "copy the file again, and give it its own name",
		},
		model.KindMismatch: {Cause: "the files come from different programs, or from different builds of one",
			Remedy: "give the map of the program that ran, and open other profiles separately"},
		model.KindSecondHeader: {Cause: "the maps of several link units were joined, but each has its own raw files",
			Remedy: "dump each program's map separately: llvm-objcopy --dump-section=__llvm_mipmap=x.mipmap PROGRAM"},
		model.KindUnsupportedFeature: {
			Cause: "this part of the format was never completed", Remedy: "record coverage or counts instead",
		},
	}
	maps.Copy(all, own)
	return all
}

// recognise tells files by their magic, or by their name. What that says binds: a
// file of another kind under such a name is a bad one. Programs are told by the
// section that has the map.
func recognise(name string, data []byte) (format.Recognised, bool) {
	if !Is(data) && KindOfName(name) == 0 {
		return recogniseProgram(name, data)
	}
	h, info, err := Peek(name, data)
	r := format.Recognised{Families: info.Families, Describe: info.Describe, Fault: err}
	for _, f := range []*format.Format{profileFormat, mapFormat, rawFormat} {
		if f.Name == info.Format {
			r.Format = f
		}
	}
	switch {
	case err == nil && info.Format != FormatProfile: // a profile may hold those runs already
		r.Key, r.Single, r.Claim = ProgramKey(h), info.Format == FormatMap, claim
	case err != nil && (model.KindOf(err) == model.KindBadMagic || len(data) == 0):
		r.Describe = "not a Machine IR Profile, despite its name"
	}
	return r, true
}

// claim is that of a map or a raw file: a program of which only the beginning is known may
// have the map.
func claim(c *format.Recognised) format.Claim {
	if c.Ahead && c.Companion != nil {
		return format.Fits
	}
	return format.NoClaim
}
