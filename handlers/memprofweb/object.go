package memprofweb

import (
	"context"

	"proflens/profile/memprofdb"
)

// moduleObject is a segment of a raw profile, and whether its binary is wanted.
type moduleObject struct {
	Path     string `api:"path,null"`     // where it ran
	File     string `api:"file,null"`     // that was given for it
	BuildID  []byte `api:"build_id,null"` // hex
	Frames   int    `api:"frames"`        // addresses without a name
	Contexts int    `api:"contexts"`      // that have such frames
	Wanted   bool   `api:"wanted"`
}

// inProfile is the overview of a heap profile with its first modules.
type inProfile struct {
	*memprofdb.Overview
	First []moduleObject `api:"modules" is:"list ..100" doc:"The first modules; /modules lists all."`
}

func whole(ctx context.Context, heap *memprofdb.Profile) (*inProfile, error) {
	modules, err := heap.Modules(ctx)
	object := &inProfile{Overview: heap.Overview}
	for _, m := range modules[:min(len(modules), modulesShown)] {
		object.First = append(object.First, moduleObject{m.Path, m.File, m.BuildID, m.Frames, m.Contexts, m.Wanted()})
	}
	return object, err
}
