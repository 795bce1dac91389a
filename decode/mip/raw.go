package mip

import "proflens/decode/wire"

// OpenRaw reads the header of a .mipraw. Which bytes behind it are whose only
// the map tells: see [Joiner]. rec may be nil.
//
// Errors are those of the header.
func OpenRaw(data []byte, rec *wire.Recorder) (*Profile, error) {
	c := wire.New("raw", data, 0)
	c.RecordSections(rec)
	h, err := readHeader(c, FileRaw)
	if err != nil {
		return nil, err
	}
	counters := c.Section("counters", c.Remaining())
	counters.Describe("a map tells which are whose")
	m := &Profile{Form: FormatRaw, Header: h, Runs: []Run{{Header: h, DataBytes: counters.Remaining()}}}
	m.Warnings = []Warning{MapMissing}
	measure(m)
	return m, nil
}
