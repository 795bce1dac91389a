package cov

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"proflens/analyze/coverage"
	"proflens/command/llvmerr"
	"proflens/decode"
	"proflens/decode/covmap"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/internal/mmap"
)

// inputs are the files that are mapped into memory until the end.
type inputs struct{ maps [][]byte }

func (in *inputs) close() {
	for _, data := range in.maps {
		mmap.Release(data)
	}
	in.maps = nil
}

func (in *inputs) read(name string) ([]byte, error) {
	data, err := mmap.ReadFile(name)
	if err != nil {
		return nil, err
	}
	in.maps = append(in.maps, data)
	return data, nil
}

// load reads objects and profile and joins them. brief is for tables of numbers.
func (r *run) load(brief bool) (*coverage.Coverage, error) {
	o := &r.options
	if err := r.sortArguments(); err != nil {
		return nil, err
	}
	names := o.programs()
	switch {
	case len(names) == 0 && len(o.DebugDirectories) == 0:
		return nil, &misuse{"No filenames specified!", "no program; give the one that was run, or -object=FILE"}
	case len(o.InstrProfile) == 0 && !o.EmptyProfile:
		return nil, o.noProfile(names)
	case len(o.InstrProfile) > 0 && o.EmptyProfile:
		return nil, &misuse{eitherProfile, "use -instr-profile or -empty-profile, not both"}
	case len(o.Arch) > 1 && len(o.Arch) != len(names):
		return nil, errors.New("number of architectures doesn't match the number of objects")
	}
	for _, profile := range o.InstrProfile {
		r.warnIfOlder(profile, names)
	}
	profile, ids, err := r.profile(names)
	if err != nil {
		return nil, err
	}
	objects, err := r.objects(names, ids)
	if err != nil {
		return nil, err
	}
	c, err := coverage.Join(r.ctx, objects, profile, coverage.Options{AsLLVM: true, Brief: brief})
	if err != nil {
		return nil, fmt.Errorf("failed to load coverage: %w", err)
	}
	if n := len(c.Misfits.Mismatched); n > 0 {
		r.warn("%d functions have mismatched data", n)
		for _, m := range c.Misfits.Mismatched {
			if o.Dump {
				fmt.Fprintf(r.err, "hash-mismatch: No profile record found for '%s' with hash = 0x%x\n", m.Name, m.Hash)
			}
		}
	}
	if list := c.Misfits.Bitmapless; len(list) > 0 {
		r.note("functions whose MC/DC cannot be told (-), as the profile has no bitmap of them: %d; the first: %s",
			len(list), list[0].Name)
	}
	if list := c.Misfits.Other; len(list) > 0 {
		r.note("functions with other lines in another of the programs, which are counted on those of the first: %d; the "+
			"first: %s",
			len(list), list[0].Name)
	}
	return c, nil
}

// eitherProfile is llvm-cov's for a profile too few, or too many.
const eitherProfile = "error: exactly one of -instr-profile and -empty-profile must be specified"

// embedded is the text of sources that the programs hold.
func (r *run) embedded() []model.SourceText {
	var files []format.File
	for _, name := range r.options.programs() {
		if data, err := r.read(name); err == nil {
			files = append(files, format.File{Name: name, Data: data})
		}
	}
	return decode.Embedded(files)
}

// warnIfOlder tells which programs were built after the profile was made.
func (r *run) warnIfOlder(profile string, objects []string) {
	made, err := os.Stat(profile)
	if err != nil {
		return
	}
	for _, name := range objects {
		if built, err := os.Stat(name); err == nil && built.ModTime().After(made.ModTime()) {
			r.warn("%s: profile data may be out of date - object is newer", name)
		}
	}
}

// objects opens the programs, and those that the profile names by their build IDs; those
// without a mapping are left out if one has any.
func (r *run) objects(names []string, ids [][]byte) ([]*covmap.Object, error) {
	var list []*covmap.Object
	nothing := errNoCoverage
	for i, name := range names {
		arch := ""
		switch n := len(r.options.Arch); {
		case n == 1:
			arch = r.options.Arch[0]
		case n > 1:
			arch = r.options.Arch[i]
		}
		opened, err := r.object(name, arch)
		if model.KindOf(err) == model.KindNoCoverage {
			nothing = err
			continue
		}
		if err != nil {
			return nil, loadError(name, err, llvmerr.Coverage)
		}
		list = append(list, opened...)
	}
	list, err := r.byBuildID(list, ids)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, loadError(strings.Join(names, ", "), nothing, llvmerr.Coverage)
	}
	return list, nil
}

var errNoCoverage = errors.New("no coverage data found")

// object opens one program. For pages, records of functions and the file names of units that
// are damaged are left out, unless all are: what is shown of the others is right. Any other
// damage is refused, and any at all where this stands in for llvm-cov.
func (r *run) object(name, arch string) ([]*covmap.Object, error) {
	data, err := r.read(name)
	if err != nil {
		return nil, err
	}
	o := covmap.Options{CompilationDir: r.options.CompilationDir, Arch: arch, Member: r.read}
	list, err := covmap.Open(name, data, o)
	switch model.KindOf(err) {
	case model.KindMalformed, model.KindTruncated, model.KindUncompressFailed:
	default:
		return list, err
	}
	if r.standsIn {
		r.note("proflens cov -o DIR shows the functions that are not damaged")
		return nil, err
	}
	o.Lenient = true
	whole, fault := covmap.Open(name, data, o)
	more := func(object *covmap.Object) bool {
		return slices.ContainsFunc(object.Faults, func(f covmap.Fault) bool { return f.Function == "" && !f.Names })
	}
	if fault != nil || slices.ContainsFunc(whole, more) ||
		!slices.ContainsFunc(whole, func(object *covmap.Object) bool { return len(object.Functions) > 0 }) {
		return nil, err
	}
	for _, object := range whole {
		r.warnOfDamage(object)
	}
	return whole, nil
}

// warnOfDamage names what of a mapping is damaged and left out.
func (r *run) warnOfDamage(object *covmap.Object) {
	const most = 20
	for i := range object.Faults[:min(len(object.Faults), most)] {
		r.warn("%s: a record of the coverage mapping is damaged and left out: %s", object.Name, object.Faults[i].Said())
	}
	if more := len(object.Faults) - most; more > 0 {
		r.warn("%s: %d more records are damaged and left out", object.Name, more)
	}
}

// warnOf tells a finding about the profiles, if it warns of more than the join does, which
// knows the functions that bitmaps are missing of.
func (r *run) warnOf(severity model.Severity, code, file, message string) {
	switch {
	case severity != model.Warning || code == "raw.correlation_bitmap":
	case file == "" || strings.HasPrefix(message, file):
		r.warn("%s", message)
	default:
		r.warn("%s: %s", file, message)
	}
}

// profileWords are LLVM's for what is wrong with a profile, which is an indexed one there.
var profileWords = func() map[model.Kind]string {
	words := maps.Clone(llvmerr.Instr)
	words[model.KindUnrecognizedFormat] = words[model.KindBadMagic]
	return words
}()

// loadError is what is wrong with a file, in LLVM's words for kinds of faults.
func loadError(name string, err error, words map[model.Kind]string) error {
	fault := &llvmerr.Fault{Msg: err.Error()}
	format, isFormat := model.FaultIn(err)
	if isFormat && format.Section == "names" {
		words = llvmerr.Instr
	}
	if _, isPath := errors.AsType[*fs.PathError](err); isFormat || isPath {
		fault = llvmerr.Of("", err, words)
	}
	if fault.More != "" {
		fault.More = name + ": " + fault.More
	}
	fault.Msg = fmt.Sprintf("failed to load coverage: '%s': %s", name, fault.Msg)
	return fault
}

// profile reads the profiles and merges them, and returns the build IDs that they name.
// Raw ones may need the program to be read.
func (r *run) profile(programs []string) (*coverage.Profile, [][]byte, error) {
	if r.options.EmptyProfile {
		return &coverage.Profile{}, nil, nil
	}
	var files []format.File
	correlated := false
	for _, name := range r.options.InstrProfile {
		data, err := r.read(name)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: could not read profile data!%s", name, llvmerr.System(err))
		}
		is := decode.Recognise(name, data)
		correlated = correlated || is.Is(instrprof.FormatRaw) && is.Sole
		files = append(files, format.File{Name: name, Data: data, Is: &is})
	}
	for _, name := range programs {
		if !correlated {
			break
		}
		data, err := r.read(name)
		if err != nil {
			return nil, nil, err
		}
		files = append(files, format.File{Name: name, Data: data, Optional: true})
	}
	opened, err := decode.Open(r.ctx, files, format.Options{})
	if fault, ok := model.FaultIn(err); ok && fault.File != "" {
		return nil, nil, loadError(fault.File, err, profileWords)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("failed to load coverage: %w", err)
	}
	source := llvm.SourceOf(opened)
	if source == nil {
		return nil, nil, fmt.Errorf("failed to load coverage: '%s': %s has no counters of functions", files[0].Name,
			opened.Info.Describe)
	}
	p, err := coverage.ProfileOf(r.ctx, source)
	if _, ok := model.FaultIn(err); ok { // in a record: of whatever kind, LLVM has these words, and names the programs
		err = &llvmerr.Fault{
			Msg: fmt.Sprintf("failed to load coverage: '%s': %s", strings.Join(programs, ", "),
				llvmerr.Instr[model.KindMalformed]),
			More: strings.Join(r.options.InstrProfile, ", ") + ": " + err.Error(),
		}
	}
	if err != nil {
		return nil, nil, err
	}
	for _, f := range opened.Findings() {
		r.warnOf(f.Severity, f.Code, f.File, f.Message)
	}
	return p, source.Info().BinaryIDs, nil
}
