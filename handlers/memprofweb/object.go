package memprofweb

import (
	"context"

	"proflens/profiledb/memprofdb"
	"proflens/profiledb/stored"
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

// whole is the overview of a heap profile with its first modules.
func whole(ctx context.Context, p *stored.Profile) (any, error) {
	heap, err := memprofdb.Of(p)
	if err != nil {
		return nil, err
	}
	modules, err := heap.Modules(ctx)
	object := &struct {
		*memprofdb.Overview `api:",inline"`
		First               []moduleObject `api:"modules"`
	}{Overview: heap.Overview}
	for _, m := range modules[:min(len(modules), modulesShown)] {
		object.First = append(object.First, moduleObject{m.Path, m.File, m.BuildID, m.Frames, m.Contexts, m.Wanted()})
	}
	return object, err
}
