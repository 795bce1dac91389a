package decode

import (
	"context"
	"errors"

	"proflens/decode/model"
)

// fileError says of which format the file was whose fault it wraps.
type fileError struct {
	format model.Format
	err    *model.FormatError
}

func (e *fileError) Error() string { return e.err.Error() }
func (e *fileError) Unwrap() error { return e.err }

// inFile names file and format of a fault that err holds. The fault itself is
// copied, since it belongs to the reader that found it.
func inFile(name string, format model.Format, err error) error {
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		return err
	}
	named := *fault
	if named.File == "" {
		named.File = name
	}
	return &fileError{format, &named}
}

// codePrefixes begin the codes of findings, by format.
var codePrefixes = map[model.Format]string{
	model.LLVMRaw:       "raw",
	model.LLVMIndexed:   "indexed",
	model.LLVMText:      "text",
	model.ELF:           "elf",
	model.MemProfRaw:    "memprof",
	model.MemProfYAML:   "memprof",
	model.MemProfReport: "memprof",
	model.MachO:         "mach-o",
	model.MIPProfile:    "mip",
	model.MIPMap:        "mipmap",
	model.MIPRaw:        "mipraw",
	model.DCPISamples:   "dcpi",
	model.DCPICat:       "dcpi",
}

// FindingOf makes a finding of an error that [Open] or a source returned: with
// a stable code, "raw.truncated", the likely cause and what to do about it.
// file is used when the error does not name one. An error that is no
// FormatError is timeout or internal, whatever its text.
func FindingOf(file string, err error) model.Finding {
	fault, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		fault = foreignFault(err)
	}
	prefix := "input"
	if in, ok := errors.AsType[*fileError](err); ok && codePrefixes[in.format] != "" {
		prefix = codePrefixes[in.format]
	}
	f := model.Finding{
		Severity: model.Error, Code: prefix + "." + string(fault.Kind), Kind: fault.Kind,
		File: fault.File, Section: fault.Section, Field: fault.Field, Offset: fault.Offset,
		Expected: fault.Expected, Found: fault.Found, Message: fault.Msg,
	}
	if f.File == "" {
		f.File = file
	}
	advice := adviceOn(prefix, fault.Kind)
	f.Cause, f.Remedy = advice.cause, advice.remedy
	if c, ok := errors.AsType[cut](err); ok {
		f.Cause, f.Remedy = c.cause(), c.remedy()
	}
	if h, ok := errors.AsType[hint](err); ok {
		f.Cause, f.Remedy = "", string(h)
	}
	return f
}

// foreignFault stands for an error that is not about the file's bytes.
func foreignFault(err error) *model.FormatError {
	if errors.Is(err, context.DeadlineExceeded) {
		return &model.FormatError{Kind: model.KindTimeout, Msg: "decoding took longer than it may"}
	}
	if errors.Is(err, context.Canceled) {
		return &model.FormatError{Kind: model.KindTimeout, Msg: "decoding was cancelled"}
	}
	return &model.FormatError{Kind: model.KindInternal, Msg: "decoding failed for a reason that is not in the file", Err: err}
}

// advice is what a finding says to a person about a kind of fault.
type advice struct{ cause, remedy string }

// The remedies that several kinds share.
const (
	again   = "copy or download the file again and compare sizes; if it is the same, record the profile again"
	newer   = "open it with a newer release of this program, or merge it with the llvm-profdata of the compiler that wrote it and open the .profdata"
	convert = "run llvm-profdata merge of the compiler that wrote it: what that refuses is damaged"
)

// adviceOn finds the advice for a kind, the format's own first.
func adviceOn(prefix string, kind model.Kind) advice {
	if a, ok := advices[prefix+"."+string(kind)]; ok {
		return a
	}
	return advices[string(kind)]
}

// advices, by kind or by code.
var advices = map[string]advice{
	"truncated": {"the file was cut: a full disk, an interrupted copy, or a program that was killed while it wrote", again},
	"raw.truncated": {"the file was cut: the program was killed while it wrote its profile, the disk was full, or a copy was interrupted",
		"record the profile again and let the program end by itself, or copy the file again"},
	"malformed": {"the file was damaged after it was written, or was made by a compiler with a format of its own", convert},
	"raw.malformed": {"the file was damaged, several programs wrote to it at once, or the compiler is a fork with a format of its own",
		"use %p or %m in LLVM_PROFILE_FILE so that each process writes a file of its own, and record again"},
	"text.malformed":        {"the text was edited by hand or cut, or it is a text profile of another kind", "correct the line at the offset, or write the text again with llvm-profdata merge --text"},
	"bad_magic":             {"the file is not of the format its beginning promises, or files were joined that cannot be", "give the files one by one"},
	"raw.bad_magic":         {"something was appended to the profile that is no raw profile of the same kind", "give the files one by one instead of joining them"},
	"bad_header":            {"the file was cut, or its header is damaged", again},
	"raw.bad_header":        {"the file was cut, most often because the program was killed while it wrote its profile", "record the profile again and let the program end by itself, or copy the file again"},
	"text.bad_header":       {"a newer compiler wrote the text, or a line was added by hand", "remove the line at the offset, or open the file with a newer release of this program"},
	"unrecognized_format":   {"it is another kind of file", "give a .profraw, .profdata, .proftext, .memprofraw, .mip, .mipmap with .mipraw, or a DCPI profile"},
	"unsupported_version":   {"a newer compiler wrote the file", newer},
	"input.incompatible":    {"the files were made by different kinds of instrumentation", "open them as separate profiles"},
	"incompatible":          {"the files were made by different kinds of instrumentation", "open them as separate profiles"},
	"unsupported_hash_type": {"the header is damaged, or a fork of LLVM wrote the file", convert},
	"too_large":             {"a size in the file is damaged; no real profile is so", again},
	"eof":                   {"the text ends inside its header", again},
	"uncompress_failed":     {"bytes of the compressed names were changed, often by a transfer in text mode", "copy the file again, in binary mode"},
	"empty_raw_profile":     {"the program has not written its profile: it was killed, called _exit, or still runs", "let the program end by itself, or call __llvm_profile_write_file"},
	"timeout":               {"the file is very large, or the server is busy", "try again, or raise the time limit of decoding"},
	"internal":              {"a fault of this program, not of the file", "report it with the file, if you can share it"},
	"missing_correlation_info": {"the program was built with -profile-correlate",
		"give the executable along with the profile, as it was linked: not stripped, and for debug-info correlation with its debug info"},
	"unexpected_correlation_info": {"the header is damaged", again},
	"unable_to_correlate_profile": {"the file is a stripped copy of the executable, or one that was built in another way than the profile says",
		"give the executable that was run, as it was linked"},
	"elf.incompatible":        {"the executable is of another program, or was built again since the profiles were recorded", "leave it out, or open it with the profiles that were recorded with it"},
	"elf.truncated":           {"the executable was cut by an interrupted copy, or stripped", "copy the executable again, as it was linked"},
	"elf.malformed":           {"the executable was damaged after it was linked, or a tool rewrote it", "copy the executable again, as it was linked"},
	"elf.unsupported_version": {"an object file was given, or a newer linker wrote the executable", "give the executable that was run"},
	"dcpi.unsupported_version": {"the profile is of version 1 of the tools, whose samples only they can read",
		"run dcpicat on it, with the original tools, and open the text that it prints"},
	"not_dcpi":           {"it is another kind of file", "give a profile out of a DCPI database, or what dcpicat prints"},
	"missing_terminator": {"the file was cut, or is no profile of DCPI", again},
	"header_syntax":      {"the header was edited, or copied as text", "copy the file again, in binary mode"},
	"missing_required":   {"the header was edited, or another tool wrote the file", "add the line, as it stands in other profiles of the database"},
	"duplicate_line":     {"the header was edited", "remove the line that is wrong"},
	"bad_value":          {"the header was edited, or another tool wrote the file", "correct the line"},
	"bad_chunk":          {"the samples were damaged, or the words are not little-endian", again},
	"unsorted":           {"another tool wrote the file", "write the chunks by rising offset"},
	"overlap":            {"another tool wrote the file", "write each address once"},
	"footer_mismatch":    {"samples were damaged or lost: the totals are the only checksum there is", again},
	"trailing_data":      {"something was appended to the profile", "give the files one by one instead of joining them"},
	"count_too_large":    {"the file was cut, or a number in it was damaged", again},
	"corrupt":            {"the file was damaged, or written by another tool", again},
	"mipraw.corrupt": {"the program was killed while it wrote its counters, or the run is of another build than the map: both have the same module hash",
		"give the map of the program that was run, and leave out runs that are not whole"},
	"mipraw.truncated":             {"the program was killed while it wrote its counters", "leave the run out, or record it again"},
	"mismatch":                     {"the files are of different programs, or of different builds of one", "give the map of the program that was run, and open other profiles by themselves"},
	"second_header":                {"the maps of several link units were joined, each of which has raw files of its own", "dump each program's map by itself: llvm-objcopy --dump-section=__llvm_mipmap=x.mipmap PROGRAM"},
	"unsupported_feature":          {"this part of the format was never finished", "record coverage or counts instead"},
	"mip.unsupported_version":      {"an early form of the tools wrote the file", "record the profile again with the last form of the tools"},
	"mipmap.unsupported_version":   {"an early form of the compiler wrote the file", "build the program with the last form of the tools"},
	"mipraw.unsupported_version":   {"an early form of the compiler built the program", "build the program with the last form of the tools"},
	"mip.bad_magic":                {"the file was overwritten, or is of another kind and named by mistake", "give it under its own name"},
	"mip.bad_header":               {"the header is damaged, or the file has the name of another kind", "copy the file again, and give it under its own name"},
	"mipmap.bad_header":            {"the header is damaged, or the file has the name of another kind", "copy the file again, and give it under its own name"},
	"mipraw.bad_header":            {"the header is damaged, or the file has the name of another kind", "copy the file again, and give it under its own name"},
	"raw_profile_version_mismatch": {"a newer compiler built the program, or the header is damaged", newer},
}
