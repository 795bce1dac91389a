package instrprof

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// hasValueData reports whether a record owns a value data block: it does when
// it has a value site of any kind (instrprof.md §2.6).
func (p *rawPart) hasValueData(record []byte) bool {
	at := int(p.records.at[valueSitesField])
	for _, b := range record[at : at+2*p.records.kinds] {
		if b != 0 {
			return true
		}
	}
	return false
}

func (p *rawPart) anyValueData() bool {
	if p.runOf != nil {
		return len(p.runOf.valued) > 0
	}
	for i := range p.numRecords() {
		if p.hasValueData(p.record(i)) {
			return true
		}
	}
	return false
}

// findValueData moves the cursor past the value data blocks of the records.
// A file that ends where they would begin has none, as in continuous mode.
func (p *rawPart) findValueData(c *wire.Cursor) error {
	room := c.Remaining()
	if p.records.kinds == 0 || p.cut != "" {
		return nil
	}
	if room == 0 {
		p.valuesMissing = p.anyValueData()
		return nil
	}
	stated := p.fits(c, "value data", valueDataSizeField, 1) // versions 2 and 3 state the size
	if p.version == 2 || p.version == 3 {
		room = stated
	}
	sum := p.sumValueData
	if p.runOf != nil {
		sum = p.checkValueData
	}
	blocks, size, err := sum(*c, room)
	if err != nil || blocks == 0 {
		return err
	}
	switch {
	case p.cut != "":
		room = size
	case p.version == 2 || p.version == 3:
		size = room
	}
	s := c.Overrunning(p.section("value data"), size)
	if s.Recording() {
		s.Describe(wire.Plural(blocks, "block"))
	}
	p.values = extent{at: s.Offset(), bytes: s.Bytes("value data", room)}
	return c.Err()
}

// sumValueData adds up the blocks by their sizes alone; none may pass room bytes.
func (p *rawPart) sumValueData(c wire.Cursor, room uint64) (blocks, size uint64, err error) {
	c.Record(nil)
	s := c.Section(p.section("value data"), room)
	for i := range p.numRecords() {
		if p.fault != nil && i >= p.fault.record {
			break
		}
		if !p.hasValueData(p.record(i)) {
			continue
		}
		total := *s
		n := uint64(total.U32("TotalSize"))
		total.U32("NumValueKinds")
		if err := total.Err(); err != nil && p.endsIn("value data", valueDataHeader-s.Remaining()) {
			break
		} else if err != nil && p.endsAt(i, err) {
			break
		} else if err != nil {
			return 0, 0, err
		}
		if n > s.Remaining() && p.endsIn("value data", n-s.Remaining()) {
			break
		}
		if n > s.Remaining() {
			err := s.Fail(model.KindTooLarge, "TotalSize", "the value data of record "+fmt.Sprint(i)+" pass the end of the file",
				"at most "+wire.Plural(s.Remaining(), "byte"), n)
			if p.endsAt(i, err) {
				break
			}
			return 0, 0, err
		}
		s.Skip("ValueProfData", n)
		blocks, size = blocks+1, size+n
	}
	return blocks, size, nil
}

// addressMap turns run-time addresses into NameRefs, within one profile.
type addressMap struct {
	built     bool
	functions []target
	vtables   []target
}

// target is a function or vtable, from its address up to end.
type target struct{ address, end, ref uint64 }

// remap replaces the addresses of called functions and of vtables by NameRefs,
// 0 where there is none (instrprof.md §2.6). Sizes stay as they are.
func (p *rawPart) remap(sites *[NumValueKinds][]ValueSite) {
	calls, vtables := sites[IndirectCallTarget], sites[VTableTarget]
	if len(calls)+len(vtables) == 0 {
		return
	}
	addresses := &p.addresses
	if p.runOf != nil {
		addresses = &p.runOf.addresses
	} else if !p.addresses.built {
		p.addresses = p.mapAddresses()
	}
	for _, site := range calls {
		for i := range site {
			site[i].Value = find(addresses.functions, p.unslid(site[i].Value))
		}
	}
	for _, site := range vtables {
		for i := range site {
			site[i].Value = find(addresses.vtables, p.unslid(site[i].Value))
		}
	}
}

// unslid is where an address of a run was in the program's first run.
func (p *rawPart) unslid(address uint64) uint64 {
	if p.pointerSize == 4 && p.slide != 0 {
		return uint64(uint32(address - p.slide))
	}
	return address - p.slide
}

// mapAddresses collects the targets of a profile. Of several functions at one
// address the first counts. Address 0 is none.
func (p *rawPart) mapAddresses() addressMap {
	m := addressMap{built: true}
	for i := range p.numRecords() {
		r := p.record(i)
		if at := p.field(r, functionPtrField); at != 0 {
			m.functions = append(m.functions, target{at, at + 1, p.nameRef(i, r)})
		}
	}
	for v := range p.eachVTable() {
		m.vtables = append(m.vtables, target{v.Address, v.Address + v.Size, v.NameRef})
	}
	byAddress := func(a, b target) int { return cmp.Compare(a.address, b.address) }
	for _, list := range [][]target{m.functions, m.vtables} {
		if !slices.IsSortedFunc(list, byAddress) {
			slices.SortStableFunc(list, byAddress)
		}
	}
	return m
}

// find is the NameRef of the target that holds the address, or 0.
func find(sorted []target, address uint64) uint64 {
	after := sort.Search(len(sorted), func(i int) bool { return sorted[i].address > address })
	first := after
	for first > 0 && sorted[first-1].address == sorted[max(after-1, 0)].address {
		first--
	}
	if first < after && address < sorted[first].end {
		return sorted[first].ref
	}
	return 0
}

// vtableSize is the size of a vtable record in bytes: NameHash, VTablePointer,
// VTableSize, padded to 8.
func vtableSize(pointerSize int) uint64 {
	if pointerSize == 4 {
		return 16
	}
	return 24
}
