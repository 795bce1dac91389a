package sampleprof

import (
	"bytes"
	"regexp"

	"proflens/decode/format"
	"proflens/decode/model"
)

// FormatNames is a list of linkage names, one a line.
const FormatNames model.Format = "names"

// namesFormat is no profile: a list stands beside profiles whose names are hashes.
var namesFormat = &format.Format{Name: FormatNames, Prefix: "input"}

var (
	// linkageName is a name that a linker knows.
	linkageName = regexp.MustCompile(`\A[A-Za-z_.$][\w.$@]*\z`)
	// ofLinker is one that no list of anything else has.
	ofLinker = regexp.MustCompile(`\A(_Z\w|_R[A-Z]|_start\z|_init\z)`)
)

// recogniseNames tells a list of linkage names by its first lines: names and nothing
// else, one of them such as only a compiler makes.
func recogniseNames(name string, data []byte) (format.Recognised, bool) {
	const enough = 4 << 10
	first := data
	if len(first) > enough {
		first = first[:bytes.LastIndexByte(first[:enough], '\n')+1]
	}
	lines, made := 0, false
	for line := range bytes.Lines(first) {
		line = bytes.TrimRight(line, " \t\r\n")
		if len(line) == 0 {
			continue
		}
		if !linkageName.Match(line) {
			return format.Recognised{}, false
		}
		lines, made = lines+1, made || ofLinker.Match(line)
	}
	if lines < 2 || !made {
		return format.Recognised{}, false
	}
	const what = "a list of function names"
	return format.Recognised{Format: namesFormat, Describe: what, Companion: what, Late: true,
		Err: format.Foreign(name, what, "give it together with the sample profile whose functions it names",
			model.KindUnrecognizedFormat)}, true
}

// eachName visits the names of a list. What is longer than any name is left out.
func eachName(data []byte, visit func(name string)) {
	for line := range bytes.Lines(data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && len(line) <= model.MaxName {
			visit(string(line))
		}
	}
}
