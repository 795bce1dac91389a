package encode

import (
	"bufio"
	"encoding/binary"

	"lukechampine.com/blake3"

	"proflens/decode/memprof"
)

// stackKeys are the frames and call stacks of version 2, each known by a hash (memprof.md §3.6, §3.7).
type stackKeys struct {
	p      *memprof.Profile
	frames []memprofFrame             // by number in the profile
	keys   []uint64                   // of these
	stacks map[memprof.StackID]uint64 // by the keys of their frames, leaf first
	// What is written, in the order in which LLVM meets it.
	frameTable, stackTable keyedTable
}

// keyedTable is numbers of what is written, each once, by keys.
type keyedTable struct {
	numbers []uint32
	items   []nameItem
	known   map[uint64]bool
}

func (t *keyedTable) add(key uint64, number uint32) {
	if t.known[key] {
		return
	}
	if t.known == nil {
		t.known = map[uint64]bool{}
	}
	t.known[key] = true
	t.items = append(t.items, nameItem{hash: key, first: uint32(len(t.items))})
	t.numbers = append(t.numbers, number)
}

// keyOf is LLVM's hash of what identifies something.
func keyOf(b []byte) uint64 {
	sum := blake3.Sum256(b)
	return binary.LittleEndian.Uint64(sum[:])
}

func stackKeysOf(p *memprof.Profile) *stackKeys {
	k := &stackKeys{p: p, stacks: map[memprof.StackID]uint64{}}
	for i := range p.Frames {
		f := frameOf(&p.Frames[i])
		k.frames, k.keys = append(k.frames, f), append(k.keys, keyOf(f.append(nil)))
	}
	k.addRaw()
	for _, r := range p.Records {
		for _, c := range r.AllocSites {
			k.add(p.Contexts[c].Stack)
		}
		k.addCalls(r.CallSites)
	}
	return k
}

// addRaw takes the stacks of a raw profile: frames as LLVM's map of all stacks has them, then contexts as they stand
// in the file, then call sites by function, as these contexts call them.
func (k *stackKeys) addRaw() {
	p := k.p
	if len(p.StackIDs) == 0 {
		return
	}
	order, stacks, calls := hashMap{}, map[uint64]memprof.StackID{}, map[uint64][]memprof.CallSite{}
	for i, ids := range p.StackIDs {
		dump := hashMap{slots: make([]hashSlot, 64)}
		for _, id := range ids {
			dump.insert(hashSlot{hash: id, used: true})
		}
		if i == 0 {
			order = dump
		}
		for _, s := range dump.slots {
			if s.used {
				order.insert(s)
			}
		}
	}
	for _, c := range p.Contexts {
		stacks[c.ID] = c.Stack
	}
	for _, s := range order.slots {
		if id, ok := stacks[s.hash]; ok && s.used {
			k.addFrames(id)
		}
	}
	for _, c := range p.Contexts {
		k.add(c.Stack)
	}
	for _, r := range p.Records {
		calls[r.Function] = r.CallSites
	}
	for _, c := range p.Contexts {
		for id := p.Stacks[c.Stack].Caller; id != memprof.NoStack; id = p.Stacks[id].Caller {
			f := p.Leaf(id).Function
			k.addCalls(calls[f])
			delete(calls, f)
		}
	}
}

func (k *stackKeys) addCalls(sites []memprof.CallSite) {
	for _, c := range sites {
		k.add(c.Stack)
	}
}

// add takes a stack that is written.
func (k *stackKeys) add(id memprof.StackID) {
	if _, ok := k.stacks[id]; ok {
		return
	}
	k.stacks[id] = keyOf(k.addFrames(id))
	k.stackTable.add(k.stacks[id], uint32(id))
}

// addFrames takes a stack's frames, and returns their keys.
func (k *stackKeys) addFrames(id memprof.StackID) (path []byte) {
	for ; id != memprof.NoStack; id = k.p.Stacks[id].Caller {
		n := k.p.Stacks[id].Frame
		k.frameTable.add(k.keys[n], n)
		path = binary.LittleEndian.AppendUint64(path, k.keys[n])
	}
	return path
}

// tables are those of frames and of stacks.
func (k *stackKeys) tables() []*memprofTable {
	frames := &memprofTable{
		keyed: true, size: func(uint32) uint64 { return frameSize },
		write: func(out *bufio.Writer, n uint32) {
			_, _ = out.Write(k.frames[k.frameTable.numbers[n]].append(out.AvailableBuffer()))
		},
	}
	frames.fillBuckets(k.frameTable.items)
	stacks := &memprofTable{
		size: func(n uint32) uint64 { return 8 * uint64(k.p.Stacks[k.stackTable.numbers[n]].Depth) },
		write: func(out *bufio.Writer, n uint32) {
			_, _ = out.Write(k.addFrames(memprof.StackID(k.stackTable.numbers[n])))
		},
	}
	stacks.fillBuckets(k.stackTable.items)
	return []*memprofTable{frames, stacks}
}
