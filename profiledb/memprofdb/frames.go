package memprofdb

import (
	"cmp"
	"strings"
)

// Function is a function in call stacks, or what stands for one: a name alone, or
// an address.
type Function struct {
	FID  uint64 // its address in pages: the GUID, or a hash of what there is instead
	GUID uint64 // 0 where it is not known
	Name string // linkage name, demangled in a runtime's report; empty where it is not known
	File string // source file of its first frame; empty where it is not known
	// Module has the address of a frame without a function: an index of
	// Profile.Modules, or -1.
	Module  int
	Address uint64
}

// compare orders functions by name, those without one last, by what else tells
// them apart.
func (f *Function) compare(o *Function) int {
	if (f.Name == "") != (o.Name == "") {
		return strings.Compare(o.Name, f.Name)
	}
	return cmp.Or(strings.Compare(f.Name, o.Name), cmp.Compare(f.Module, o.Module), cmp.Compare(f.Address, o.Address),
		cmp.Compare(f.FID, o.FID))
}

// Frame is a level of a call stack.
type Frame struct {
	*Function            // shared: do not change it
	File          string // source file as recorded
	Line          uint32 // 0 where it is not known
	LineOffset    uint32 // lines below the function's first
	Column        uint32
	Discriminator uint32
	Inline        bool // inlined into the caller
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

// frames are those of a stack, leaf first, at most limit.
func (x *index) frames(stack int32, limit int) []Frame {
	var list []Frame
	for ; stack >= 0 && len(list) < limit; stack = x.caller[stack] {
		i := x.frame[stack]
		list = append(list, Frame{
			Function: &x.functions[x.function[i]], File: x.file(i),
			Line: x.line[i], LineOffset: x.lineOffset[i], Column: x.column[i], Discriminator: x.discriminator[i],
			Inline: x.inline.Has(i),
		})
	}
	return list
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
