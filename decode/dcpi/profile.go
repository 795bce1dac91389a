package dcpi

import (
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Open reads a profile of version 0: its header, and its chunks as far as they
// must be read to be held against the rules. data must stay unchanged while
// the result is in use. rec, which may be nil, hears of every field.
//
// The error is a [*model.FormatError] of a kind of this package, or truncated,
// trailing_data or unsupported_version. What is odd but readable is a finding.
func Open(name string, data []byte, rec *wire.Recorder) (*File, error) {
	f := &File{Name: name, Profiles: make([]Profile, 1)}
	p := &f.Profiles[0]
	p.File = name
	header := wire.New("header", data[:headerSize(data)], 0)
	header.Record(rec)
	if err := readLines(header, &p.Header); err != nil {
		return nil, err
	}
	warnings, err := parseLines(header, &p.Header)
	if model.KindOf(err) == model.KindUnsupportedVersion {
		unread(rec, data, &p.Header)
	}
	if err != nil {
		return nil, err
	}
	samples := wire.New("samples", data[p.Bytes:], p.Bytes)
	samples.Record(rec)
	more, err := readBody(samples, p)
	if err != nil {
		return nil, err
	}
	warnings = append(warnings, more...)
	slices.Sort(warnings)
	for _, code := range slices.Compact(warnings) {
		f.Findings = append(f.Findings, finding(name, code))
	}
	return f, nil
}
