package encode

// MemProfPreview is what a heap profile has that not every form holds.
type MemProfPreview struct {
	Contexts   uint64 // allocation contexts
	Histograms uint64 // contexts with an access histogram, which no indexed form holds
	Callees    uint64 // call sites that say what they may call, since MemProf version 4
	DataAccess uint64 // symbols and string literals with access counts, since MemProf version 4
}

// MemProfForm is how an indexed version has a heap profile.
type MemProfForm struct {
	MemProf uint64   // version of the section, 0 to 4 (memprof.md §3.2)
	Carried bool     // as it stands in the file, not written anew
	ReadBy  Releases // of LLVM; Last is 0 where newer ones read it too
}

// memProfReaders are the releases of LLVM that read each version of a section.
var memProfReaders = [...]Releases{0: {15, 19}, 1: {19, 19}, 2: {19, 0}, 3: {19, 0}, 4: {21, 0}}

// memprofPreview is nil where there is no heap profile, and knows nothing of one
// that is not decoded.
func (c *contents) memprofPreview() *MemProfPreview {
	if !c.heap {
		return nil
	}
	o := &MemProfPreview{}
	if c.profile == nil {
		return o
	}
	distinct := c.profile.Distinct()
	o.Contexts = uint64(len(distinct))
	for i := range distinct {
		if len(distinct[i].MIB.Histogram) > 0 {
			o.Histograms++
		}
	}
	for _, r := range c.profile.Records {
		for _, site := range r.CallSites {
			if len(site.Callees) > 0 {
				o.Callees++
			}
		}
	}
	if access := c.profile.DataAccess; access != nil {
		o.DataAccess = uint64(len(access.Records) + len(access.ColdSymbols) + len(access.ColdHashes))
	}
	return o
}

func (c *contents) memprofForm(version int) *MemProfForm {
	m := c.memProfOf(version)
	if m.section == nil {
		return nil
	}
	f := &MemProfForm{MemProf: m.version, Carried: m.carried}
	if m.version < uint64(len(memProfReaders)) {
		f.ReadBy = memProfReaders[m.version]
		// The readers of the indexed version are among those of the section.
		f.ReadBy.First = max(f.ReadBy.First, WrittenBy(version).First)
	}
	return f
}
