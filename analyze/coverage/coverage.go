package coverage

import (
	"slices"

	"proflens/decode/covmap"
)

// Coverage is mappings joined with a profile.
type Coverage struct {
	Functions []Function // in the order of the objects and their records
	Files     []File     // by name
	Misfits   Misfits
	// SingleByte: counts say whether something ran, not how often.
	SingleByte bool
}

// File is a file of source that functions mention: they stand in it, or a macro or an
// include of theirs does.
type File struct {
	Name      string
	functions []int32 // those that mention it, in order
}

// New is a coverage of functions that were joined before; they refer to files by index
// of names, which stand in the order of the whole.
func New(names []string, functions []Function) *Coverage {
	c := &Coverage{Functions: functions, Files: make([]File, len(names))}
	for i, name := range names {
		c.Files[i].Name = name
	}
	c.mention()
	return c
}

// mention notes which functions mention each file.
func (c *Coverage) mention() {
	for i := range c.Functions {
		for _, file := range c.Functions[i].Files {
			if list := &c.Files[file].functions; len(*list) == 0 || (*list)[len(*list)-1] != int32(i) {
				*list = append(*list, int32(i))
			}
		}
	}
}

// Mentions are the functions that mention a file, by index, rising.
func (c *Coverage) Mentions(file int) []int32 { return c.Files[file].functions }

// Standing are the functions whose first file is this one, in order: those that
// llvm-cov lists under it.
func (c *Coverage) Standing(file int) []*Function {
	var list []*Function
	for _, at := range c.Files[file].functions {
		if f := &c.Functions[at]; int(f.Files[0]) == file {
			list = append(list, f)
		}
	}
	return list
}

// Misfits are what mapping and profile have that the other has not.
type Misfits struct {
	// Mismatched are function records whose name the profile has with other hashes
	// only: of another build, or dummies.
	Mismatched []Misfit
	// Short are function records whose counters go beyond those of their record.
	Short []Misfit
	// Hidden are executed functions of which llvm-cov shows zeros: a dummy of an
	// earlier object stands in their place. Found with the default [Options] alone.
	Hidden []Misfit
	// Bitmapless are functions with decisions of which the profile has no bitmap: their
	// MC/DC cannot be told, and is in no total.
	Bitmapless []Misfit
	// Other are function records of which an earlier object has others of the same name,
	// hash and files, on other lines: the counts of both are on those of the first.
	Other []Misfit
	// Lost are records of the profile of functions that an object names and does not
	// map: the linker kept the mapping of another function of that name (section 3).
	// Foreign is how many records have a name that no object has. Both are found with
	// the default [Options] alone.
	Lost    []Lost
	Foreign int
}

// Lost is a record of the profile without a mapping.
type Lost struct {
	Name string
	Hash uint64
	Ran  bool
}

// Misfit is a function record that did not fit.
type Misfit struct {
	Name   string
	Object int
	Hash   uint64   // of the mapping
	Found  []uint64 // that the profile has of the name
	Dummy  bool
}

// findLost finds the records of the profile that no function took.
func (j *joiner) findLost(objects []*covmap.Object) {
	if !slices.Contains(j.used, false) {
		return
	}
	named, stale, damaged := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, o := range objects {
		for _, name := range o.Names {
			named[name] = true
		}
		for _, fault := range o.Faults {
			damaged[fault.Function] = true
		}
	}
	for _, o := range objects {
		for i := range o.Faults { // damaged, which is told by itself; without a name any of the object's
			if name := o.Faults[i].Function; name != "" {
				stale[name] = true
				continue
			}
			for _, name := range o.Names {
				stale[name] = true
			}
		}
	}
	for _, m := range j.Misfits.Mismatched {
		stale[m.Name] = stale[m.Name] || !m.Dummy
	}
	for at, used := range j.used {
		name, record := j.profile.names[at], &j.profile.records[at]
		switch {
		case used, stale[name], damaged[name]:
		case !named[name]:
			j.Misfits.Foreign++
		default:
			ran := slices.ContainsFunc(record.Counters, func(n uint64) bool { return n > 0 })
			j.Misfits.Lost = append(j.Misfits.Lost, Lost{name, record.Hash, ran})
		}
	}
}
