package handlers

import (
	"context"
	"fmt"
	"strconv"

	"proflens/decode/mip"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/stored"
)

// mipObject is what the API says of a Machine IR Profile as a whole. Removed
// blocks are in no figure but their own.
type mipObject struct {
	ProfileTypes  []string   `json:"profile_types"`
	FileTypes     []string   `json:"file_types"`
	ModuleHash    string     `json:"module_hash"` // hex
	Layout        mip.Layout `json:"layout"`
	Functions     uint64     `json:"functions"`
	Executed      uint64     `json:"executed"`
	Unnamed       int        `json:"unnamed"`
	Bytes         exact      `json:"bytes"`
	ExecutedBytes exact      `json:"executed_bytes"`
	CoveredBytes  exact      `json:"covered_bytes"`
	Blocks        exact      `json:"blocks"`
	CoveredBlocks exact      `json:"covered_blocks"`
	RemovedBlocks exact      `json:"removed_blocks"`
	Calls         *exact     `json:"call_count"` // null in coverage mode
	Saturated     int        `json:"saturated"`  // functions
	Runs          int        `json:"runs"`       // raw files
	RunsAtLeast   exact      `json:"runs_at_least"`
}

func mipObjectOf(_ context.Context, p *stored.Profile, quote bool) (any, error) {
	m, err := mipdb.Of(p)
	if err != nil {
		return nil, err
	}
	return struct {
		MIP *mipObject `json:"mip"`
	}{newMIPObject(m.Overview, quote)}, nil
}

func newMIPObject(o *mipdb.Overview, quote bool) *mipObject {
	count := func(n uint64) exact { return exactly(quote)(strconv.FormatUint(n, 10)) }
	m := &mipObject{
		ProfileTypes: o.Header.ProfileType.Words(), FileTypes: o.Header.FileType.Words(), ModuleHash: fmt.Sprintf("0x%08x", o.Header.ModuleHash),
		Layout: o.Layout, Functions: o.Functions, Executed: o.Executed, Unnamed: o.Unnamed,
		Bytes: count(o.Bytes), ExecutedBytes: count(o.ExecutedBytes), CoveredBytes: count(o.CoveredBytes),
		Blocks: count(o.Blocks), CoveredBlocks: count(o.CoveredBlocks), RemovedBlocks: count(o.RemovedBlocks),
		Saturated: o.Saturated, Runs: o.Runs, RunsAtLeast: count(o.RunsAtLeast),
	}
	if o.HasTimestamps() {
		calls := exactly(quote)(o.Calls.String())
		m.Calls = &calls
	}
	return m
}
