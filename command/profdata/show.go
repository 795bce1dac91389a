package profdata

import (
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"proflens/command/llvmargs"
	"proflens/command/llvmerr"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/encode"
	"proflens/encode/llvmprofdata"
)

// show prints what is in a profile.
func (t *tool) show() error {
	if t.JSON {
		t.ShowFormat = "json"
	}
	if t.DebugInfo != "" {
		return t.showDebugInfo()
	}
	if len(t.others) == 0 {
		return &llvmerr.Fault{Msg: "the positional argument '<profdata-file>' is required unless '--debug-info' is provided"}
	}
	if err := t.positionals(1, 1); err != nil {
		return err
	}
	if t.Function != "" && t.AllFunctions {
		fmt.Fprintln(t.std.Err, "warning: -function argument ignored: showing all functions")
	}
	name, data, err := t.input()
	if err != nil {
		return err
	}
	switch t.Kind {
	case "sample":
		return t.showSample(name, data)
	case "memory":
		return t.showMemory(name, data)
	}
	return t.showInstr(name, data)
}

func (t *tool) showInstr(name string, data []byte) error {
	if t.ShowFormat != "text" {
		return &llvmerr.Fault{Msg: strings.ToUpper(t.ShowFormat) + " output is not supported for instr profiles"}
	}
	var err error
	if t.Cutoffs, err = t.summaryCutoffs(); err != nil {
		return err
	}
	src, err := t.openInstr(name, data)
	if err != nil {
		return err
	}
	return t.printed(func(w io.Writer) error {
		return llvmerr.OfRecords(name, llvmprofdata.Show(w, src, t.ShowOptions))
	})
}

// summaryCutoffs are those of the detailed summary that were asked for.
func (t *tool) summaryCutoffs() (list []uint64, err error) {
	if t.SummaryCutoffs == "" {
		return nil, nil
	}
	for part := range strings.SplitSeq(t.SummaryCutoffs, ",") {
		n, err := strconv.ParseUint(part, 0, 32)
		if err != nil {
			return nil, commandLineError((&llvmargs.Fault{
				Kind: llvmargs.NotNumber, Name: "detailed-summary-cutoffs", Value: part,
			}).AsLLVM(name, nil))
		}
		list = append(list, n)
	}
	slices.Sort(list)
	return list, nil
}

func (t *tool) showSample(name string, data []byte) error {
	if t.ShowFormat == "yaml" {
		return &llvmerr.Fault{Msg: "YAML output is not supported for sample profiles"}
	}
	if t.SectionsOnly {
		return t.showSections(name, data)
	}
	p, err := t.openSample(name, data)
	if err != nil {
		return err
	}
	one := t.Function
	if t.AllFunctions {
		one = ""
	}
	return t.printed(func(w io.Writer) error {
		switch {
		case t.ShowFormat == "json" && one != "":
			return &llvmerr.Fault{Msg: "the JSON format is supported only when all functions are to be printed"}
		case t.ShowFormat == "json":
			err = llvmprofdata.ShowSampleJSON(w, p)
		default:
			err = llvmprofdata.ShowSample(w, p, one)
		}
		if err == nil && t.SymbolList {
			err = llvmprofdata.ShowSymbols(w, p)
		}
		if err == nil && t.DetailedSummary {
			err = llvmprofdata.ShowSampleSummary(w, p)
		}
		if err == nil && (t.HotFuncs || t.TopN > 0) {
			err = llvmprofdata.ShowHot(w, p, t.TopN)
		}
		return err
	})
}

// showSections prints where sections are, which a file may say that is damaged behind it.
func (t *tool) showSections(name string, data []byte) error {
	p, err := sampleprof.OpenTable(data)
	if err != nil {
		return llvmerr.Of(name, err, llvmerr.Sample)
	}
	return t.printed(func(w io.Writer) error {
		if p.Format != sampleprof.FormatExtBinary {
			fmt.Fprintln(t.std.Err, "warning: -show-sec-info-only is only supported for sample profile in extbinary format "+
				"and is ignored for other formats.")
			return nil
		}
		return llvmprofdata.ShowSections(w, p)
	})
}

// showMemory prints a heap profile: a raw one as the release that made it does, which needs
// its program.
func (t *tool) showMemory(name string, data []byte) error {
	if t.ShowFormat == "json" {
		return &llvmerr.Fault{Msg: "JSON output is not supported for MemProf"}
	}
	p, err := t.heap(name, data)
	if model.KindOf(err) == model.KindIncompatible && t.ProfiledBinary != "" {
		return t.otherProgram("", err)
	}
	if fault, ok := errors.AsType[*llvmerr.Fault](llvmerr.OfRecords(name, err)); ok && strings.HasPrefix(fault.Msg, name) {
		fault.Where = "" // it names the file itself
		return fault
	} else if err != nil {
		return llvmerr.OfRecords(name, err)
	}
	print := encode.MemProfYAML
	if p.Format == memprof.FormatRaw {
		print = encode.MemProfDump
		if t.ProfiledBinary == "" {
			return needsBinary("", p)
		}
	}
	return t.printed(func(w io.Writer) error {
		_, err := print(w, p)
		return llvmerr.OfRecords(name, err)
	})
}

// heap opens a heap profile, with the program that was given.
func (t *tool) heap(name string, data []byte) (*memprof.Profile, error) {
	if instrprof.IsIndexed(data) {
		src, err := t.openInstr(name, data)
		if err != nil {
			return nil, err
		}
		info := src.Info()
		if len(info.MemProf) == 0 {
			return nil, &llvmerr.Fault{Where: name, Msg: "no memprof data available in profile"}
		}
		return memprof.OpenIndexed(info.MemProf, info.MemProfSection.Offset, nil)
	}
	list := []format.File{{Name: name, Data: data}}
	if t.ProfiledBinary != "" {
		program, err := t.read(t.ProfiledBinary, t.std.In)
		if err != nil {
			return nil, err
		}
		list = append(list, format.File{Name: t.ProfiledBinary, Data: program})
	}
	opened, err := decode.Open(t.ctx, list, format.Options{})
	if err != nil && memprof.IsRaw(data) {
		return nil, err
	}
	if err == nil {
		if p, ok := format.PartOf[*memprof.Profile](opened); ok {
			return p, nil
		}
	}
	return nil, &llvmerr.Fault{Where: name, Msg: llvmerr.Instr[model.KindBadMagic]}
}

// otherProgram is the fault of a heap profile that the program which was given did not write.
func (t *tool) otherProgram(name string, err error) error {
	return &llvmerr.Fault{
		Where: name, Msg: "No matching executable segments found in binary " + t.ProfiledBinary, More: err.Error(),
	}
}

// needsBinary asks for the program of a raw profile.
func needsBinary(name string, p *memprof.Profile) error {
	var b strings.Builder
	b.WriteString("\nPath to profiled binary is empty, expected binary with one of the following build ids:\n")
	for _, m := range p.Modules {
		if id := cmp.Or(hex.EncodeToString(m.BuildID), "<None>"); !strings.Contains(b.String(), id) {
			b.WriteString("\n BuildId: " + id)
		}
	}
	return &llvmerr.Fault{Where: name, Msg: b.String()}
}
