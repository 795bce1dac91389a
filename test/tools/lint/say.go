package main

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// sayAnalyzer finds sentences of humanize.Say that have other than a pair of braces for each thing that
// is given, as go vet does for those of Printf.
var sayAnalyzer = &analysis.Analyzer{
	Name: "say", Doc: "check that humanize.Say is given what stands in the braces of its sentence",
	Run: func(pass *analysis.Pass) (any, error) {
		for _, file := range pass.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok && says(pass, call) {
					checkSaid(pass, call)
				}
				return true
			})
		}
		return nil, nil
	},
}

// says reports whether a call is one of humanize.Say with what is given one by one.
func says(pass *analysis.Pass, call *ast.CallExpr) bool {
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || call.Ellipsis.IsValid() {
		return false
	}
	f, ok := pass.TypesInfo.Uses[selector.Sel].(*types.Func)
	return ok && f.FullName() == "proflens/internal/humanize.Say"
}

func checkSaid(pass *analysis.Pass, call *ast.CallExpr) {
	sentence := pass.TypesInfo.Types[call.Args[0]].Value
	if sentence == nil {
		pass.ReportRangef(call, "the sentence of Say is no constant: what is put together can have braces")
		return
	}
	text := constant.StringVal(sentence)
	braces, given := strings.Count(text, "{"), len(call.Args)-1
	if braces != given || braces != strings.Count(text, "}") {
		pass.ReportRangef(call, "the sentence has %d pairs of braces, and Say is given %d", braces, given)
	}
}
