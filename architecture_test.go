package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport is the plan of docs/architecture.md: for every package what it may
// import of this module; main may import everything.
var mayImport = map[string][]string{
	"decode/model":     nil,
	"decode/wire":      {"decode/model"},
	"decode/symbol":    {"decode/model", "decode/wire"},
	"decode/format":    {"decode/model", "decode/wire"},
	"decode/instrprof": {"decode/model", "decode/wire", "decode/symbol"},
	"decode/covmap":    {"panics", "decode/model", "decode/wire", "decode/symbol", "decode/instrprof"},
	"decode/memprof":   {"decode/model", "decode/wire", "decode/symbol"},
	"decode/llvm": {
		"decode/model", "decode/wire", "decode/symbol", "decode/format", "decode/instrprof", "decode/covmap",
		"decode/memprof", "panics", "decode/instrprof/sums",
	},
	"decode/mip":        {"decode/model", "decode/wire", "decode/symbol", "decode/format"},
	"decode/sampleprof": {"decode/model", "decode/wire", "decode/format", "decode/symbol"},
	"decode/unidiff":    {"decode/model"},
	"decode/dcpi":       {"decode/model", "decode/wire", "decode/symbol", "decode/format"},
	"decode": {
		"decode/model", "decode/wire", "decode/format", "decode/llvm", "decode/mip", "decode/dcpi", "decode/sampleprof",
		"panics", "decode/instrprof",
	},
	"decode/decodetest": {
		"decode/model", "decode/format", "decode/instrprof", "decode/memprof", "decode/llvm", "decode/mip", "decode/dcpi",
		"decode",
	},
	"names/pattern":     nil,
	"names":             {"names/pattern"},
	"bytesort":          {"panics"},
	"inorder":           {"panics"},
	"unpack":            nil,
	"sources":           nil,
	"panics":            nil,
	"memtest":           nil,
	"mapped":            nil,
	"migrations":        nil,
	"static":            nil,
	"say":               nil,
	"fixtures/examples": nil,
	"docs/pages":        {"measures", "migrations"},
	"analyze": {
		"decode/model", "decode/instrprof", "decode/memprof", "decode/mip", "decode/dcpi", "decode/instrprof/sums",
	},
	"analyze/coverage":  {"panics", "decode/instrprof", "decode/covmap", "decode/unidiff", "sources"},
	"analyze/sample":    {"panics", "decode/model", "decode/sampleprof", "analyze"},
	"encode/sampleprof": {"decode/model", "decode/sampleprof", "analyze/sample", "encode/stacks", "names"},
	"encode/llvmcov":    {"decode/covmap", "analyze/coverage", "decode/unidiff"},
	"encode": {
		"inorder", "decode/model", "decode/wire", "decode/instrprof", "decode/memprof", "decode/mip", "decode/dcpi", "names",
		"analyze", "encode/stacks", "decode/instrprof/sums",
	},
	"encode/stacks":    {"analyze", "say"},
	"profiledb/budget": nil,
	"profiledb/btree":  {"disk", "panics"},
	"profiledb/stored": {
		"profiledb/budget", "panics", "disk", "decode/model", "decode/format", "analyze", "profiledb/btree",
	},
	"profiledb/query":    {"profiledb/budget", "names", "panics", "analyze", "profiledb/btree", "profiledb/stored"},
	"profiledb/lines":    {"profile/table", "sources"},
	"profile/table":      {"analyze", "inorder", "names", "profiledb/query", "say", "sources"},
	"profiledb/ranks":    {"decode/model", "analyze", "profile/table", "profiledb/query"},
	"profiledb/calltree": {"profiledb/budget", "analyze", "profiledb/query", "profiledb/stored"},
	"profiledb/instrdb": {
		"profile/figure", "profile/table", "say", "profiledb/budget", "profiledb/instrdb/collected", "profiledb/lines",
		"inorder", "panics",
		"sources", "decode/format", "decode/model", "decode/instrprof", "names", "migrations", "analyze", "profiledb/btree",
		"profiledb/stored", "profiledb/query",
	},
	"profiledb/memprofdb": {
		"profile/figure", "profile/table", "profiledb/budget", "sources", "profiledb/lines", "profiledb/calltree",
		"decode/model",
		"decode/memprof", "names", "analyze", "profiledb/btree", "profiledb/stored", "profiledb/query",
	},
	"profiledb/sampledb": {
		"profile/figure", "profile/table", "profiledb/budget", "profiledb/calltree", "panics", "decode/model",
		"decode/sampleprof", "names",
		"sources", "analyze", "analyze/sample", "profiledb/btree", "profiledb/stored", "profiledb/query", "profiledb/ranks",
		"profiledb/lines",
	},
	"profiledb/mipdb": {
		"profile/figure", "profile/table", "panics", "decode/model", "decode/mip", "names", "analyze", "profiledb/btree",
		"profiledb/stored",
		"profiledb/query",
	},
	"profiledb/dcpidb": {
		"profile/figure", "profile/table", "say", "sources", "profiledb/lines", "decode/model", "decode/dcpi", "names",
		"analyze",
		"profiledb/btree", "profiledb/stored", "profiledb/query",
	},
	"profiledb/covdb": {
		"profile/figure", "profile/table", "profiledb/budget", "sources", "panics", "decode/model", "decode/instrprof",
		"decode/covmap",
		"decode/unidiff", "names", "analyze/coverage", "profiledb/btree", "profiledb/stored", "profiledb/query",
	},
	"decode/instrprof/sums": {"bytesort", "panics", "decode/model", "decode/wire", "decode/instrprof"},
	"profiledb": {
		"decode/model", "decode/format", "migrations", "profiledb/btree", "profiledb/stored", "profiledb/instrdb",
		"profiledb/memprofdb", "profiledb/mipdb", "profiledb/sampledb",
		"profiledb/dcpidb", "profiledb/covdb", "sources",
	},
	"profiledb/profiledbtest": {"decode/model", "decode/format", "decode", "profiledb/stored", "profiledb"},
	"disk":                    nil,
	"objects":                 {"panics", "disk"},
	"catalog/projects":        {"decode/model", "catalog/engine"},
	"measures": {
		"profile/figure", "decode/model", "profiledb/stored", "analyze", "decode/instrprof", "decode/instrprof/sums",
		"decode/covmap", "decode/sampleprof", "decode/memprof", "decode/mip", "decode/dcpi", "decode/unidiff",
		"profile/table", "profiledb/query", "profiledb/instrdb", "profiledb/covdb", "profiledb/sampledb",
		"profiledb/memprofdb",
		"profiledb/mipdb", "profiledb/dcpidb",
	},
	"gate": {"measures", "decode/model", "profiledb/stored", "say"},
	"builds": {
		"profiledb/budget", "catalog", "catalog/projects", "decode/model", "measures", "profiledb/stored",
	},
	"catalog": {
		"decode/model", "catalog/engine", "catalog/projects", "disk", "objects", "panics", "profiledb/stored", "sources",
	},
	"catalog/engine":        {"migrations"},
	"catalog/engine/pgtest": nil,
	"profiledb/instrdb/collected": {
		"bytesort", "panics", "decode/model", "decode/instrprof", "analyze", "profiledb/stored",
	},
	"work": {
		"panics", "analyze", "decode/model", "decode/format", "decode/instrprof", "decode/llvm", "decode", "encode",
		"mapped", "profiledb/stored", "profiledb", "exports",
	},
	"confine": {"panics", "work"},
	"tables": {
		"profile/table",
		"profiledb/lines",
		"decode/model", "decode/format", "decode/instrprof", "decode/covmap", "analyze/coverage", "profiledb/covdb",
		"decode/memprof", "decode/mip", "decode/dcpi", "decode/sampleprof", "names", "analyze",
		"profiledb/stored", "profiledb/query",
		"profiledb/instrdb", "profiledb/memprofdb", "profiledb/mipdb", "profiledb/dcpidb", "profiledb/sampledb",
	},
	"analyze/coverage/coveragetest": {"decode/instrprof", "decode/covmap", "analyze/coverage"},
	"exports": {
		"decode/covmap", "analyze/coverage", "encode/llvmcov", "analyze", "decode/model", "decode/format",
		"decode/instrprof", "decode/memprof", "decode/llvm", "decode/mip", "decode/dcpi", "decode/sampleprof", "names",
		"encode", "encode/sampleprof",
		"encode/stacks", "profiledb/stored", "profiledb/instrdb", "profiledb/memprofdb", "profiledb/mipdb",
		"profiledb/dcpidb", "profiledb", "profile/table", "tables",
	},
	"ingest": {
		"panics", "decode/model", "decode", "unpack", "profiledb/stored", "catalog", "objects", "encode", "exports", "work",
		"sources",
	},
	"profile/figure":    {"analyze", "profiledb/stored", "say"},
	"views/chart":       {"say"},
	"views/page":        {"say", "views/chart"},
	"views":             {"say", "views/chart", "views/page"},
	"views/picture":     {"say", "views/page"},
	"views/instrview":   {"say", "views/chart", "views/page", "views"},
	"views/memprofview": {"say", "views/chart", "views/page", "views", "views/flameview"},
	"views/sampleview":  {"say", "views/chart", "views/page", "views"},
	"views/flameview":   {"say", "views/chart", "views/page", "views"},
	"views/mipview":     {"say", "views/chart", "views/page", "views"},
	"views/covview":     {"views/sourceview", "say", "views", "views/chart", "views/page"},
	"views/sourceview":  {"say", "views/chart", "views/page", "views"},
	"views/projectview": {"say", "views/chart", "views/page", "views"},
	"views/dcpiview":    {"views/chart", "views/page", "views"},
	"handlers/site": {
		"profiledb/budget", "handlers/projectpath", "builds", "decode/model", "names", "static", "say", "analyze", "encode",
		"profiledb/lines", "profiledb/stored", "profiledb/query", "profiledb/ranks", "catalog", "catalog/projects",
		"profile/figure", "profile/table", "ingest", "views/chart", "views/page", "views/picture", "views",
		"exports", "work",
		"sources", "objects",
	},
	"handlers/lists": {
		"profile/table", "sources", "views", "views/chart", "analyze", "names", "profiledb/stored", "profiledb/query", "say",
		"tables", "views/page", "handlers/site",
	},
	"handlers/openapi":    {"analyze", "profile/figure", "profile/table", "handlers/site"},
	"handlers/middleware": {"profiledb/budget", "handlers/site"},
	"handlers/metrics":    {"handlers/site"},
	"handlers/spool":      {"catalog"},
	"handlers/nameweb": {
		"views/page", "catalog", "catalog/projects", "handlers/site", "ingest", "say", "views", "views/nameview",
	},
	"views/nameview": {"views"},
	"handlers/gateweb": {
		"profiledb/budget", "catalog", "decode/unidiff", "gate", "handlers/site", "measures", "profiledb/stored", "say",
		"sources",
	},
	"handlers/manual": {"docs/pages", "say", "views", "views/page", "handlers/site"},
	"handlers/rankweb": {
		"profiledb/query", "profiledb/ranks", "profiledb/stored", "say", "profile/table", "views/page",
		"handlers/site", "handlers/lists", "handlers/moves",
	},
	"handlers/projectpath": nil,
	"handlers/projectweb": {
		"handlers/projectpath", "builds", "catalog/projects", "decode/model", "gate", "measures", "names", "profiledb/ranks",
		"say", "profile/table", "views/chart", "views/page", "views", "views/projectview", "handlers/site",
	},
	"handlers/moves": {
		"profiledb/query", "catalog", "say", "profile/table", "views", "views/chart", "views/page", "handlers/site",
		"handlers/lists",
	},
	"handlers/flameweb": {
		"analyze", "encode/stacks", "names", "say", "profiledb/calltree", "profile/table", "views/chart", "views/flameview",
		"views/page", "handlers/site",
	},
	"handlers/instrweb": {"profile/figure", "profile/table", "profiledb/budget", "panics",
		"profiledb/lines",
		"decode/model", "decode/instrprof/sums", "decode/instrprof", "names", "say", "analyze", "profiledb/stored",
		"profiledb/query", "profiledb/ranks", "profiledb/instrdb", "catalog", "tables",
		"views/chart", "views/page", "views/picture", "views", "views/instrview", "handlers/site", "handlers/lists",
		"handlers/moves",
	},
	"handlers/memprofweb": {
		"profile/figure", "profile/table",
		"profiledb/calltree", "profiledb/lines", "sources", "views/flameview", "handlers/flameweb",
		"decode/memprof", "names", "say", "analyze", "encode/stacks", "exports", "profiledb/stored",
		"profiledb/query", "profiledb/memprofdb",
		"catalog", "tables", "views/chart", "views/page", "views/picture", "views/memprofview", "handlers/site",
		"handlers/lists", "handlers/moves",
	},
	"handlers/sampleweb": {
		"profile/figure", "profile/table", "analyze", "encode/stacks", "handlers/flameweb", "views/flameview",
		"decode/model", "decode/sampleprof", "names", "say", "sources", "analyze/sample", "profiledb/stored",
		"profiledb/query", "profiledb/ranks", "profiledb/lines", "profiledb/sampledb", "catalog", "tables",
		"views/chart", "views/page", "views/picture", "views/sampleview", "handlers/site", "handlers/lists", "handlers/moves",
	},
	"handlers/mipweb": {
		"profile/table", "decode/model", "decode/mip", "names", "say", "analyze", "profiledb/stored", "profiledb/query",
		"profiledb/mipdb", "catalog", "tables",
		"views/chart", "views/page", "views/picture", "views/mipview", "handlers/site", "handlers/lists", "handlers/moves",
	},
	"handlers/sourceweb": {
		"catalog", "sources", "panics", "say", "profiledb/lines", "profiledb/query", "profile/table",
		"handlers/site", "handlers/lists", "views/chart", "views/page", "views/sourceview",
	},
	"handlers/covweb": {
		"profile/figure", "profile/table", "handlers/lists",
		"profiledb/budget",
		"handlers/sourceweb", "profiledb/lines", "views/sourceview", "analyze", "analyze/coverage", "catalog",
		"decode/covmap",
		"decode/instrprof", "handlers/site", "names", "profiledb/covdb", "profiledb/query", "profiledb/stored", "say",
		"views/chart", "views/covview", "views/page", "views/picture", "tables", "decode/unidiff", "encode/llvmcov",
		"sources", "handlers/moves",
	},
	"handlers/dcpiweb": {
		"profiledb/lines",
		"profile/figure", "profile/table", "decode/model", "decode/dcpi", "names", "say", "profiledb/stored",
		"profiledb/query", "analyze",
		"profiledb/dcpidb", "catalog", "views/chart",
		"views/page", "views/picture", "views/dcpiview", "handlers/site", "handlers/lists", "handlers/moves",
	},
	"handlers": {
		"handlers/sourceweb", "panics", "decode/model", "unpack", "static", "say", "fixtures/examples", "encode",
		"profiledb/stored", "profiledb", "catalog", "profile/table", "tables", "exports", "ingest",
		"views/chart", "views/page", "views/picture", "views", "handlers/site", "handlers/lists", "handlers/metrics",
		"handlers/middleware", "handlers/nameweb", "handlers/spool", "handlers/instrweb", "handlers/memprofweb",
		"handlers/mipweb", "handlers/rankweb", "handlers/sampleweb", "handlers/dcpiweb", "handlers/covweb", "work",
		"handlers/manual", "handlers/openapi", "handlers/moves", "handlers/gateweb", "handlers/projectweb",
	},
	"handlers/webtest": {
		"decode/model", "decode/format", "decode/instrprof", "profiledb/stored", "profiledb", "catalog", "ingest",
		"handlers/site", "handlers", "work", "builds",
	},
	"command/cov": {
		"decode/model", "decode/format", "decode/instrprof", "decode/llvm", "decode/covmap", "decode/unidiff", "decode",
		"mapped", "names", "analyze/coverage", "encode/llvmcov", "command/covsite", "sources",
	},
	"command/covsite": {"static"},
	"command": {
		"profiledb/budget", "command/cov", "panics", "analyze", "decode/model", "decode/format", "decode",
		"decode/sampleprof", "unpack", "mapped", "say", "profiledb/stored", "profiledb", "catalog", "catalog/projects",
		"objects", "tables", "exports", "ingest", "handlers/site", "handlers", "confine", "work", "sources",
		"decode/unidiff", "gate", "measures", "builds", "decode/instrprof", "decode/llvm",
	},
}

// tools are programs of their own beside the product; they may import anything.
var tools = []string{"bench", "tools", "web", "browsertest"}

// TestImportsFollowThePlan holds the arrows of the architecture: decoding knows
// nothing of SQL and HTTP, pages nothing of file formats, a family nothing of
// another.
func TestImportsFollowThePlan(t *testing.T) {
	for _, pkg := range packages(t) {
		allowed, ok := mayImport[pkg.path]
		if !ok {
			t.Errorf("package %s is not in the plan", pkg.path)
			continue
		}
		for _, imported := range pkg.imports {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			if isOurs && !slices.Contains(allowed, ours) {
				t.Errorf("%s imports %s; it may import %v", pkg.path, ours, allowed)
			}
			if strings.HasPrefix(pkg.path, "decode") && (imported == "net/http" || imported == "database/sql") {
				t.Errorf("%s imports %s: decoding knows nothing of it", pkg.path, imported)
			}
			if strings.HasPrefix(pkg.path, "views") && imported == "net/http" {
				t.Errorf("%s imports net/http: pages know nothing of it", pkg.path)
			}
		}
		for _, ours := range allowed {
			if !slices.Contains(pkg.imports, module+"/"+ours) {
				t.Errorf("%s may import %s, and does not", pkg.path, ours)
			}
		}
	}
}

// mayStart are the functions that start goroutines without package panics, each with
// why its panic would end no server.
var mayStart = map[string]string{
	"confine.warmSoon":         "calls panics.Do",
	"confine.Child":            "is another process",
	"handlers.exportOriginals": "calls panics.Do",
	"command.untilSignal":      "waits for signals",
	"handlers.takeIn":          "calls panics.Do",
	"btree.Append":             "what it calls calls panics.Do",
	"command.send":             "is the client",
	"webtest.run":              "is a test's", "webtest.Shared": "is a test's", "memtest.Of": "is a test's",
	"pgtest.Both": "is a test's",
}

// TestGoroutinesCannotEndTheServer has goroutines started through package panics,
// which makes errors of their panics.
func TestGoroutinesCannotEndTheServer(t *testing.T) {
	seen := map[string]bool{}
	for _, pkg := range packages(t) {
		if pkg.path == "panics" {
			continue
		}
		if slices.Contains(pkg.imports, "golang.org/x/sync/errgroup") {
			t.Errorf("%s imports errgroup; use panics.Group", pkg.path)
		}
		for _, file := range pkg.files {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.path, file), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			for _, decl := range parsed.Decls {
				f, ok := decl.(*ast.FuncDecl)
				if !ok {
					continue
				}
				name := parsed.Name.Name + "." + f.Name.Name
				ast.Inspect(f, func(n ast.Node) bool {
					starts := false
					switch n := n.(type) {
					case *ast.GoStmt:
						starts = true
					case *ast.CallExpr: // of a sync.WaitGroup
						if s, ok := n.Fun.(*ast.SelectorExpr); ok && s.Sel.Name == "Go" {
							x, ok := s.X.(*ast.Ident)
							starts = ok && x.Name == "wg"
						}
					}
					seen[name] = seen[name] || starts
					if starts && mayStart[name] == "" {
						t.Errorf("%s starts a goroutine whose panic ends the process; use panics.Group, or say in mayStart why not", name)
					}
					return true
				})
			}
		}
	}
	for name := range mayStart {
		if !seen[name] {
			t.Errorf("%s may start goroutines, and does not", name)
		}
	}
}

// TestGoroutinesAreWatched has a line of tools/raced for every package in which
// goroutines meet, and tests for every line.
func TestGoroutinesAreWatched(t *testing.T) {
	data, err := os.ReadFile("tools/raced")
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] != "#" {
			lines[strings.TrimPrefix(f[1], "./")] = f
		}
	}
	for _, pkg := range packages(t) {
		f := lines[pkg.path]
		delete(lines, pkg.path)
		if meets := meet(t, pkg); meets != (f != nil) {
			t.Errorf("goroutines meet in %s: %v; its line in tools/raced: %v", pkg.path, meets, f)
		}
		if f == nil {
			continue
		}
		kinds := map[string]int{"all": 2, "some": 3, "in": 4, "long": 3, "none": 4}
		if words := kinds[f[0]]; words == 0 || len(f) < words {
			t.Errorf("tools/raced: %v", f)
		} else if f[0] == "in" && !strings.Contains(string(data), " ./"+f[2]+"\n") &&
			!strings.Contains(string(data), " ./"+f[2]+" ") {
			t.Errorf("tools/raced: %s is watched in the tests of %s, which has no line", pkg.path, f[2])
		} else if f[0] == "some" {
			tests := testsOf(t, pkg)
			for one := range strings.SplitSeq(f[2], "|") {
				if !slices.ContainsFunc(tests, regexp.MustCompile(one).MatchString) {
					t.Errorf("tools/raced: %s has no test %s", pkg.path, one)
				}
			}
		}
	}
	for path := range lines {
		t.Errorf("tools/raced: there is no package %s", path)
	}
}

// meet reports whether a package starts goroutines, holds locks, or is called back by
// package inorder.
func meet(t *testing.T, pkg goPackage) (meets bool) {
	t.Helper()
	for _, imported := range []string{"sync", "sync/atomic", module + "/inorder"} {
		meets = meets || slices.Contains(pkg.imports, imported)
	}
	for _, file := range pkg.files {
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.path, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				meets = true
			case *ast.CallExpr:
				s, ok := n.Fun.(*ast.SelectorExpr)
				meets = meets || ok && s.Sel.Name == "Go"
			}
			return true
		})
	}
	return meets
}

// testsOf are the names of a package's tests.
func testsOf(t *testing.T, pkg goPackage) (names []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pkg.path, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && strings.HasPrefix(f.Name.Name, "Test") {
				names = append(names, f.Name.Name)
			}
		}
	}
	return names
}

const module = "proflens"

// goPackage is a package of the program.
type goPackage struct {
	path           string // below the module
	files, imports []string
}

// packages are those of the program, without main and the tools beside it.
func packages(t *testing.T) (list []goPackage) {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}|{{join .GoFiles " "}}|{{join .Imports " "}}`, "./...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSpace(line), "|")
		path, below := strings.CutPrefix(parts[0], module+"/")
		if below && !slices.Contains(tools, strings.Split(path, "/")[0]) {
			list = append(list, goPackage{path, strings.Fields(parts[1]), strings.Fields(parts[2])})
		}
	}
	return list
}
