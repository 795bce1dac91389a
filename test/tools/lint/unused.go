package main

import (
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
	"honnef.co/go/tools/unused"
)

// unusedAnalyzer says what staticcheck's U1000 finds: that one only returns it, for a command that
// joins what several builds of a package use. go vet checks a package with its tests, which use
// all that it does.
var unusedAnalyzer = &analysis.Analyzer{
	Name:     "unused",
	Doc:      "what nothing uses",
	Requires: []*analysis.Analyzer{unused.Analyzer.Analyzer},
	Run: func(pass *analysis.Pass) (any, error) {
		files := map[string]*token.File{}
		for _, f := range pass.Files {
			file := pass.Fset.File(f.Pos())
			files[file.Name()] = file
		}
		for _, o := range pass.ResultOf[unused.Analyzer.Analyzer].(unused.Result).Unused {
			file := files[o.Position.Filename]
			if file == nil || o.Kind == "type param" || strings.HasSuffix(file.Name(), "_templ.go") {
				continue
			}
			pass.Reportf(file.Pos(o.Position.Offset), "%s %s is unused (U1000)", o.Kind, o.Name)
		}
		return nil, nil
	},
}
