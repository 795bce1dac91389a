package covdb

import (
	"proflens/decode/model"
	"proflens/names"
)

// EachDeclaration implements [stored.Declarer]: functions are where their code begins.
func (t *tables) EachDeclaration(visit func(model.Declaration)) {
	for i := range t.functions {
		f, at := &t.functions[i], &t.starts[i]
		if f.Main < 0 || at.start.Line == 0 {
			continue
		}
		path, linkage := names.Cut([]byte(f.Linkage))
		visit(model.Declaration{
			Name: linkage, Unit: string(path), Local: len(path) > 0, File: t.files[f.Files[0]], Line: at.start.Line,
		})
	}
}
