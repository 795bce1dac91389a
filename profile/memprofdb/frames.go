package memprofdb

import (
	"cmp"
	"fmt"
	"strings"

	"proflens/profile/table"
)

// Function is a function in call stacks, or what stands for one: a name alone, or
// an address.
type Function struct {
	// the GUID, or a hash of what there is instead
	FID  uint64 `col:"fid" width:"16" is:"hex" help:"its address in pages"`
	_    column `col:"function" as:"string" is:"self" help:"demangled, or what stands for it"`
	Name string `col:"linkage_name" is:"omitzero" help:"demangled in a runtime's report"`
	GUID uint64 // 0 where it is not known
	_    column `col:"guid" width:"18"`
	File string // source file of its first frame; empty where it is not known
	// Module has the address of a frame without a function: an index of
	// Profile.Modules, or -1. In is that.
	Module  int
	In      *Module
	_       column `col:"module"`
	Address uint64
	_       column `col:"address" width:"18"`
}

// Cell implements [table.Celler].
func (f *Function) Cell(column string, o *table.Options) table.Cell {
	switch {
	case column == "function":
		return table.Text(f.Label(o.Demangle))
	case column == "guid" && f.GUID != 0:
		return table.Text(fmt.Sprintf("0x%016x", f.GUID))
	case column == "module" && f.In != nil:
		return table.Text(f.In.String())
	case column == "address" && f.GUID == 0 && f.Name == "":
		return table.Text(fmt.Sprintf("0x%x", f.Address))
	}
	return table.Null
}

// Label is the function's name for people: demangled, or what stands for it.
func (f *Function) Label(demangle func(linkage string) string) string {
	switch {
	case f.Name != "":
		return demangle(f.Name)
	case f.GUID != 0:
		return fmt.Sprintf("0x%016x", f.GUID)
	case f.In != nil:
		return fmt.Sprintf("%s+0x%x", f.In, f.Address)
	case f.Address != 0:
		return fmt.Sprintf("0x%x", f.Address)
	}
	return "[unknown]"
}

// Named implements [table.Named].
func (f *Function) Named() (linkage []byte, ref uint64, other string) {
	switch {
	case f.Name != "":
		return []byte(f.Name), uint64(f.FID), ""
	case f.GUID != 0:
		return nil, f.GUID, ""
	case f.In != nil:
		return nil, 0, fmt.Sprintf("%s+0x%x", f.In.Short(), f.Address)
	}
	return nil, 0, fmt.Sprintf("0x%x", f.Address)
}

// Words implements [table.Sought].
func (f *Function) Words(show func([]byte)) { show(f.wordsOf()) }

// Compare implements [table.Ordered].
func (f *Function) Compare(other any) int { return f.compare(other.(*Function)) }

// Functions are several functions, which scripts have as a list of names.
type Functions []*Function

// Cell implements [table.Celler].
func (l *Functions) Cell(_ string, o *table.Options) table.Cell {
	b := []byte{'['}
	for i, f := range *l {
		if i > 0 {
			b = append(b, ',')
		}
		b = table.AppendString(b, f.Label(o.Demangle))
	}
	return table.JSON(append(b, ']'))
}

// Words implements [table.Sought].
func (l *Functions) Words(show func([]byte)) {
	for _, f := range *l {
		f.Words(show)
	}
}

// FunctionRefs are several functions, which scripts have as a list of objects.
type FunctionRefs []*Function

// Words implements [table.Sought].
func (l *FunctionRefs) Words(show func([]byte)) { (*Functions)(l).Words(show) }

// compare orders functions by name, those without one last, by what else tells
// them apart.
func (f *Function) compare(o *Function) int {
	if (f.Name == "") != (o.Name == "") {
		return strings.Compare(o.Name, f.Name)
	}
	return cmp.Or(strings.Compare(f.Name, o.Name), cmp.Compare(f.Module, o.Module), cmp.Compare(f.Address, o.Address),
		cmp.Compare(f.FID, o.FID))
}

// leaf is the frame that allocates, false for a stack without frames.
func (x *index) leaf(i uint32) (uint32, bool) {
	stack := x.contexts.stack[i]
	if stack < 0 {
		return 0, false
	}
	return x.frame[stack], true
}

// stackDepth is how many frames the stack of a context has.
func (x *index) stackDepth(i uint32) uint32 {
	stack := x.contexts.stack[i]
	if stack < 0 {
		return 0
	}
	return x.depth[stack]
}

// file is the source file of a frame, empty where it is not known.
func (x *index) file(frame uint32) string {
	if node := x.path[frame]; node >= 0 {
		return x.files[node]
	}
	return ""
}

// place is where a context allocates, false for a stack without frames.
func (x *index) place(i uint32) (place, bool) {
	f, ok := x.leaf(i)
	if !ok {
		return place{}, false
	}
	return place{x.function[f], x.line[f], x.lineOffset[f], x.column[f]}, true
}

// address of a place in pages.
func (x *index) address(at place) uint64 { return at.address(x.functions[at.function].FID) }
