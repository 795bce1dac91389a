package mipweb

import (
	"context"
	"fmt"
	"strconv"

	"proflens/decode/mip"
	"proflens/handlers/site"
	"proflens/profiledb/mipdb"
	"proflens/profiledb/stored"
)

// objectsSay is what the objects are.
const objectsSay = `
	=mipweb.mipObject MIPFigures: Figures of Machine IR Profiles only. Removed blocks count only in removed_blocks.`

// mipObject is what the API says of a Machine IR Profile as a whole. Removed
// blocks are in no figure but their own.
type mipObject struct {
	ProfileTypes  []string    `json:"profile_types"`
	FileTypes     []string    `json:"file_types"`
	ModuleHash    string      `json:"module_hash" is:"/^0x[0-9a-f]{8}$/"` // hex
	Layout        mip.Layout  `json:"layout" doc:"Layout of a .mip; empty for other files."`
	Functions     uint64      `json:"functions"`
	Executed      uint64      `json:"executed"`
	Unnamed       int         `json:"unnamed"`
	Bytes         site.Exact  `json:"bytes"`
	ExecutedBytes site.Exact  `json:"executed_bytes"`
	CoveredBytes  site.Exact  `json:"covered_bytes"`
	Blocks        site.Exact  `json:"blocks"`
	CoveredBlocks site.Exact  `json:"covered_blocks"`
	RemovedBlocks site.Exact  `json:"removed_blocks"`
	Calls         *site.Exact `json:"call_count"` // null where calls were not counted
	Saturated     int         `json:"saturated" doc:"Functions whose call count is a lower bound."`
	Runs          int         `json:"runs" doc:"Number of raw files."`
	RunsAtLeast   site.Exact  `json:"runs_at_least"`
}

// inProfile is what it adds to the object of a profile.
type inProfile struct {
	MIP *mipObject `json:"mip" is:"!"`
}

func objectOf(_ context.Context, p *stored.Profile, quote bool) (any, error) {
	m, err := mipdb.Of(p)
	if err != nil {
		return nil, err
	}
	return inProfile{newMIPObject(m.Overview, quote)}, nil
}

func newMIPObject(o *mipdb.Overview, quote bool) *mipObject {
	count := func(n uint64) site.Exact { return site.Exactly(quote)(strconv.FormatUint(n, 10)) }
	m := &mipObject{
		ProfileTypes: o.Header.ProfileType.Words(), FileTypes: o.Header.FileType.Words(),
		ModuleHash: fmt.Sprintf("0x%08x", o.Header.ModuleHash),
		Layout:     o.Layout, Functions: o.Functions, Executed: o.Executed, Unnamed: o.Unnamed,
		Bytes: count(o.Bytes), ExecutedBytes: count(o.ExecutedBytes), CoveredBytes: count(o.CoveredBytes),
		Blocks: count(o.Blocks), CoveredBlocks: count(o.CoveredBlocks), RemovedBlocks: count(o.RemovedBlocks),
		Saturated: o.Saturated, Runs: o.Runs, RunsAtLeast: count(o.RunsAtLeast),
	}
	if o.HasCalls() {
		calls := site.Exactly(quote)(o.Calls.String())
		m.Calls = &calls
	}
	return m
}
