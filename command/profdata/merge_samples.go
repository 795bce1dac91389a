package profdata

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"proflens/analyze/sample"
	"proflens/command/llvmerr"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	writer "proflens/encode/sampleprof"
)

// mergeSamples merges sample profiles.
func (t *tool) mergeSamples(inputs []weightedInput) error {
	sum := sampleprof.Merger{Mixed: true, Tell: func(input, function string, kind model.Kind) {
		fmt.Fprintf(t.std.Err, "%s: %s: %s\n", input, function, llvmerr.Sample[kind])
	}}
	for _, in := range inputs {
		err := t.addSamples(&sum, in)
		fault, _ := errors.AsType[*llvmerr.Fault](err) // without a file's name LLVM ends at it
		if err != nil && (t.FailureMode == "any" || fault != nil && (fault.Where == "" || fault.Ends)) {
			return err
		}
		if err != nil {
			t.warn(llvmerr.Of(in.name, err, llvmerr.Sample))
		}
	}
	p := sum.Profile()
	if t.MergeCold || t.TrimCold {
		writer.TrimCold(p, writer.Cold{
			Below: t.coldThreshold(p), Merge: t.MergeCold, Trim: t.TrimCold, Frames: int(min(t.ColdDepth, 1<<20)),
		})
	}
	layout := writer.Layout(t.Layout)
	if layout == writer.Nest && t.MergedBases {
		layout = writer.NestAndBase
	}
	p = writer.Convert(p, layout)
	t.selectSamples(p)
	if t.Form == "gcc" || t.Form == "compbinary" ||
		t.Form == "binary" && (p.Has(sampleprof.FullContexts) || p.Has(sampleprof.Probes)) {
		return &llvmerr.Fault{Where: t.Output, Msg: "Profile encoding format unsupported for writing operations"}
	}
	if t.DropSymbols {
		p.Symbols = nil
	}
	if p.Flags &^= sampleprof.Partial; t.Partial {
		p.Flags |= sampleprof.Partial
	}
	if t.SymbolFile != "" {
		if err := t.addSymbols(p); err != nil {
			return err
		}
	}
	if t.Split && t.Form == "binary" {
		t.warnIgnored("split-layout")
	}
	if len(p.Symbols) > 0 && t.Form != "extbinary" {
		fmt.Fprintln(t.std.Err, "warning: Profile Symbol list is not empty but the output format is not ExtBinary format. "+
			"The list will be lost in the output. ")
	}
	t.warnOfExtBinary()
	return t.printed(func(w io.Writer) error {
		if t.MostBytes == 0 {
			return t.writeSamples(w, p)
		}
		err := writer.Within(w, p, t.MostBytes, t.writeSamples)
		if model.KindOf(err) == model.KindTooLarge {
			return &llvmerr.Fault{Msg: "Too much profile data", More: err.Error()}
		}
		return err
	})
}

// writeSamples writes a profile in the form that was asked for.
func (t *tool) writeSamples(w io.Writer, p *sampleprof.Profile) error {
	switch {
	case t.Form == "text" && t.Split:
		return writer.TextMarked(w, p)
	case t.Form == "text":
		return writer.Text(w, p)
	case t.Form == "binary":
		return writer.Binary(w, p)
	}
	if lost, _ := writer.PlanExtBinary(p); len(lost) > 0 && !t.WriteVTables {
		t.note("types of vtables are left out: give -extbinary-write-vtable-type-prof to keep them")
	}
	if t.Split && p.Has(sampleprof.FullContexts) {
		t.note("a split file has no contexts, so that no tool reads it: leave out -split-layout")
	}
	if bare := func(f *sampleprof.Function) bool { return f.Context < 0 }; p.Has(sampleprof.FullContexts) &&
		slices.ContainsFunc(p.Functions, bare) {
		t.note("no tool reads a binary file of functions with and without contexts: write it as text")
	}
	return writer.ExtBinary(w, p, writer.Options{
		Compress: t.CompressAll, MD5: t.UseMD5, Split: t.Split, VTables: t.WriteVTables,
	})
}

// warnOfExtBinary tells which options say how a form is written that is not asked for.
func (t *tool) warnOfExtBinary() {
	for _, o := range []struct {
		name  string
		given bool
	}{
		{"compress-all-section", t.CompressAll}, {"use-md5", t.UseMD5}, {"gen-partial-profile", t.Partial},
	} {
		if o.given && t.Form != "extbinary" {
			t.warnIgnored(o.name)
		}
	}
}

func (t *tool) warnIgnored(option string) {
	fmt.Fprintf(t.std.Err, "warning: -%s is ignored. Specify -extbinary to enable it\n", option)
}

// coldThreshold is the count below which functions are cold: as asked for, or by the share of
// all samples.
func (t *tool) coldThreshold(p *sampleprof.Profile) uint64 {
	if t.ColdCount > 0 {
		return t.ColdCount
	}
	cutoff := uint64(sample.ColdCutoff)
	if t.ColdCutoff > 0 {
		cutoff = t.ColdCutoff
	}
	count, _ := sample.Summarise(p).MinCount(cutoff)
	return count
}

// addSamples adds one profile.
func (t *tool) addSamples(sum *sampleprof.Merger, in weightedInput) error {
	data, err := t.read(in.name, t.std.In)
	if err != nil {
		return err
	}
	p, err := t.openSample(in.name, data)
	if err != nil {
		return err
	}
	for i := range p.Names {
		if to, ok := t.remap[p.Names[i].Text]; ok {
			p.Names[i] = sampleprof.Name{Text: to}
		}
	}
	if err := sum.Merge(in.name, p, in.weight); err != nil {
		return llvmerr.Of(in.name, unlike("merge", err), llvmerr.Sample)
	}
	return nil
}

// unlike says of two profiles, of which one has what the other has not, what cannot be done.
func unlike(do string, err error) error {
	said, ok := model.FaultIn(err)
	if !ok || said.Kind != model.KindIncompatible {
		return err
	}
	kind := "CS"
	if strings.Contains(said.Msg, "pseudo probes") {
		kind = "probe-based"
	}
	return &llvmerr.Fault{Msg: fmt.Sprintf("cannot %s %s profile with non-%[2]s profile", do, kind), More: said.Error()}
}

// addSymbols gives the profile a list of symbols.
func (t *tool) addSymbols(p *sampleprof.Profile) error {
	data, err := t.read(t.SymbolFile, t.std.In)
	if err != nil {
		return err
	}
	var list []string
	for line := range bytes.Lines(data) {
		if symbol := strings.TrimSpace(string(line)); symbol != "" {
			list = append(list, symbol)
		}
	}
	p.AddSymbols(list)
	return nil
}
