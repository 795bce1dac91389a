package covmap

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
	"proflens/internal/recovery"
)

// reading is an object while it is read.
type reading struct {
	*Object
	s        *sections
	o        *Options
	z        wire.Inflater
	index    map[uint64]int32  // names by what records call them: a hash, in version 1 an address
	kept     []int32           // by name: 1 + the index of its function; 0: none
	blocks   map[uint64]*block // of file names, by their hash
	interned map[string]string
	path     []byte
}

// read reads the mapping of an object.
func (s *sections) read(o *Options) (*Object, error) {
	if o.Arch != "" && s.architecture != "" && !sameArch(o.Arch, s.architecture) {
		fault := s.fault(model.KindArchitecture, "", s.base, "no object file for the requested architecture")
		fault.Expected, fault.Found = o.Arch, s.architecture
		return nil, fault
	}
	if !s.hasNames || !s.hasBlocks {
		return nil, s.missing()
	}
	r := &reading{
		Object: &Object{Name: s.name, BuildID: s.buildID}, s: s, o: o,
		index: map[uint64]int32{}, blocks: map[uint64]*block{}, interned: map[string]string{},
	}
	c := s.cursor("covmap", s.blocks, o.Allowance)
	if err := r.version(*c); err != nil {
		return nil, err
	}
	if r.Version > 1 {
		if err := r.readNames(); err != nil {
			return nil, err
		}
	}
	if err := r.readBlocks(c); err != nil {
		return nil, err
	}
	if r.Version >= 4 {
		for _, p := range s.records {
			if err := r.readRecords(s.cursor("covfun", p, o.Allowance)); err != nil {
				return nil, err
			}
		}
	}
	if err := r.check(); err != nil {
		return nil, err
	}
	return r.Object, nil
}

// version reads that of the first block, which holds for all.
func (r *reading) version(c wire.Cursor) error {
	c.Skip("NRecords, FilenamesSize, CoverageSize", 12)
	at := c.Offset()
	version := c.U32("Version")
	if err := c.Err(); err != nil {
		return r.s.source.named(err)
	}
	if version > 6 {
		return r.s.source.named(c.FailAt(at, model.KindUnsupportedVersion, "Version",
			"the coverage mapping is of a newer version than is known", "0 to 6", version))
	}
	r.Version = int(version) + 1
	return nil
}

// readNames reads the names of functions. What can be read of a damaged section is
// kept when the reader is lenient.
func (r *reading) readNames() error {
	c := r.s.cursor("names", r.s.names, r.o.Allowance)
	c.SkipZeros(c.Offset() + c.Remaining())
	err := instrprof.EachName(c, func(name []byte) bool {
		r.addName(instrprof.NameRef(name), name)
		return true
	})
	return r.spoilt(Fault{}, err)
}

// addName keeps a name, once.
func (r *reading) addName(ref uint64, name []byte) {
	if _, ok := r.index[ref]; !ok {
		r.index[ref] = int32(len(r.Names))
		r.Names = append(r.Names, string(name))
		r.kept = append(r.kept, 0)
	}
}

// check decodes the mapping of every function that counts, and drops those that are
// damaged.
func (r *reading) check() error {
	faults, err := r.faults()
	if err != nil || len(faults) == 0 {
		return err
	}
	good := r.Functions[:0]
	for n, f := range r.Functions {
		fault := faults[n]
		if fault == nil {
			good = append(good, f)
		} else if err := r.spoilt(Fault{Function: f.Name, Unit: r.unit(f.names)}, fault); err != nil {
			return err
		}
	}
	clear(r.Functions[len(good):])
	r.Functions = good
	return nil
}

// faults are those of the mappings, by index of the function. They are looked for on
// all processors.
func (r *reading) faults() (map[int]error, error) {
	const share = 512
	found := map[int]error{}
	var lock sync.Mutex
	var next atomic.Int64
	all, _ := recovery.WithContext(context.Background())
	for range min(runtime.GOMAXPROCS(0), len(r.Functions)/share+1) {
		all.Go(func() error {
			var m Mapping
			var depths []int32
			for {
				from := int(next.Add(share)) - share
				if from >= len(r.Functions) {
					return nil
				}
				for n := from; n < min(from+share, len(r.Functions)); n++ {
					f := &r.Functions[n]
					err := f.Read(&m)
					if err == nil {
						err = m.checkExpressions(f, &depths)
					}
					if err != nil {
						lock.Lock()
						found[n] = err
						lock.Unlock()
					}
				}
			}
		})
	}
	return found, all.Wait()
}

// spoilt is the error that refuses the object, or nil when the reader is lenient and
// goes on without the part that is damaged.
func (r *reading) spoilt(part Fault, err error) error {
	if err == nil {
		return nil
	}
	err = r.s.source.named(err)
	if fault, ok := model.FaultIn(err); ok && r.o.Lenient {
		part.Err = fault
		r.Faults = append(r.Faults, part)
		return nil
	}
	return err
}

// unit is the source that a translation unit is called after: its first file, which from
// version 6 on stands behind its directory.
func (r *reading) unit(names []string) string {
	if r.Version >= 6 && len(names) > 1 {
		return names[1]
	}
	return names[0]
}
