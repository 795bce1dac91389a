package sampleprof

import (
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// descriptorSection is where a linked program has a descriptor for each function that
// was compiled with pseudo probes, also for those that were inlined everywhere.
const descriptorSection = ".pseudo_probe_desc"

// descriptor is what a program says of a function with pseudo probes.
type descriptor struct {
	guid     uint64 // the hash of its name
	checksum uint64 // of the control flow graph: that of a profile of the same code
	name     string
}

// readDescriptors visits the descriptors of a program, some perhaps several times: each
// module that has a copy of an inline function has its own. The error is a
// [*model.FormatError] that names the program.
func readDescriptors(image *symbol.Image, visit func(descriptor)) error {
	for _, s := range image.Sections(descriptorSection) {
		data, _, err := image.Contents(descriptorSection, s)
		if err != nil {
			return err
		}
		c := wire.New(descriptorSection, data, s.Offset)
		c.SetOrder(image.BigEndian)
		if err := eachDescriptor(c, visit); err != nil {
			return image.Named(err)
		}
	}
	return nil
}

// eachDescriptor reads descriptors up to the end.
func eachDescriptor(c *wire.Cursor, visit func(descriptor)) error {
	for c.Remaining() > 0 {
		d := descriptor{guid: c.U64("GUID"), checksum: c.U64("hash")}
		size := c.ULEB("name size")
		if size > model.MaxName {
			return c.Fail(model.KindTooLarge, "name size", "the name is longer than any", model.NameBound, size)
		}
		name := c.Bytes("name", size)
		if err := c.Err(); err != nil {
			return err
		}
		d.name = string(name)
		visit(d)
	}
	return nil
}
