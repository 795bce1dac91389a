package profdata

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"

	"proflens/command/llvmerr"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// debugFolder is where systems have programs' debug info by build ID.
const debugFolder = "/usr/lib/debug"

// checkCorrelation refuses options that say in several ways where records of a raw profile are, or only half of one.
func (t *tool) checkCorrelation() error {
	fetches := t.Debuginfod || len(t.DebugFolders) > 0
	said := ""
	switch {
	case t.DebugInfo != "" && (t.BinaryFile != "" || fetches):
		said = "Expected only one of -debug-info, -binary-file, -debuginfod or -debug-file-directory"
	case t.DebugInfo == "" && t.BinaryFile != "" && fetches:
		said = "Expected only one of -binary-file, -debuginfod or -debug-file-directory"
	case t.Correlate != "" && !fetches:
		said = "Expected --debuginfod or --debug-file-directory when --correlate is provided"
	case t.Correlate == "" && t.Debuginfod:
		said = "Expected --correlate when --debuginfod is provided"
	case t.Correlate == "" && fetches:
		said = "Expected --correlate when --debug-file-directory is provided"
	default:
		return nil
	}
	return &llvmerr.Fault{Msg: said}
}

// programs are those that an input may have left its records in: those that were named, and that of its build ID.
func (t *tool) programs(in string) (list []format.File, err error) {
	names := []string{t.DebugInfo, t.BinaryFile}
	if t.Correlate != "" {
		program, err := t.byBuildID(in)
		if err != nil {
			return nil, err
		}
		names = append(names, program)
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		data, err := t.read(name, t.std.In)
		if err != nil {
			return nil, err
		}
		list = append(list, format.File{Name: name, Data: data, Optional: true})
	}
	return list, nil
}

// byBuildID finds the program of a raw profile; other profiles need none. Errors are a [*model.FormatError].
func (t *tool) byBuildID(in string) (program string, err error) {
	data, err := t.read(in, t.std.In)
	if err != nil || !instrprof.IsRaw(data) {
		return "", nil // it is read again, and told of then
	}
	peek, err := instrprof.PeekRaw(data, uint64(len(data)))
	if err != nil && !peek.Correlated {
		return "", nil
	}
	fault := &model.FormatError{Kind: model.KindUnableToCorrelate, Section: "binary ids"}
	const unsupported = ": unsupported profile binary correlation when there "
	switch ids := peek.Info.BinaryIDs; {
	case len(ids) == 0:
		fault.LLVM, fault.Msg = unsupported+"is no build ID in a profile", "the profile names no program"
	case len(ids) > 1:
		fault.LLVM, fault.Msg = unsupported+"are multiple build IDs in a profile", "the profile names several programs"
	default:
		id := hex.EncodeToString(ids[0])
		if program, fault.Msg = t.fetch(id); program == "" {
			fault.LLVM = ": Missing build ID: " + id
		}
	}
	if program == "" {
		return "", fault
	}
	if t.Correlate == "debug-info" {
		_, _, err = t.probes(program, "correlated file", 0)
		if failed, ok := err.(*llvmerr.Fault); ok && failed.Where == program {
			fault.LLVM, fault.Msg = failed.Msg[len(llvmerr.Instr[fault.Kind]):], cmp.Or(failed.More, program)
			return "", fault
		}
	}
	return program, err
}

// fetch is the file of the program with a build ID, in folders or, if they may be asked, of a server;
// or why there is none.
func (t *tool) fetch(id string) (program, why string) {
	folders := t.DebugFolders
	if len(folders) == 0 {
		folders = []string{debugFolder}
	}
	for _, dir := range folders {
		if len(id) < 2 {
			break
		}
		path := filepath.Join(dir, ".build-id", id[:2], id[2:]+".debug")
		if _, err := os.Stat(path); err == nil {
			return path, ""
		}
	}
	if !t.Debuginfod {
		return "", "no folder has the program"
	}
	program, err := debuginfod(t.ctx, id, func(warning string) { fmt.Fprintf(t.std.Err, "warning: %s\n", warning) })
	if err != nil {
		return "", err.Error()
	}
	return program, ""
}
