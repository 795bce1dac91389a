package memprofweb

import (
	"context"
	"encoding/hex"

	"proflens/analyze"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/handlers/site"
	"proflens/profiledb/memprofdb"
	"proflens/profiledb/stored"
)

// objectsSay is what the objects are.
const objectsSay = `
	=memprofweb.memprofObject MemProfFigures: Figures of a heap profile, alone or next to counters. Sums are null if
	the profile lacks the field.
	.call_stacks: How much of their call stacks contexts and call sites share.`

// memprofObject is what the API says of a heap profile as a whole. Sums that the
// profile has no field for are null.
type memprofObject struct {
	Format     model.Format           `json:"format" doc:"Empty if merged from several formats."`
	Version    uint64                 `json:"version" doc:"Version of the heap profile; 0 for text."`
	Schema     []string               `json:"schema" doc:"Fields that at least one context has."`
	Symbolized bool                   `json:"symbolized"`
	Dumps      int                    `json:"dumps" doc:"Number of raw profiles added up."`
	Contexts   uint64                 `json:"contexts" doc:"Number of distinct call stacks."`
	Recorded   int                    `json:"recorded" doc:"Contexts in the file."`
	Bytes      *site.Exact            `json:"bytes"`
	Objects    *site.Exact            `json:"allocations"`
	Accesses   *site.Exact            `json:"accesses"`
	Lifetime   *site.Exact            `json:"lifetime" doc:"Milliseconds, over all objects."`
	Longest    *uint32                `json:"max_lifetime" doc:"Milliseconds."`
	Classes    map[string]classObject `json:"classes"`
	Sites      int                    `json:"sites"`
	MixedSites int                    `json:"mixed_sites" doc:"Sites that need cloning."`
	Allocating int                    `json:"allocating_functions"`
	Functions  int                    `json:"functions" doc:"Functions in call stacks."`
	Frames     int                    `json:"frames"`
	Deepest    uint32                 `json:"max_depth" doc:"Largest number of frames in a stack."`
	CallSites  int                    `json:"call_sites"`
	DataAccess bool                   `json:"data_access"`
	CallStacks stacksObject           `json:"call_stacks"`
	Segments   int                    `json:"segments" doc:"Number of modules."`
	Modules    []moduleObject         `json:"modules" is:"list ..100" doc:"The first modules; /modules lists all."`
}

// stacksObject is how much call stacks share, and what that saves a file.
type stacksObject struct {
	Stacks int     `json:"stacks"` // of contexts and call sites, each once
	Frames int     `json:"frames" doc:"Distinct frames."`
	Refs   uint64  `json:"frame_refs" doc:"Frames of all stacks added up."`
	Nodes  int     `json:"tree_nodes"` // of the tree that the stacks make from their roots on
	Shared float64 `json:"shared_frames" is:"0.." doc:"Mean number of frames that a stack shares with others."`
	Flat   uint64  `json:"flat_bytes" doc:"Size in bytes as flat lists."`
	Radix  uint64  `json:"radix_bytes" doc:"Size in bytes as MemProf versions 3 and 4 write them."`
}

type classObject struct {
	Contexts uint64     `json:"contexts"`
	Bytes    site.Exact `json:"bytes"`
}

// moduleObject is a segment of a raw profile, and whether its binary is wanted.
type moduleObject struct {
	Path     *string `json:"path"`     // where it ran
	File     *string `json:"file"`     // that was given for it
	BuildID  *string `json:"build_id"` // hex
	Frames   int     `json:"frames"`   // addresses without a name
	Contexts int     `json:"contexts"` // that have such frames
	Wanted   bool    `json:"wanted"`
}

// inProfile is what it adds to the object of a profile.
type inProfile struct {
	MemProf *memprofObject `json:"memprof" is:"!"`
}

func objectOf(ctx context.Context, p *stored.Profile, quote bool) (any, error) {
	heap, err := memprofdb.Of(p)
	if err != nil {
		return nil, err
	}
	modules, err := heap.Modules(ctx)
	if err != nil {
		return nil, err
	}
	return inProfile{newMemProfObject(heap.Overview, modules, quote)}, nil
}

func newMemProfObject(o *memprofdb.Overview, modules []memprofdb.Module, quote bool) *memprofObject {
	sum := func(field memprof.MIBField, s analyze.Sum) *site.Exact {
		if !o.Schema.Has(field) {
			return nil
		}
		return new(site.Exactly(quote)(s.String()))
	}
	m := &memprofObject{
		Format: o.Format, Version: o.Version, Schema: []string{}, Symbolized: o.Symbolized, Dumps: o.Dumps,
		Contexts: o.Contexts, Recorded: o.Recorded, Bytes: sum(memprof.TotalSize, o.Bytes),
		Objects:  sum(memprof.AllocCount, o.Allocations),
		Accesses: sum(memprof.TotalAccessCount, o.Accesses), Lifetime: sum(memprof.TotalLifetime, o.Lifetime),
		Classes: map[string]classObject{}, Sites: o.Sites, MixedSites: o.MixedSites, Allocating: o.Owners,
		Functions: o.Functions,
		Frames:    o.Frames, Deepest: o.Deepest, CallSites: o.CallSites, DataAccess: o.DataAccess, Segments: o.Modules,
		Modules: []moduleObject{},
	}
	stacks := &o.Shared
	m.CallStacks = stacksObject{
		stacks.Stacks, stacks.Frames, stacks.Refs, stacks.Nodes, stacks.Shared(), stacks.Flat(), stacks.Radix(),
	}
	if o.Schema.Has(memprof.MaxLifetime) {
		m.Longest = &o.Longest
	}
	for field := range o.Schema.Fields() {
		m.Schema = append(m.Schema, field.String())
	}
	for i, class := range analyze.MemProfClasses {
		m.Classes[memprofdb.ClassWord(class)] = classObject{
			o.Classes[i].Contexts, site.Exactly(quote)(o.Classes[i].Bytes.String()),
		}
	}
	for i := range modules[:min(len(modules), modulesShown)] {
		of := &modules[i]
		m.Modules = append(m.Modules, moduleObject{
			Path: wordOrNull(of.Path), File: wordOrNull(of.File), BuildID: wordOrNull(hex.EncodeToString(of.BuildID)),
			Frames: of.Frames, Contexts: of.Contexts, Wanted: of.Wanted(),
		})
	}
	return m
}

// wordOrNull is a word in an object, null where it is not known.
func wordOrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
