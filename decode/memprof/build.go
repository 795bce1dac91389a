package memprof

import (
	"fmt"
	"slices"

	"proflens/decode/model"
)

// builder makes the tables of a profile: it gives equal frames and equal
// stacks one number each.
type builder struct {
	profile *Profile
	frames  map[Frame]uint32
	stacks  stackIndex
	// budget is how many frames the stacks that are referred to may have
	// together, so that what shares them does not grow beyond reason when it is
	// written out.
	budget uint64
}

// A reference to a stack takes four bytes of a file at least, and stands for as
// many frames as the stack has. Real stacks have tens, at most some hundreds.
const (
	budgetPerByte = 64
	minBudget     = 1 << 22
)

// newBuilder returns a builder for a file of size bytes.
func newBuilder(format model.Format, version uint64, size int) *builder {
	return &builder{
		profile: &Profile{Format: format, Version: version, Dumps: 1},
		frames:  map[Frame]uint32{},
		stacks:  newStackIndex(),
		budget:  minBudget + budgetPerByte*uint64(size),
	}
}

// frame is the number of a frame.
func (b *builder) frame(f Frame) uint32 {
	if n, ok := b.frames[f]; ok {
		return n
	}
	n := uint32(len(b.profile.Frames))
	b.profile.Frames = append(b.profile.Frames, f)
	b.frames[f] = n
	return n
}

// call is the stack of a frame that is called from a stack.
func (b *builder) call(caller StackID, frame uint32) StackID {
	if id, ok := b.stacks.find(b.profile.Stacks, frame, caller); ok {
		return id
	}
	node := StackNode{Frame: frame, Caller: caller, Depth: 1}
	if caller != NoStack {
		node.Depth += b.profile.Stacks[caller].Depth
	}
	if n := len(b.profile.Stacks); n == cap(b.profile.Stacks) {
		b.profile.Stacks = slices.Grow(b.profile.Stacks, n+1) // the largest table: append would copy it more often
	}
	b.profile.Stacks = append(b.profile.Stacks, node)
	b.stacks.add(b.profile.Stacks)
	return StackID(len(b.profile.Stacks) - 1)
}

// stack is the stack of frames that stand leaf first.
func (b *builder) stack(frames []uint32) StackID {
	id := NoStack
	for i := len(frames) - 1; i >= 0; i-- {
		id = b.call(id, frames[i])
	}
	return id
}

// spend takes a reference to a stack from the budget, false when that is used up.
func (b *builder) spend(id StackID) bool {
	if id == NoStack {
		return true
	}
	depth := uint64(b.profile.Stacks[id].Depth)
	if depth > b.budget {
		return false
	}
	b.budget -= depth
	return true
}

// context adds a context.
func (b *builder) context(stack StackID, id uint64, mib MIB) uint32 {
	b.profile.Schema |= mib.Schema
	b.profile.Contexts = append(b.profile.Contexts, Context{Stack: stack, MIB: mib, ID: id})
	return uint32(len(b.profile.Contexts) - 1)
}

// site adds the context of a raw profile's MIB.
func (b *builder) site(stack StackID, s *rawSite, cut bool) uint32 {
	n := b.context(stack, s.id, s.mib)
	b.profile.Contexts[n].Truncated = cut
	return n
}

// find adds a finding.
func (b *builder) find(severity model.Severity, code string, count uint64, format string, args ...any) *model.Finding {
	b.profile.Findings = append(b.profile.Findings, model.Finding{
		Severity: severity, Code: "memprof." + code, Count: count, Message: fmt.Sprintf(format, args...),
	})
	return &b.profile.Findings[len(b.profile.Findings)-1]
}
