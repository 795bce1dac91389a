package analyze

import "hash/maphash"

// children finds nodes by their parent and name. A tree of a million records is asked
// millions of times, mostly for what lies far apart in memory: a slot is eight bytes, and
// what it must be compared with is kept together.
type children struct {
	seed  maphash.Seed
	slots []slot // their number is a power of two
	keys  []childKey
}

// slot is the place of a child.
type slot struct {
	tag uint32 // of the key's hash
	key uint32 // place in keys, from 1; 0 is empty
}

type childKey struct {
	name   string
	parent PathRef
	ref    PathRef
}

// find is the child of a parent by a name. Where there is none, at is where add puts it.
func (c *children) find(parent PathRef, name []byte) (ref PathRef, at int, tag uint32) {
	if 2*len(c.keys) >= len(c.slots) {
		c.grow()
	}
	h := c.hash(parent, name)
	tag = uint32(h >> 32)
	for at = int(h) & (len(c.slots) - 1); c.slots[at].key != 0; at = (at + 1) & (len(c.slots) - 1) {
		if c.slots[at].tag != tag {
			continue
		}
		if k := &c.keys[c.slots[at].key-1]; k.parent == parent && k.name == string(name) {
			return k.ref, at, tag
		}
	}
	return 0, at, tag
}

// add puts a child where find looked for it.
func (c *children) add(k childKey, at int, tag uint32) {
	c.keys = append(c.keys, k)
	c.slots[at] = slot{tag, uint32(len(c.keys))}
}

func (c *children) grow() {
	if c.slots == nil {
		c.seed = maphash.MakeSeed()
	}
	c.slots = make([]slot, max(64, 2*len(c.slots)))
	for i := range c.keys {
		h := c.hash(c.keys[i].parent, []byte(c.keys[i].name))
		at := int(h) & (len(c.slots) - 1)
		for c.slots[at].key != 0 {
			at = (at + 1) & (len(c.slots) - 1)
		}
		c.slots[at] = slot{uint32(h >> 32), uint32(i + 1)}
	}
}

func (c *children) hash(parent PathRef, name []byte) uint64 {
	h := maphash.Bytes(c.seed, name) ^ uint64(parent)*0x9e3779b97f4a7c15
	h ^= h >> 29
	return h * 0xbf58476d1ce4e5b9
}
