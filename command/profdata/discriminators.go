package profdata

import "proflens/decode/sampleprof"

// passBits are the passes of the compiler that give discriminators, with the bits of those
// that were given up to then.
var passBits = map[string]uint32{
	"Base": 1<<8 - 1, "Pass0": 1<<8 - 1, "Pass1": 1<<14 - 1, "Pass2": 1<<20 - 1, "Pass3": 1<<26 - 1, "Pass4": 1<<32 - 1,
	"PassLast": 1<<32 - 1,
}

// fsDiscriminators makes a profile one whose discriminators all passes gave, if it is said
// to be one, and takes out what passes behind the one asked for gave.
func (t *tool) fsDiscriminators(p *sampleprof.Profile) {
	if !t.IsFS {
		return
	}
	p.Flags |= sampleprof.FSDiscriminators
	if t.FSPass == "" {
		return
	}
	bits := passBits[t.FSPass]
	p.EachFunction(func(f *sampleprof.Function) {
		for i := range f.Body {
			f.Body[i].Discriminator &= bits
		}
		for i := range f.VTables {
			f.VTables[i].Discriminator &= bits
		}
		for i := range f.Sites {
			f.Sites[i].Discriminator &= bits
		}
	})
	p.Settle()
}
