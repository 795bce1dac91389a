package sums

import (
	"bytes"
	"fmt"
	"slices"

	"proflens/decode/instrprof"
	"proflens/decode/model"
)

// alikeNames finds functions of one program that share name and FuncHash, so that their
// counts are added up. Names that begin with a file are of one function of that file;
// others, such as a template's, stand for one function however often a program has it.
type alikeNames struct {
	last  []uint32 // by number of the record: the profile of the raw file that had it last
	seen  uint32   // profiles of raw files so far
	run   int
	count uint64
	name  string // of the first
}

// begin begins an input.
func (a *alikeNames) begin() { a.run, a.count = 0, 0 }

// see notes that a function was added to the record of a number.
func (a *alikeNames) see(number int32, f *instrprof.Function) {
	if f.Run == 0 || !isOfFile(f.Name) {
		return
	}
	if f.Run != a.run {
		a.run = f.Run
		a.seen++
	}
	if more := int(number) + 1 - len(a.last); more > 0 {
		a.last = slices.Grow(a.last, more)[:int(number)+1]
	}
	if a.last[number] == a.seen {
		if a.count++; a.count == 1 {
			a.name = string(f.Name)
		}
	}
	a.last[number] = a.seen
}

// isOfFile reports whether a PGO name begins with a file, as those of functions that no
// other file can call do: "a.c;f", or "a.c:f" of front ends and before LLVM 17. Objective-C
// has ':' in names of its own.
func isOfFile(name []byte) bool {
	return bytes.IndexByte(name, ';') > 0 || bytes.IndexByte(name, ':') > 0 && !bytes.ContainsAny(name[:1], "-+\x01")
}

// finding says what was found in an input.
func (a *alikeNames) finding(file string) (model.Finding, bool) {
	count := a.count
	a.count = 0
	return model.Finding{
		Severity: model.Warning, Code: "raw.same_name", File: file, Count: count,
		Message: fmt.Sprintf("two functions of the program have one name and FuncHash, such as %s: their counts are added "+
			"up, as LLVM adds them", a.name),
		Cause: "source files of one name in several folders have static functions of one name",
		Remedy: "build with -funique-internal-linkage-names, and name each file by a path of its own: clang -c a/util.c, " +
			"not util.c in the folder a",
	}, count > 0
}
