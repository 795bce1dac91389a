package decode

import (
	"slices"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
)

// Embedded is the sources whose text the programs among files hold (-gembed-source). Files
// that are no programs, or cannot be read, have none.
func Embedded(files []format.File) (list []model.SourceText) {
	for _, f := range files {
		if !symbol.IsProgram(f.Data) {
			continue
		}
		images, err := symbol.OpenProgram(f.Name, f.Data, nil)
		if err != nil {
			continue
		}
		for _, image := range images {
			list = append(list, image.Embedded()...)
		}
	}
	return list
}

// embedded is Embedded of the programs that are not left out of a profile.
func embedded(p *format.Profile, files []format.File) []model.SourceText {
	return Embedded(slices.DeleteFunc(slices.Clone(files), func(f format.File) bool {
		return slices.ContainsFunc(p.Found, func(found model.Finding) bool {
			return found.File == f.Name && found.Kind == model.KindIncompatible
		})
	}))
}
