// Command lint is what `go vet -vettool` runs on each package: the analyzers of go vet and those
// of staticcheck, on one parse and one type check. What it says is cached with what is compiled.
//
// Facts of packages are those that go vet takes, and what is deprecated: the rest of what
// staticcheck takes need the whole of SQLite in another form, and each package of the project once
// more without its tests, for one check of many. `make test-long` runs staticcheck itself.
package main

import (
	"encoding/gob"
	"encoding/json"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
	"honnef.co/go/tools/analysis/facts/deprecated"
	"honnef.co/go/tools/analysis/lint"
	"honnef.co/go/tools/simple"
	"honnef.co/go/tools/staticcheck"
	"honnef.co/go/tools/stylecheck"
)

func main() {
	list := append(slices.Clip(vet), unusedAnalyzer, sayAnalyzer)
	for _, some := range [][]*lint.Analyzer{simple.Analyzers, staticcheck.Analyzers, stylecheck.Analyzers} {
		for _, a := range some {
			if !a.Doc.NonDefault {
				list = append(list, a.Analyzer)
			}
		}
	}
	if config := os.Args[len(os.Args)-1]; strings.HasSuffix(config, ".cfg") && factsOnly(config) {
		// A package that has no tests is looked at once, for its faults and for others: its facts are all.
		register(list)
		list = append(vet, deprecated.Analyzer)
	}
	for _, a := range list {
		heed(a)
	}
	unitchecker.Main(list...)
}

// register has the facts of analyzers, and of those that they require, be read where these do not run.
func register(list []*analysis.Analyzer) {
	for _, a := range list {
		for _, fact := range a.FactTypes {
			gob.Register(fact)
		}
		register(a.Requires)
	}
}

// factsOnly reports whether a configuration of unitchecker asks for what others take of a package,
// and not for what is wrong with it.
func factsOnly(config string) bool {
	data, err := os.ReadFile(config)
	if err != nil {
		return false // unitchecker says what is wrong
	}
	var asked struct{ VetxOnly bool }
	_ = json.Unmarshal(data, &asked)
	return asked.VetxOnly
}

// heed has an analyzer say nothing where a line asks it not to: //lint:ignore on the line or the
// one before, //lint:file-ignore anywhere in the file, each followed by the checks' names.
func heed(a *analysis.Analyzer) {
	run := a.Run
	a.Run = func(pass *analysis.Pass) (any, error) {
		report, quiet := pass.Report, ignored(pass, a.Name)
		pass.Report = func(d analysis.Diagnostic) {
			if at := pass.Fset.PositionFor(d.Pos, false); !quiet[place{at.Filename, at.Line}] && !quiet[place{at.Filename, 0}] {
				report(d)
			}
		}
		return run(pass)
	}
}

// place is a line of a file; line 0 is all of it.
type place struct {
	file string
	line int
}

// ignored are the places where a check is to say nothing.
func ignored(pass *analysis.Pass, check string) map[place]bool {
	quiet := map[place]bool{}
	for _, file := range pass.Files {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				words := strings.Fields(comment.Text)
				if len(words) < 2 || !strings.Contains(","+words[1]+",", ","+check+",") {
					continue
				}
				at := pass.Fset.PositionFor(comment.Pos(), false)
				switch words[0] {
				case "//lint:file-ignore":
					quiet[place{at.Filename, 0}] = true
				case "//lint:ignore":
					quiet[place{at.Filename, at.Line}], quiet[place{at.Filename, at.Line + 1}] = true, true
				}
			}
		}
	}
	return quiet
}
