package memprof

import (
	"fmt"
	"hash/maphash"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// readRecord reads the record of one function (memprof.md §3.8).
func (x *indexed) readRecord(key uint64, c *wire.Cursor) error {
	r := Record{Function: key}
	n := c.Count("NumAllocSites", c.U64("NumAllocSites"), x.stackSize()+x.mibSize)
	if n > 0 {
		r.AllocSites = make([]uint32, n)
	}
	for i := range r.AllocSites {
		stack, err := x.readStackRef(c)
		if err != nil {
			return err
		}
		r.AllocSites[i] = x.readContext(c, stack)
	}
	least := x.stackSize()
	if x.version >= 4 {
		least += 8
	}
	n = c.Count("NumCallSites", c.U64("NumCallSites"), least)
	if n > 0 {
		r.CallSites = make([]CallSite, n)
	}
	for i := range r.CallSites {
		stack, err := x.readStackRef(c)
		if err != nil {
			return err
		}
		r.CallSites[i].Stack = stack
		if x.version < 4 {
			continue
		}
		if callees := c.Count("NumCalleeGuids", c.U64("NumCalleeGuids"), 8); callees > 0 {
			r.CallSites[i].Callees = make([]uint64, callees)
			c.U64s("CalleeGuid", r.CallSites[i].Callees)
		}
	}
	if c.Err() == nil && c.Remaining() > 0 {
		return c.Fail(model.KindMalformed, "DataLen", "a record has bytes left over", "0", c.Remaining())
	}
	x.profile.Records = append(x.profile.Records, r)
	return c.Err()
}

// stackSize is the least size of a reference to a stack in bytes.
func (x *indexed) stackSize() uint64 {
	if x.version < 3 {
		return 8
	}
	return 4
}

// readStackRef reads which stack a site has.
func (x *indexed) readStackRef(c *wire.Cursor) (id StackID, err error) {
	at := c.Offset()
	switch {
	case x.version < 2:
		id, err = x.frameIDList(c, c.U64("NumFrames"))
	case x.version == 2:
		key := c.U64("CallStackId")
		var ok bool
		if id, ok = x.stackIDs[key]; !ok && c.Err() == nil {
			err = c.FailAt(at, model.KindMalformed, "CallStackId", "a record refers to a call stack that is not in the file",
				"", fmt.Sprintf("0x%x", key))
		}
	default:
		index := c.U32("LinearCallStackId")
		if c.Err() == nil {
			id, err = x.arrayStack(c, uint64(index))
		}
	}
	if err == nil {
		err = c.Err()
	}
	if err == nil && !x.spend(id) {
		return x.exhausted(c)
	}
	return id, err
}

// readContext reads a MIB and gives the context its number, which is an earlier
// one when another function's record had it.
func (x *indexed) readContext(c *wire.Cursor, stack StackID) uint32 {
	peek := *c
	record := len(x.profile.Records)
	key, known, ok := x.sites.find(record, stack, maphash.Bytes(x.sites.seed, peek.Bytes("", x.mibSize)))
	mib := MIB{Schema: x.has, Values: x.room()}
	for i, f := range x.schema {
		v := c.Uint(f.String(), uint64(f.Size()))
		if !ok {
			mib.Values[x.slots[i]] = v
		}
	}
	if ok {
		return known
	}
	x.values = x.values[len(mib.Values):]
	return x.sites.add(key, x.context(stack, 0, mib))
}

// room is a place for the values of a MIB.
func (x *indexed) room() []uint64 {
	n := x.has.Len()
	if len(x.values) < n {
		x.values = make([]uint64, 256*n)
	}
	return x.values[:n:n]
}
