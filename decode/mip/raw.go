package mip

import (
	"proflens/decode/model"
	"proflens/decode/wire"
)

// OpenRaw reads the header of a .mipraw. Which bytes behind it are whose only
// the map tells: see [Joiner]. rec may be nil.
//
// Errors are those of the header.
func OpenRaw(data []byte, rec *wire.Recorder) (*model.MIP, error) {
	c := wire.New("raw", data, 0)
	c.RecordSections(rec)
	h, err := readHeader(c, model.MIPFileRaw)
	if err != nil {
		return nil, err
	}
	counters := c.Section("counters", c.Remaining())
	counters.Describe("a map tells which are whose")
	m := &model.MIP{Form: model.MIPRaw, Header: h, Runs: []model.MIPRun{{Header: h, DataBytes: counters.Remaining()}}}
	m.Warnings = []model.MIPWarning{model.MIPMapMissing}
	return m, nil
}
