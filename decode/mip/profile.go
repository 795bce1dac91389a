package mip

import (
	"bytes"
	"iter"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// OpenProfile reads a .mip. Nothing in it says in which of four layouts it is:
// it is the one that ends where the file does and, if several do, the one whose
// names explain most signatures (mip.md §6). rec may be nil. The data must
// outlive the result.
//
// Errors are those of the header, and truncated, count_too_large, trailing_data,
// unsupported_feature; when no layout fits, the error of the one that got
// through most functions.
func OpenProfile(data []byte, rec *wire.Recorder) (*Profile, error) {
	best, err := chooseLayout(data)
	if rec.Records() {
		shown := &profileReader{layout: best.layout}
		if err == nil {
			shown.end = best.end
		}
		_ = shown.read(data, rec) // the same again, to be shown
	}
	if err != nil {
		return nil, err
	}
	r := &profileReader{layout: best.layout, keep: true, end: best.end}
	if err := r.read(data, nil); err != nil {
		return nil, err // it has been read before
	}
	m := &Profile{
		Form: FormatProfile, Header: r.header, Layout: r.name,
		Functions: r.functions, Blocks: r.blocks, Names: &Names{Bytes: r.names},
	}
	if r.odd {
		m.Warnings = append(m.Warnings, OddByte)
	}
	if err := checkNames(data, r.names); err != nil {
		return nil, err
	}
	nameFunctions(m)
	slices.Sort(m.Warnings)
	measure(m)
	return m, nil
}

// chooseLayout reads the file in every layout and returns the one that fits, or
// else the one that got furthest and its error.
func chooseLayout(data []byte) (best *profileReader, err error) {
	hits := -1
	for _, l := range layouts {
		r := &profileReader{layout: l}
		fault := r.read(data, nil)
		switch {
		case fault == nil:
			if n := r.explained(); n > hits {
				best, err, hits = r, nil, n
			}
		case hits < 0 && (best == nil || len(r.signatures) > len(best.signatures)):
			best, err = r, fault
		}
	}
	return best, err
}

// explained is how many signatures are the hash of one of the names.
func (r *profileReader) explained() int {
	known := make(map[uint64]struct{}, len(r.signatures))
	for _, s := range r.signatures {
		known[s] = struct{}{}
	}
	hashed := make(map[uint64]struct{}, len(r.signatures))
	for name := range eachName(r.names) {
		s := Signature(name)
		if _, ok := known[s]; ok {
			hashed[s] = struct{}{}
		}
	}
	n := 0
	for _, s := range r.signatures {
		if _, ok := hashed[s]; ok {
			n++
		}
	}
	return n
}

// eachName yields the names of a .mip: NUL stands between them, and perhaps
// behind the last.
func eachName(names []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		if bytes.HasSuffix(names, []byte{0}) {
			names = names[:len(names)-1]
			if len(names) == 0 {
				return
			}
		}
		for len(names) > 0 {
			name, rest, more := bytes.Cut(names, []byte{0})
			if !yield(name) {
				return
			}
			if more && len(rest) == 0 {
				yield(rest)
			}
			names = rest
		}
	}
}

// checkNames refuses a name that is longer than any; the names end the data.
func checkNames(data, names []byte) error {
	at := len(data) - len(names)
	for name := range eachName(names) {
		if len(name) > model.MaxName {
			return &model.FormatError{Kind: model.KindTooLarge, Section: "names", Field: "FunctionNames", Offset: uint64(at),
				Msg: "a function's name is implausibly long", Expected: model.NameBound,
				Found: wire.Plural(len(name), "byte")}
		}
		at += len(name) + 1
	}
	return nil
}

// nameFunctions gives functions their names: by signature, or by position when
// no signature is explained and there are as many names.
func nameFunctions(m *Profile) {
	named := make(map[uint64][]byte, len(m.Functions))
	for i := range m.Functions {
		named[m.Functions[i].Signature] = nil
	}
	total, hits := 0, 0
	for name := range eachName(m.Names.Bytes) {
		total++
		if had, ok := named[Signature(name)]; ok && had == nil {
			named[Signature(name)] = name
			hits++
		}
	}
	if hits == 0 && total == len(m.Functions) && total > 0 {
		i := 0
		for name := range eachName(m.Names.Bytes) {
			m.Functions[i].Name, m.Functions[i].NameSource = name, NamePositional
			i++
		}
		m.Warnings = append(m.Warnings, PositionalNames)
		return
	}
	unnamed := false
	for i := range m.Functions {
		f := &m.Functions[i]
		name := named[f.Signature]
		f.Name, f.NameSource = name, NameMD5
		if name == nil {
			f.NameSource, unnamed = NameNone, true
		}
	}
	if unnamed {
		m.Warnings = append(m.Warnings, UnnamedFunctions)
	}
}
