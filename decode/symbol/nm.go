package symbol

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"proflens/decode/model"
)

// maxListing is the bytes of a line of a listing, beyond all names in C++.
const maxListing = 1 << 16

// codeTypes is the letters of symbols that DCPI takes for code (dcpi.md §3).
const codeTypes = "tTwWiV"

// ListNM reads what nm prints of a program: every symbol that may be of code, also several
// of one address, by address and then by name. The text is of any of
//
//	0000000000001139 T main                     nm, nm -n
//	0000000000001139 0000000000000016 T main    nm -S, nm -n -S
//	main T 1139 16                              nm -P
//	main |0000000000001139|   T  |  FUNC|…      nm -f sysv
//
// of GNU or LLVM, with the file before each line (-A) or in a line of its own, with the
// source after it (-l), and with names demangled. Numbers are hexadecimal. Symbols that are
// undefined or of no code are left out. A size of 0 is one that is not said.
//
// Errors are a [*model.FormatError]: unrecognized_format at the first line that is none of
// these, or when there is no symbol at all.
func ListNM(data []byte) ([]Procedure, error) {
	var list []Procedure
	err := eachNM(data, func(e *nmEntry) {
		if strings.IndexByte(codeTypes, e.kind) >= 0 {
			list = append(list, e.Procedure)
		}
	})
	slices.SortStableFunc(list, func(a, b Procedure) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), strings.Compare(a.Name, b.Name))
	})
	return list, err
}

// IsNM reports whether a text is what nm prints of a program, of whatever symbols:
// at least one has an address, or is undefined and stands where nm puts it.
func IsNM(data []byte) bool {
	found := false
	err := eachNM(data, func(*nmEntry) { found = true })
	return err == nil && (found || undefinedNM.Match(data))
}

// undefinedNM matches a symbol without an address, indented by the width of one.
var undefinedNM = regexp.MustCompile(`(?m)^ {8,} [Uwv] \S`)

// eachNM calls visit for the symbols of a listing that have an address and a
// name.
func eachNM(data []byte, visit func(e *nmEntry)) error {
	symbols := 0
	for offset := 0; offset < len(data); {
		line := data[offset:]
		next := len(data)
		if n := bytes.IndexByte(line, '\n'); n >= 0 {
			line, next = line[:n], offset+n+1
		}
		entry, kind := nmEntry{}, nmUnknown
		if len(line) <= maxListing {
			entry, kind = parseNMLine(string(bytes.TrimRight(line, " \t\r")))
		}
		switch {
		case kind == nmUnknown:
			return &model.FormatError{
				Kind: model.KindUnrecognizedFormat, Section: "symbol listing", Offset: uint64(offset),
				Msg: "this is not a line of nm output", Expected: "an address, a type and a name",
				Found: strconv.Quote(string(line[:min(len(line), 60)])),
			}
		case kind == nmSymbol:
			symbols++
			if entry.defined && entry.Name != "" {
				visit(&entry)
			}
		}
		offset = next
	}
	if symbols == 0 {
		return &model.FormatError{
			Kind: model.KindUnrecognizedFormat, Section: "symbol listing", Msg: "the text has no symbols in nm format",
		}
	}
	return nil
}

// byAddress is the symbols in order of address, the best of those at the same.
// One without a size reaches to the next, or to the end that its address has.
func byAddress(list []symbolEntry, end func(addr uint64) uint64) []Procedure {
	slices.SortStableFunc(list, func(a, b symbolEntry) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.rank, a.rank), cmp.Compare(b.Size, a.Size),
			strings.Compare(a.Name, b.Name))
	})
	list = slices.CompactFunc(list, func(a, b symbolEntry) bool { return a.Start == b.Start })
	out := make([]Procedure, len(list))
	for n, sym := range list {
		out[n] = sym.Procedure
		if sym.Size != 0 {
			continue
		}
		stop := end(sym.Start)
		if n+1 < len(list) && (stop == 0 || list[n+1].Start < stop) {
			stop = list[n+1].Start
		}
		out[n].Size = max(stop, sym.Start) - sym.Start
	}
	return out
}

// nmEntry is a symbol of a listing.
type nmEntry struct {
	Procedure
	kind    byte
	defined bool
}

// nmLine is what a line is.
type nmLine int

const (
	nmUnknown nmLine = iota
	nmOther          // no symbol: empty, a file's name, the head of a table
	nmSymbol
)

// nmTypes is the letters that nm prints.
const nmTypes = "ABbCcDdGgIiNnpRrSsTtUuVvWw-?"

// parseNMLine reads a line of any form.
func parseNMLine(line string) (nmEntry, nmLine) {
	switch {
	case line == "", strings.HasSuffix(line, ":") && !strings.Contains(line, "|"),
		strings.HasPrefix(line, "Symbols from "),
		strings.HasPrefix(line, "Name ") && strings.Contains(line, "Value"), strings.HasSuffix(line, ": no symbols"):
		return nmEntry{}, nmOther
	case strings.Count(line, "|") >= 6:
		return parseNMTable(line)
	}
	line, _, _ = strings.Cut(line, "\t") // the source follows
	if e, kind := parseNMNative(line); kind == nmSymbol {
		return e, kind
	}
	if _, rest, ok := strings.Cut(line, ":"); ok { // the file is before it
		if e, kind := parseNMNative(strings.TrimPrefix(rest, " ")); kind == nmSymbol {
			return e, kind
		}
	}
	if _, rest, ok := strings.Cut(line, ": "); ok {
		line = rest
	}
	return parseNMPortable(line)
}

// parseNMNative reads [address [size]] type name.
func parseNMNative(line string) (e nmEntry, kind nmLine) {
	rest := strings.TrimLeft(line, " ")
	for n := range 2 {
		word, after, _ := strings.Cut(rest, " ")
		number, ok := nmNumber(word)
		if !ok || len(word) < 8 { // so that a type is not taken for a number
			break
		}
		if n == 0 {
			e.Start, e.defined = number, true
		} else {
			e.Size = number
		}
		rest = strings.TrimLeft(after, " ")
	}
	if len(rest) < 3 || rest[1] != ' ' || !strings.Contains(nmTypes, rest[:1]) {
		return e, nmUnknown
	}
	e.kind, e.Name = rest[0], strings.TrimSpace(rest[2:])
	if !e.defined && (line[0] != ' ' || !strings.ContainsRune("Uwv", rune(e.kind))) {
		return e, nmUnknown
	}
	return e, nmSymbol
}

// parseNMPortable reads name type [address [size]]. Names may have spaces, so
// it is read from its end.
func parseNMPortable(line string) (e nmEntry, kind nmLine) {
	words := strings.Fields(line)
	at := len(words) - 1
	for at >= 1 && !(len(words[at]) == 1 && strings.Contains(nmTypes, words[at]) && len(words)-at <= 3) {
		if len(words)-at > 3 {
			return e, nmUnknown
		}
		at--
	}
	// A type may look like a number: "f D 4 c" has the type D, not c.
	for n := at - 1; n >= 1 && len(words)-n <= 3; n-- {
		if len(words[n]) == 1 && strings.Contains(nmTypes, words[n]) && nmNumbers(words[n+1:]) {
			at = n
		}
	}
	if at < 1 || !nmNumbers(words[at+1:]) {
		return e, nmUnknown
	}
	e.kind = words[at][0]
	if n := at + 1; n < len(words) {
		e.Start, e.defined = nmHex(words[n]), true
	}
	if n := at + 2; n < len(words) {
		e.Size = nmHex(words[n])
	}
	e.Name = strings.Join(words[:at], " ")
	return e, nmSymbol
}

// parseNMTable reads name |address| type |kind|size|line|section.
func parseNMTable(line string) (e nmEntry, kind nmLine) {
	parts := strings.Split(line, "|")
	if len(parts) > 64 {
		return e, nmUnknown
	}
	fields := parts[len(parts)-6:] // names may have bars
	e.Name = strings.TrimSpace(strings.Join(parts[:len(parts)-6], "|"))
	if _, after, ok := strings.Cut(e.Name, ":"); ok && !strings.HasPrefix(after, ":") && !strings.Contains(e.Name, "::") {
		e.Name = after // the file is before it
	}
	letter := strings.TrimSpace(fields[1])
	if len(letter) != 1 || !strings.Contains(nmTypes, letter) {
		return e, nmUnknown
	}
	e.kind = letter[0]
	if text := strings.TrimSpace(fields[0]); text != "" {
		e.Start, e.defined = nmNumber(text)
		if !e.defined {
			return e, nmUnknown
		}
	}
	e.Size, _ = nmNumber(strings.TrimSpace(fields[3]))
	return e, nmSymbol
}

// nmNumber is a number in hexadecimal.
func nmNumber(word string) (uint64, bool) {
	v, err := strconv.ParseUint(strings.TrimPrefix(word, "0x"), 16, 64)
	return v, err == nil
}

func nmHex(word string) uint64 {
	v, _ := nmNumber(word)
	return v
}

func nmNumbers(words []string) bool {
	for _, w := range words {
		if _, ok := nmNumber(w); !ok {
			return false
		}
	}
	return true
}
