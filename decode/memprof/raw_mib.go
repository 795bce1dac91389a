package memprof

import (
	"bytes"
	"fmt"
	"slices"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// rawSchema is the fields of a MIB by raw version (memprof.md §1.4).
func rawSchema(version uint64) MIBSchema {
	switch version {
	case 1:
		return SchemaToTag19
	case 2, 3:
		return SchemaToTag25
	}
	return CompleteSchema
}

// schemaSize is the size of a MIB in bytes.
func schemaSize(s MIBSchema) uint64 {
	size := uint64(0)
	for f := range s.Fields() {
		size += uint64(f.Size())
	}
	return size
}

// readMIBs reads the MIB section (memprof.md §1.4) and merges what has a
// StackId that is known already.
func (r *Raw) readMIBs(c *wire.Cursor) error {
	schema := rawSchema(r.version)
	fields := slices.Collect(schema.Fields())
	n := c.Count("NumEntries", c.U64("NumEntries"), 8+schemaSize(schema))
	values := make([]uint64, n*schema.Len())
	if r.dumps == 1 {
		r.sites, r.bySite = make([]rawSite, 0, n), make(map[uint64]int32, n)
	}
	for range n {
		id := c.U64("StackId")
		mib := MIB{Schema: schema, Values: values[:len(fields):len(fields)]}
		values = values[len(fields):]
		for i, f := range fields {
			mib.Values[i] = c.Uint(f.String(), uint64(f.Size()))
		}
		if size := mib.Get(AccessHistogramSize); size > 0 {
			mib.Histogram = r.readHistogram(c, size)
		}
		if c.Err() != nil {
			return c.Err()
		}
		r.addMIB(id, mib)
	}
	return c.Err()
}

// addMIB adds a MIB, or merges it into the one of its stack.
func (r *Raw) addMIB(id uint64, mib MIB) {
	if at, ok := r.bySite[id]; ok {
		r.sites[at].mib.Merge(&mib)
		return
	}
	r.bySite[id] = int32(len(r.sites))
	r.sites = append(r.sites, rawSite{id: id, mib: mib})
}

// readHistogram reads the access counts behind a MIB: words, and from version 5
// on halves of four with an exponent in the upper four bits.
func (r *Raw) readHistogram(c *wire.Cursor, size uint64) []uint64 {
	if r.version < 5 {
		counts := make([]uint64, c.Count(AccessHistogramSize.String(), size, 8))
		c.U64s("AccessHistogram", counts)
		return counts
	}
	counts := make([]uint64, c.Count(AccessHistogramSize.String(), size, 2))
	for i := range counts {
		x := c.U16("AccessHistogram")
		counts[i] = uint64(x&0xfff) << (x >> 12)
	}
	return counts
}

// readStacks reads the stack section (memprof.md §1.5). A stack that comes
// again must be the same; one without a MIB is of no use.
func (r *Raw) readStacks(c *wire.Cursor) error {
	ids := make([]uint64, c.Count("NumEntries", c.U64("NumEntries"), 16))
	r.stackIDs = append(r.stackIDs, ids)
	for i := range ids {
		at := c.Offset()
		id := c.U64("StackId")
		ids[i] = id
		pcs := c.Bytes("PC", 8*uint64(c.Count("NumPCs", c.U64("NumPCs"), 8)))
		if c.Err() != nil {
			return c.Err()
		}
		site, ok := r.bySite[id]
		if !ok {
			continue
		}
		s := &r.sites[site]
		if s.stack != nil && !bytes.Equal(s.stack, pcs) {
			return c.FailAt(at, model.KindMalformed, "StackId",
				fmt.Sprintf("the file has two different call stacks with StackId %d", id), "", "")
		}
		s.stack = pcs
	}
	return c.Err()
}

// note leaves findings on what is not as it seems.
func (r *Raw) note() {
	find := func(severity model.Severity, code string, count uint64, message, cause, remedy string) {
		r.findings = append(r.findings, model.Finding{
			Severity: severity, Code: "memprof." + code, Count: count, Message: message, Cause: cause, Remedy: remedy,
		})
	}
	if r.dumps > 1 {
		find(model.Note, "several_dumps", uint64(r.dumps),
			fmt.Sprintf("the file has %d profiles of one run, merged by call stack; objects alive in two of them count twice",
				r.dumps), "", "")
	}
	if r.version == 1 && len(r.sites) > 0 {
		find(model.Warning, "v1_maximum", 0,
			"MaxAccessCount and MaxSize hold the minimum: the runtime for raw version 1 compares the wrong way round",
			"a fault in the runtime of LLVM 14 and 15", "profile with a program built by clang 16 or newer")
	}
	if n, depth := r.deepest(); n > 1 && depth >= 30 {
		r.cut = depth
		r.findings = append(r.findings, truncated(n, depth))
	}
}

// truncated is the finding of call stacks with as many addresses as the runtime records.
func truncated(n uint64, depth int) model.Finding {
	return model.Finding{
		Severity: model.Note, Code: codeTruncated, Count: n,
		Message: fmt.Sprintf("%d call stacks have exactly %d addresses, so they are probably cut off at the root", n, depth),
		Cause:   "the runtime records no more than that",
		Remedy:  "run with MEMPROF_OPTIONS=malloc_context_size=N, N up to 255",
	}
}

const codeTruncated = "memprof.truncated_stacks"

// isCut reports whether a site's stack is probably cut off at the root.
func (r *Raw) isCut(s *rawSite) bool { return r.cut > 0 && len(s.stack)/8 == r.cut }

// countTruncated has the finding of stacks that are cut off count contexts: stacks that
// differ in addresses alone are one.
func (r *Raw) countTruncated(p *Profile) {
	i := slices.IndexFunc(p.Findings, func(f model.Finding) bool { return f.Code == codeTruncated })
	if i < 0 {
		return
	}
	n, counted := uint64(0), make([]bool, len(p.Stacks))
	for j := range p.Contexts {
		if c := &p.Contexts[j]; c.Truncated && !counted[c.Stack] {
			n, counted[c.Stack] = n+1, true
		}
	}
	if n == 0 {
		p.Findings = slices.Delete(p.Findings, i, i+1)
		return
	}
	p.Findings[i] = truncated(n, r.cut)
}

// deepest is how many stacks have the greatest depth, and that depth.
func (r *Raw) deepest() (n uint64, depth int) {
	for i := range r.sites {
		switch d := len(r.sites[i].stack) / 8; {
		case d > depth:
			n, depth = 1, d
		case d == depth:
			n++
		}
	}
	return n, depth
}
