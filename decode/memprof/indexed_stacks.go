package memprof

import (
	"encoding/binary"
	"fmt"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// frameSize is the size of a frame in bytes (memprof.md §3.6).
const frameSize = 17

// readStacks reads frames and call stacks, as far as they do not stand in the
// records.
func (x *indexed) readStacks() error {
	h := &x.header
	if x.version >= 3 {
		return x.readArrays()
	}
	if err := x.table("memprof frames", h.framePayload, h.frameTable, true, x.readFrameItem); err != nil {
		return err
	}
	if x.version == 2 {
		return x.table("memprof call stacks", h.stackPayload, h.stackTable, false, x.readStackItem)
	}
	return nil
}

// readFrame reads one frame.
func (x *indexed) readFrame(c *wire.Cursor) uint32 {
	f := Frame{Function: c.U64("Function"), LineOffset: c.U32("LineOffset"), Column: c.U32("Column"), Module: -1}
	f.Inline = c.U8("IsInlineFrame") != 0
	if c.Err() != nil {
		return 0
	}
	return x.frame(f)
}

func (x *indexed) readFrameItem(key uint64, c *wire.Cursor) error {
	if c.Remaining() != frameSize {
		return c.Fail(model.KindMalformed, "DataLen", "a frame has the wrong size", frameSize,
			c.Remaining())
	}
	x.frameIDs[key] = x.readFrame(c)
	return c.Err()
}

func (x *indexed) readStackItem(key uint64, c *wire.Cursor) error {
	if c.Remaining()%8 != 0 {
		return c.Fail(model.KindMalformed, "DataLen", "a call stack is not a list of FrameIds", "a multiple of 8",
			c.Remaining())
	}
	id, err := x.frameIDList(c, c.Remaining()/8)
	x.stackIDs[key] = id
	return err
}

// frameIDList reads a stack as a list of FrameIds, leaf first.
func (x *indexed) frameIDList(c *wire.Cursor, n uint64) (StackID, error) {
	frames := make([]uint32, c.Count("NumFrames", n, 8))
	for i := range frames {
		at := c.Offset()
		id := c.U64("FrameId")
		frame, ok := x.frameIDs[id]
		if !ok && c.Err() == nil {
			return 0, c.FailAt(at, model.KindMalformed, "FrameId", "a call stack refers to a frame that is not in the file", "",
				fmt.Sprintf("0x%x", id))
		}
		frames[i] = frame
	}
	return x.stack(frames), c.Err()
}

// stackArray is the call stacks of versions 3 and 4: one array of words in
// which stacks share their root side (memprof.md §3.7).
type stackArray struct {
	words []byte
	base  uint64
	// At each word that begins a frame: the stack from there to the root, and
	// its depth, which a damaged file may give in different ways.
	memo []StackID
}

func (a *stackArray) len() uint64       { return uint64(len(a.words) / 4) }
func (a *stackArray) at(i uint64) int32 { return int32(binary.LittleEndian.Uint32(a.words[4*i:])) }

// readArrays reads the frames of versions 3 and 4 and finds the array of stacks.
func (x *indexed) readArrays() error {
	h := &x.header
	c := x.part("memprof frames", h.framePayload, h.stackPayload)
	if c.Remaining()%frameSize != 0 {
		return c.Fail(model.KindMalformed, "CallStackPayloadOffset", "the frames do not end where the call stacks begin",
			fmt.Sprintf("a multiple of %d bytes", frameSize), c.Remaining())
	}
	x.numbers = make([]uint32, c.Remaining()/frameSize)
	for i := range x.numbers {
		x.numbers[i] = x.readFrame(c)
	}
	s := x.part("memprof call stacks", h.stackPayload, h.recordPayload)
	if s.Remaining()%4 != 0 {
		return s.Fail(model.KindMalformed, "RecordPayloadOffset", "the call stacks are not an array of 4-byte words", "",
			s.Remaining())
	}
	x.array = stackArray{words: s.Rest(), base: h.stackPayload}
	x.array.memo = make([]StackID, x.array.len())
	return nil
}

// arrayStack is the stack that a word of the array begins. c is where its index
// stands.
func (x *indexed) arrayStack(c *wire.Cursor, index uint64) (StackID, error) {
	a := &x.array
	fail := func(i uint64, msg string, expected, found any) (StackID, error) {
		return 0, c.FailAt(a.base+4*i, model.KindMalformed, "", msg, expected, found)
	}
	if index >= a.len() {
		return 0, c.FailAt(c.Offset()-4, model.KindMalformed, "LinearCallStackId",
			"a call stack lies outside the array of call stacks",
			fmt.Sprintf("less than %d", a.len()), index)
	}
	n, at := uint64(uint32(a.at(index))), index+1
	if n > a.len()-at {
		return fail(index, "a call stack is longer than the array", fmt.Sprintf("at most %d", a.len()-at), n)
	}
	if n > x.budget {
		return x.exhausted(c)
	}
	// Down to the root, or to a frame from which the rest is known.
	x.path = x.path[:0]
	id := NoStack
	for ; n > 0; n-- {
		if at < a.len() && a.at(at) < 0 {
			jump := -int64(a.at(at))
			if uint64(jump) >= a.len()-at || a.at(at+uint64(jump)) < 0 {
				return fail(at, "a call stack jumps to a place without a frame", "", jump)
			}
			at += uint64(jump)
		}
		if at >= a.len() {
			return fail(index, "a call stack runs past the end of the array", "", "")
		}
		if known := a.memo[at] - 1; known >= 0 && uint64(x.profile.Stacks[known].Depth) == n {
			id = known
			break
		}
		if frame := a.at(at); uint64(frame) >= uint64(len(x.numbers)) {
			return fail(at, "a call stack refers to a frame that is not in the file",
				fmt.Sprintf("less than %d", len(x.numbers)), frame)
		}
		x.path = append(x.path, uint32(at))
		at++
	}
	for i := len(x.path) - 1; i >= 0; i-- {
		at := x.path[i]
		id = x.call(id, x.numbers[a.at(uint64(at))])
		a.memo[at] = id + 1
	}
	return id, nil
}

// exhausted is the error for a file whose stacks share so much that they cannot
// be written out.
func (x *indexed) exhausted(c *wire.Cursor) (StackID, error) {
	return 0, c.Fail(model.KindTooLarge, "",
		"the call stacks of the heap profile have more frames together than any real profile of this size", "", "")
}
