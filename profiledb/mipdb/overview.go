package mipdb

import (
	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/profiledb/stored"
)

// Overview is what the overview says of a Machine IR Profile (mip.md).
type Overview struct {
	Header     mip.Header      // of it only types, hash and version are kept
	Measured   mip.ProfileType // what there is of what the header names
	Layout     mip.Layout
	RawAddress *uint64 // link-time address of the raw section; nil where no program was given
	Underscore bool    // names have the underscore of Mach-O in front
	MapFile    string  // the file that the functions come from

	analyze.MIPTotals        // of all functions
	RemovedBlocks     uint64 // gone from the program; in no other figure
	Saturated         int    // functions that were called at least so often as is counted
	Unnamed           int    // functions without a name
	Runs              int    // raw files
	RunsAtLeast       uint64 // the largest merge count, all that is known of a .mip's runs
}

// HasTimestamps reports whether first-call positions were recorded.
func (o *Overview) HasTimestamps() bool { return o.Measured.Has(mip.Timestamp) }

// HasCalls reports whether calls were counted.
func (o *Overview) HasCalls() bool { return o.Measured.Has(mip.CallCount) }

// HasBlocks reports whether blocks other than the entries were counted.
func (o *Overview) HasBlocks() bool { return o.Measured.Has(mip.BlockCoverage) }

func readOverview(p *stored.Profile) (*Overview, error) {
	var o *Overview
	err := p.Walk("mip_module", func(row *stored.Row) {
		o = &Overview{
			Header: mip.Header{
				Version: 8, FileType: mip.FileType(row.Uint(1)), ProfileType: mip.ProfileType(row.Uint(2)),
				ModuleHash: uint32(row.Uint(3)),
			},
			Layout: mip.Layout(row.String(4)), Underscore: row.Int(6) != 0, MapFile: row.String(7),
			MIPTotals: analyze.MIPTotals{
				Functions: row.Uint(8), Executed: row.Uint(9), Bytes: row.Uint(10), ExecutedBytes: row.Uint(11),
				CoveredBytes: row.Uint(12),
				Blocks:       row.Uint(13), CoveredBlocks: row.Uint(14), Calls: analyze.Sum{Lo: row.Uint(16), Hi: row.Uint(17)},
			},
			RemovedBlocks: row.Uint(15), Saturated: int(row.Int(18)), Unnamed: int(row.Int(19)), Runs: int(row.Int(20)),
			RunsAtLeast: row.Uint(21), Measured: mip.ProfileType(row.Uint(22)),
		}
		if !row.IsNull(5) {
			o.RawAddress = new(row.Uint(5))
		}
	})
	if err == nil && o == nil {
		err = stored.Damaged("mip_module has no row")
	}
	return o, err
}
