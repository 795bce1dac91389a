package site

import (
	"fmt"
	"strconv"

	"proflens/decode/instrprof"
	"proflens/profiledb/instrdb"
	"proflens/profiledb/stored"
	"proflens/views/page"
)

// fileCard says what the profile is made of.
func fileCard(o *stored.Overview) page.FileCard {
	var card page.FileCard
	var size int64
	for i, in := range o.Inputs {
		size += in.Size
		if i < overviewInputs {
			card.Inputs = append(card.Inputs, page.FileInput{
				Name: page.Printable(in.Name), Describe: in.Describe, Size: page.Bytes(uint64(in.Size)), SHA256: in.SHA256, Digest: in.SHA256[:min(12, len(in.SHA256))],
			})
		}
	}
	card.MoreInputs = len(o.Inputs) - len(card.Inputs)
	card.Size = page.Bytes(uint64(size))
	card.Sections = fileSections(o.Inputs)
	for i, id := range o.Info.BinaryIDs {
		if i == overviewIDs {
			card.MoreIDs = len(o.Info.BinaryIDs) - i
			break
		}
		card.IDs = append(card.IDs, fmt.Sprintf("%x", id))
	}
	return card
}

// InstrFacts are what the file card says of function records.
func InstrFacts(p *instrdb.Profile) []page.Fact {
	o := p.Overview
	v := o.Info.Variant
	facts := []page.Fact{
		{Term: "Kind", Value: v.String()},
		{Term: "Version", Value: versionText(&o.Info)},
		{Term: "Byte order", Value: byteOrder(&o.Info)},
	}
	if o.Info.PointerSize > 0 {
		facts = append(facts, page.Fact{Term: "Pointers", Value: strconv.Itoa(o.Info.PointerSize*8) + "-bit"})
	}
	facts = append(facts,
		page.Fact{Term: "Names", Value: page.Int(o.Names)},
		page.Fact{Term: "Inputs", Value: page.Int(max(len(p.Profile.Overview.Inputs), 1))})
	if len(o.Info.BinaryIDs) == 0 {
		facts = append(facts, page.Fact{Term: "Binary ids", Value: "none"})
	}
	if o.BitmapBytes > 0 {
		facts = append(facts, page.Fact{Term: "MC/DC bitmap", Value: page.Bytes(o.BitmapBytes).Text})
	}
	if o.Traces > 0 {
		facts = append(facts, page.Fact{Term: "Traces", Value: page.Int(o.Traces)})
	}
	if n := len(o.Info.VTableNames); n > 0 {
		facts = append(facts, page.Fact{Term: "VTables", Value: page.Int(n)})
	}
	return facts
}

func versionText(i *instrprof.Info) string {
	switch i.Format {
	case instrprof.FormatRaw:
		return "raw " + strconv.FormatUint(i.Version, 10)
	case instrprof.FormatIndexed:
		return "indexed " + strconv.FormatUint(i.Version, 10)
	}
	return "text"
}

func byteOrder(i *instrprof.Info) string {
	switch {
	case i.Format == instrprof.FormatText:
		return "–"
	case i.BigEndian:
		return "big"
	}
	return "little"
}

// fileSections adds sections of one name up over the inputs, in the order of
// the first file that has them, and lays them out on a bar of 1000 units.
func fileSections(inputs []stored.Input) []page.FileSection {
	var order []string
	sizes := map[string]uint64{}
	var all uint64
	for _, in := range inputs {
		for _, s := range in.Sections {
			if s.Size == 0 {
				continue
			}
			if _, seen := sizes[s.Name]; !seen {
				order = append(order, s.Name)
			}
			sizes[s.Name] += s.Size
			all += s.Size
		}
	}
	var list []page.FileSection
	var at uint64
	for i, name := range order {
		list = append(list, page.NewFileSection(page.Printable(name), i, at, sizes[name], all))
		at += sizes[name]
	}
	return list
}
