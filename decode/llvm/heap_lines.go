package llvm

import (
	"context"

	"proflens/decode/format"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// locateFrames gives frames that have a function and lines below its first, as indexed
// profiles have them, their name, file and line: by where programs declare the function. A
// GUID that functions of several places share stays as it is.
func (o *opener) locateFrames(ctx context.Context) error {
	heap, ok := format.PartOf[*memprof.Profile](o.profile)
	if !ok {
		return nil
	}
	found := map[uint64]*model.Declaration{}
	for i := range heap.Frames {
		if f := &heap.Frames[i]; f.Function != 0 && f.Line == 0 && f.File == "" {
			found[f.Function] = nil
		}
	}
	if len(found) == 0 || o.profile.Declared == nil {
		return nil
	}
	shared := map[uint64]bool{}
	guid := func(name []byte) uint64 { return model.GUID(model.CanonicalName(string(name))) }
	wanted := func(name []byte) bool { _, ok := found[guid(name)]; return ok }
	_, err := o.profile.Declared(ctx, wanted, func(d model.Declaration) {
		if d.Code {
			return // lines below the declaration are not below the code's first
		}
		id := guid(d.Name)
		switch at := found[id]; {
		case at == nil:
			d.Name = []byte(model.CanonicalName(string(d.Name)))
			found[id] = &d
		case at.File != d.File || at.Line != d.Line:
			shared[id] = true
		}
	})
	for i := range heap.Frames {
		f := &heap.Frames[i]
		d := found[f.Function]
		if d == nil || shared[f.Function] || f.Line != 0 || f.File != "" {
			continue
		}
		f.Name, f.File, f.Line = string(d.Name), d.File, d.Line+f.LineOffset
	}
	return err
}
