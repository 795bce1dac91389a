package site

import (
	"fmt"

	"proflens/internal/humanize"
	"proflens/profile/stored"
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
				Name: humanize.Printable(in.Name), Describe: in.Describe, Size: humanize.Bytes(uint64(in.Size)), SHA256: in.SHA256,
				Digest: in.SHA256[:min(12, len(in.SHA256))],
			})
		}
	}
	card.MoreInputs = len(o.Inputs) - len(card.Inputs)
	card.Size = humanize.Bytes(uint64(size))
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
		list = append(list, page.NewFileSection(humanize.Printable(name), i, at, sizes[name], all))
		at += sizes[name]
	}
	return list
}
