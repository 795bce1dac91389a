package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// mayImport is the plan of docs/architecture.md: for every package what it may
// import of this module, where * is any name; main may import everything.
var mayImport = map[string][]string{
	"decode/model":     nil,
	"decode/wire":      {"decode/model"},
	"decode/symbol":    {"decode/model", "decode/wire"},
	"decode/format":    {"decode/model", "decode/wire"},
	"decode/instrprof": {"decode/model", "decode/wire", "decode/symbol"},
	"decode/covmap":    {"internal/recovery", "decode/model", "decode/wire", "decode/symbol", "decode/instrprof"},
	"decode/memprof":   {"internal/lazyregexp", "decode/model", "decode/wire", "decode/symbol"},
	"decode/llvm": {
		"decode/model", "decode/wire", "decode/symbol", "decode/format", "decode/instrprof", "decode/covmap",
		"decode/memprof", "internal/recovery", "decode/instrprof/sums",
	},
	"decode/mip":        {"decode/model", "decode/wire", "decode/symbol", "decode/format"},
	"decode/sampleprof": {"decode/model", "decode/wire", "decode/format", "decode/symbol"},
	"decode/unidiff":    {"decode/model"},
	"decode/dcpi":       {"decode/model", "decode/wire", "decode/symbol", "decode/format"},
	"decode": {
		"internal/recovery", "internal/lazyregexp", "decode/*",
	},
	"decode/decodetest": {
		"decode/model", "decode/format", "decode/instrprof", "decode/memprof", "decode/llvm", "decode/mip", "decode/dcpi",
		"decode",
	},
	"names/pattern":       nil,
	"names":               {"names/pattern"},
	"internal/bytesort":   {"internal/recovery"},
	"internal/mt19937":    {},
	"internal/parallel":   {"internal/recovery"},
	"ingest/unpack":       nil,
	"analyze/sources":     {"internal/humanize"},
	"internal/recovery":   nil,
	"internal/memtest":    nil,
	"internal/lazyregexp": nil,
	"internal/mmap":       nil,
	"migrations":          nil,
	"static":              nil,
	"internal/humanize":   nil,
	"handlers/examples":   nil,
	"docs/pages":          {"analyze", "builds/measures", "migrations"},
	"analyze": {
		"decode/model", "decode/instrprof", "decode/memprof", "decode/mip", "decode/dcpi", "decode/instrprof/sums",
		"internal/mt19937",
	},
	"analyze/coverage": {"internal/recovery", "decode/instrprof", "decode/covmap", "decode/unidiff", "analyze/sources"},
	"analyze/sample":   {"internal/recovery", "decode/model", "decode/sampleprof", "analyze"},
	"encode/deflate":   nil,
	"encode/sampleprof": {
		"decode/model", "decode/sampleprof", "analyze/sample", "encode/deflate", "encode/stacks", "names",
	},
	"encode/llvmprofdata": {
		"decode/instrprof", "decode/instrprof/sums", "decode/sampleprof", "analyze", "analyze/sample", "names", "encode",
		"internal/humanize",
	},
	"encode/llvmcov": {"decode/covmap", "analyze/coverage", "decode/unidiff", "internal/humanize"},
	"encode": {
		"internal/parallel", "decode/model", "decode/wire", "decode/instrprof", "decode/memprof", "decode/mip",
		"decode/dcpi", "names",
		"analyze", "encode/deflate", "encode/stacks", "decode/instrprof/sums", "internal/humanize",
	},
	"encode/stacks":  {"analyze", "internal/humanize"},
	"profile/budget": nil,
	"profile/btree":  {"internal/fsync", "internal/recovery"},
	"profile/stored": {
		"profile/budget", "internal/recovery", "internal/fsync", "decode/model", "decode/format", "analyze", "profile/btree",
	},
	"profile/query":    {"profile/budget", "names", "internal/recovery", "analyze", "profile/btree", "profile/stored"},
	"profile/lines":    {"profile/table", "analyze/sources"},
	"profile/table":    {"analyze", "internal/parallel", "names", "profile/query", "internal/humanize", "analyze/sources"},
	"profile/ranks":    {"decode/model", "analyze", "profile/table", "profile/query"},
	"profile/calltree": {"profile/budget", "analyze", "profile/query", "profile/stored"},
	"profile/instrdb": {
		"profile/figure", "profile/table", "internal/humanize", "profile/budget", "profile/instrdb/collected",
		"profile/lines",
		"internal/parallel", "internal/recovery",
		"analyze/sources", "decode/format", "decode/model", "decode/instrprof", "names", "migrations", "analyze",
		"profile/btree",
		"profile/stored", "profile/query",
	},
	"profile/memprofdb": {
		"profile/figure", "profile/table", "profile/budget", "analyze/sources", "profile/lines", "profile/calltree",
		"decode/model",
		"decode/memprof", "names", "analyze", "profile/btree", "profile/stored", "profile/query",
	},
	"profile/sampledb": {
		"profile/figure", "profile/table", "profile/budget", "profile/calltree", "internal/recovery", "decode/model",
		"decode/sampleprof", "names",
		"analyze/sources", "analyze", "analyze/sample", "profile/btree", "profile/stored", "profile/query", "profile/ranks",
		"profile/lines",
	},
	"profile/mipdb": {
		"profile/figure", "profile/table", "internal/recovery", "decode/model", "decode/mip", "names", "analyze",
		"profile/btree",
		"profile/stored",
		"profile/query",
	},
	"profile/dcpidb": {
		"profile/figure", "profile/table", "internal/humanize", "analyze/sources", "profile/lines", "decode/model",
		"decode/dcpi", "names",
		"analyze",
		"profile/btree", "profile/stored", "profile/query",
	},
	"profile/covdb": {
		"internal/humanize", "profile/figure", "profile/table", "profile/budget", "analyze/sources", "internal/recovery",
		"decode/model",
		"decode/instrprof",
		"decode/covmap",
		"decode/unidiff", "names", "analyze/coverage", "profile/btree", "profile/stored", "profile/query",
	},
	"decode/instrprof/sums": {
		"internal/bytesort", "internal/recovery", "internal/mt19937", "decode/model", "decode/wire", "decode/instrprof",
	},
	"profile": {
		"decode/model", "decode/format", "decode/symbol", "migrations", "profile/btree", "profile/stored",
		"analyze/sources", "profile/*db",
	},
	"profile/profiletest": {
		"decode/model", "decode/format", "decode", "names", "profile/stored", "profile/query", "profile/table", "profile",
	},
	"internal/fsync":   nil,
	"catalog/objects":  {"internal/recovery", "internal/fsync"},
	"catalog/projects": {"decode/model", "catalog/engine"},
	"builds/measures": {
		"profile/figure", "decode/model", "profile/stored", "analyze", "decode/instrprof", "decode/instrprof/sums",
		"decode/covmap", "decode/sampleprof", "decode/memprof", "decode/mip", "decode/dcpi", "decode/unidiff",
		"profile/table", "profile/query", "profile/*db",
	},
	"builds/gate": {
		"profile/covdb", "analyze/coverage", "analyze/sources", "builds/measures", "decode/model", "profile/stored",
		"internal/humanize",
	},
	"builds": {
		"profile/budget", "catalog", "catalog/projects", "decode/model", "builds/measures", "profile/stored",
	},
	"catalog": {
		"decode/model", "catalog/engine", "catalog/projects", "internal/fsync", "catalog/objects", "internal/recovery",
		"profile/stored", "analyze/sources",
	},
	"catalog/engine":        {"migrations"},
	"catalog/engine/pgtest": nil,
	"profile/instrdb/collected": {
		"internal/bytesort", "internal/recovery", "decode/model", "decode/instrprof", "analyze", "profile/stored",
	},
	"ingest/tasks": {
		"internal/recovery", "analyze", "decode/model", "decode/format", "decode/instrprof", "decode/llvm", "decode",
		"encode",
		"internal/mmap", "profile/stored", "profile", "profile/exports", "ingest/unpack",
	},
	"ingest/confine": {"internal/recovery", "ingest/tasks"},
	"profile/tables": {
		"profile/table", "profile/lines", "decode/model", "decode/format", "decode/instrprof", "decode/covmap",
		"decode/memprof", "decode/mip", "decode/dcpi", "decode/sampleprof", "analyze",
		"profile/stored", "profile/query", "profile/*db",
	},
	"analyze/coverage/coveragetest": {"decode/instrprof", "decode/covmap", "analyze/coverage"},
	"profile/exports": {
		"decode/covmap", "analyze/coverage", "encode/llvmcov", "analyze", "decode/model", "decode/format",
		"decode/instrprof", "decode/memprof", "decode/llvm", "decode/mip", "decode/dcpi", "decode/sampleprof", "names",
		"encode", "encode/sampleprof",
		"encode/stacks", "profile/stored", "profile/instrdb", "profile/memprofdb", "profile/mipdb",
		"profile/dcpidb", "profile", "profile/table", "profile/tables",
	},
	"ingest": {
		"internal/recovery", "decode/model", "decode", "ingest/unpack", "profile/stored", "catalog", "catalog/objects",
		"encode", "profile/exports", "ingest/tasks",
		"analyze/sources",
	},
	"profile/figure": {"analyze", "profile/stored", "internal/humanize"},
	"views/chart":    {"internal/humanize"},
	"views/page":     {"profile/query", "internal/humanize", "views/chart"},
	"views":          {"internal/humanize", "views/chart", "views/page"},
	"views/picture":  {"internal/humanize", "views/page"},
	"views/instrview": {
		"names", "profile/instrdb", "internal/humanize", "views/chart", "views/page", "views",
	},
	"views/memprofview": {
		"analyze", "profile/memprofdb", "profile/query", "profile/table", "internal/humanize", "views/chart", "views/page",
		"views", "views/flameview",
	},
	"views/sampleview": {
		"profile/sampledb", "profile/table", "internal/humanize", "views/chart", "views/page", "views",
	},
	"views/flameview": {"internal/humanize", "views/chart", "views/page", "views"},
	"views/mipview": {
		"analyze", "profile/mipdb", "internal/humanize", "views/chart", "views/page", "views",
	},
	"views/covview": {
		"analyze/coverage", "profile/covdb", "views/sourceview", "internal/humanize", "views", "views/chart", "views/page",
	},
	"views/sourceview":  {"internal/humanize", "views/chart", "views/page", "views"},
	"views/projectview": {"internal/humanize", "views/chart", "views/page", "views"},
	"views/dcpiview":    {"views/chart", "views/page", "views"},
	"handlers/site": {
		"profile/budget", "handlers/metrics", "handlers/projectpath", "builds", "decode/model", "names", "static",
		"internal/humanize", "analyze", "encode",
		"profile/lines", "profile/stored", "profile/query", "profile/ranks", "catalog", "catalog/projects",
		"profile/figure", "profile/table", "ingest", "views/chart", "views/page", "views/picture", "views",
		"profile/exports", "ingest/tasks",
		"analyze/sources", "catalog/objects",
	},
	"handlers/lists": {
		"profile/table", "analyze/sources", "views", "views/chart", "analyze", "names", "profile/stored", "profile/query",
		"internal/humanize",
		"views/page", "handlers/site",
	},
	"handlers/openapi":    {"analyze", "profile/figure", "profile/table", "handlers/site"},
	"handlers/middleware": {"profile/budget", "handlers/site"},
	"handlers/metrics":    {},
	"handlers/buffer":     {"catalog"},
	"handlers/anatomyweb": {
		"catalog", "decode/model", "handlers/site", "internal/humanize", "profile/table", "views", "views/chart",
		"views/page",
	},
	"handlers/nameweb": {
		"views/page", "catalog", "catalog/projects", "handlers/site", "ingest", "internal/humanize", "views",
		"views/nameview",
	},
	"views/nameview": {"views"},
	"handlers/gateweb": {
		"profile/budget", "catalog", "decode/unidiff", "builds/gate", "handlers/site", "builds/measures", "profile/stored",
		"internal/humanize",
		"analyze/sources",
	},
	"handlers/manual": {"docs/pages", "internal/humanize", "views", "views/page", "handlers/site"},
	"handlers/rankweb": {
		"profile/query", "profile/ranks", "profile/stored", "internal/humanize", "profile/table", "views/page",
		"handlers/site", "handlers/lists", "handlers/moves",
	},
	"handlers/projectpath": nil,
	"handlers/projectweb": {
		"handlers/projectpath", "builds", "catalog/projects", "decode/model", "builds/gate", "builds/measures", "names",
		"profile/ranks", "profile/stored",
		"internal/humanize", "profile/table", "views/chart", "views/page", "views", "views/projectview", "handlers/site",
	},
	"handlers/moves": {
		"profile/query", "catalog", "internal/humanize", "profile/table", "views", "views/chart", "views/page",
		"handlers/site",
		"handlers/lists",
	},
	"handlers/flameweb": {
		"analyze", "encode/stacks", "names", "internal/humanize", "profile/calltree", "profile/table", "views/chart",
		"views/flameview",
		"views/page", "handlers/site",
	},
	"handlers/instrweb": {"profile/figure", "profile/table", "profile/budget", "internal/recovery",
		"decode/model", "decode/instrprof/sums", "decode/instrprof", "names", "internal/humanize", "analyze",
		"profile/stored",
		"profile/query", "profile/ranks", "profile/instrdb", "catalog",
		"views/chart", "views/page", "views/picture", "views", "views/instrview", "handlers/site", "handlers/lists",
		"handlers/moves",
	},
	"handlers/memprofweb": {
		"profile/figure", "profile/table",
		"profile/calltree", "analyze/sources", "views/flameview", "handlers/flameweb",
		"decode/memprof", "names", "internal/humanize", "analyze", "encode/stacks", "profile/exports", "profile/stored",
		"profile/query", "profile/memprofdb",
		"catalog", "views/chart", "views/page", "views/picture", "views/memprofview", "handlers/site",
		"handlers/lists", "handlers/moves",
	},
	"handlers/sampleweb": {
		"profile/figure", "profile/table", "analyze", "encode/stacks", "handlers/flameweb", "views/flameview",
		"decode/model", "decode/sampleprof", "names", "internal/humanize", "analyze/sources", "analyze/sample",
		"profile/stored",
		"profile/query", "profile/sampledb", "catalog",
		"views/chart", "views/page", "views/picture", "views/sampleview", "handlers/site", "handlers/lists", "handlers/moves",
	},
	"handlers/mipweb": {
		"profile/table", "decode/model", "decode/mip", "names", "internal/humanize", "analyze", "profile/stored",
		"profile/query",
		"profile/mipdb", "catalog",
		"views/chart", "views/page", "views/picture", "views/mipview", "handlers/site", "handlers/lists", "handlers/moves",
	},
	"handlers/sourceweb": {
		"catalog", "analyze/sources", "internal/recovery", "internal/humanize", "profile/lines", "profile/query",
		"profile/table",
		"handlers/site", "handlers/lists", "views/chart", "views/page", "views/sourceview",
	},
	"handlers/covweb": {
		"builds/gate", "profile/figure", "profile/table", "handlers/lists",
		"profile/budget",
		"handlers/sourceweb", "profile/lines", "views/sourceview", "analyze", "analyze/coverage", "catalog",
		"decode/covmap",
		"decode/instrprof", "handlers/site", "names", "profile/covdb", "profile/query", "profile/stored", "internal/humanize",
		"views/chart", "views/covview", "views/page", "views/picture", "decode/unidiff", "encode/llvmcov",
		"analyze/sources", "handlers/moves",
	},
	"handlers/dcpiweb": {
		"profile/figure", "profile/table", "decode/model", "decode/dcpi", "names", "internal/humanize", "profile/stored",
		"profile/query", "analyze",
		"profile/dcpidb", "catalog", "views/chart",
		"views/page", "views/picture", "views/dcpiview", "handlers/site", "handlers/lists", "handlers/moves",
	},
	"handlers": {
		"internal/recovery", "analyze/sources", "decode/model", "ingest/unpack",
		"static", "internal/humanize", "handlers/examples",
		"encode", "profile/stored", "profile", "catalog", "profile/table", "profile/tables", "profile/exports", "ingest",
		"views/page", "views/picture", "views", "handlers/site", "handlers/lists", "handlers/metrics",
		"handlers/middleware", "handlers/buffer", "ingest/tasks", "handlers/manual", "handlers/openapi",
		"handlers/moves", "handlers/*web",
	},
	"handlers/webtest": {
		"decode/model", "decode/format", "decode/instrprof", "profile/stored", "profile", "catalog", "ingest",
		"handlers/site", "handlers", "ingest/tasks", "builds", "internal/humanize",
	},
	"command/cov": {
		"decode/model", "decode/format", "decode/instrprof", "decode/llvm", "decode/covmap", "decode/unidiff", "decode",
		"internal/mmap", "names", "analyze/coverage", "encode/llvmcov", "command/covsite", "analyze/sources",
		"profile/stored", "command/llvmargs", "command/llvmerr", "handlers/covweb", "internal/humanize", "static", "views",
		"views/covview", "views/page",
	},
	"command/llvmargs":              {},
	"command/llvmargs/llvmargstest": {"command/llvmargs"},
	"command/profdata": {
		"decode/model", "decode/format", "decode/symbol", "decode/instrprof", "decode/instrprof/sums", "decode/llvm",
		"decode/memprof", "decode/sampleprof", "decode", "analyze", "analyze/sample", "encode", "encode/sampleprof",
		"encode/llvmprofdata",
		"names", "profile/exports", "internal/mmap", "command/llvmargs", "command/llvmerr",
	},
	"command/llvmerr": {"decode/model", "decode/sampleprof"},
	"command/covsite": {"static"},
	"command": {
		"profile/budget", "command/cov", "command/profdata", "internal/recovery", "analyze", "decode/model",
		"decode/format", "decode",
		"decode/sampleprof", "ingest/unpack", "internal/mmap", "internal/humanize", "profile/stored", "profile", "catalog",
		"catalog/projects",
		"catalog/objects", "profile/tables", "profile/exports", "ingest", "handlers/metrics",
		"handlers/site", "handlers", "ingest/confine",
		"ingest/tasks", "analyze/sources",
		"decode/unidiff", "builds/gate", "builds/measures", "builds", "decode/instrprof", "decode/llvm",
	},
}

// ofFamily is what packages of a family may import that have no line in mayImport; $1 is its
// name.
var ofFamily = []struct{ path, imports string }{
	{`^decode/(\w+)$`, "decode/model decode/wire decode/format"},
	{
		`^profile/(\w+)db$`, "decode/$1 decode/model names analyze profile/btree profile/figure profile/query " +
			"profile/stored profile/table",
	},
	{
		`^handlers/(\w+)web$`, "decode/$1 profile/${1}db profile/stored profile/table catalog internal/humanize " +
			"views/${1}view views views/page handlers/site handlers/lists handlers/moves",
	},
	{
		`^views/(\w+)view$`, "internal/humanize analyze profile/${1}db profile/query profile/table views/chart " +
			"views/page views",
	},
}

// plan is what a package may import, and whether it has a line of its own.
func plan(pkg string) (imports []string, own bool) {
	if imports, own = mayImport[pkg]; own {
		return imports, own
	}
	for _, f := range ofFamily {
		re := regexp.MustCompile(f.path)
		if m := re.FindStringSubmatchIndex(pkg); m != nil {
			imports = strings.Fields(string(re.ExpandString(nil, f.imports, pkg, m)))
		}
	}
	return imports, false
}

// tools are programs of their own beside the product; they may import anything.
var tools = []string{"test", "web"}

// TestImportsFollowThePlan holds the arrows of the architecture: decoding knows
// nothing of SQL and HTTP, pages nothing of file formats, a family nothing of
// another.
func TestImportsFollowThePlan(t *testing.T) {
	for _, pkg := range packages(t) {
		allowed, own := plan(pkg.path)
		if allowed == nil && !own {
			t.Errorf("package %s is not in the plan", pkg.path)
			continue
		}
		for _, imported := range pkg.imports {
			ours, isOurs := strings.CutPrefix(imported, module+"/")
			if isOurs && !slices.ContainsFunc(allowed, func(one string) bool { return matches(one, ours) }) {
				t.Errorf("%s imports %s; it may import %v", pkg.path, ours, allowed)
			}
			if strings.HasPrefix(pkg.path, "decode") && (imported == "net/http" || imported == "database/sql") {
				t.Errorf("%s imports %s: decoding knows nothing of it", pkg.path, imported)
			}
			if strings.HasPrefix(pkg.path, "views") && (imported == "net/http" || imported == "database/sql") {
				t.Errorf("%s imports %s: pages know nothing of it", pkg.path, imported)
			}
		}
		for _, one := range allowed {
			if own && !slices.ContainsFunc(pkg.imports, func(ours string) bool { return matches(module+"/"+one, ours) }) {
				t.Errorf("%s may import %s, and does not", pkg.path, one)
			}
		}
	}
}

// matches reports whether a path is one that the plan names, in which * is any name.
func matches(planned, imported string) bool {
	ok, err := path.Match(planned, imported)
	return ok && err == nil
}

// mayStart are the functions that start goroutines without package recovery, each with
// why its panic would end no server.
var mayStart = map[string]string{
	"confine.warmSoon":         "calls recovery.Do",
	"confine.Child":            "is another process",
	"handlers.exportOriginals": "calls recovery.Do",
	"command.untilSignal":      "waits for signals",
	"handlers.putSum":          "calls recovery.Do",
	"btree.Append":             "what it calls calls recovery.Do",
	"command.sendFiles":        "is the client",
	"webtest.run":              "is a test's", "webtest.Shared": "is a test's", "webtest.Measuring": "is a test's",
	"memtest.Of":  "is a test's",
	"pgtest.Both": "is a test's",
}

// TestGoroutinesCannotEndTheServer has goroutines started through package recovery,
// which makes errors of their panics.
func TestGoroutinesCannotEndTheServer(t *testing.T) {
	seen := map[string]bool{}
	for _, pkg := range packages(t) {
		if pkg.path == "internal/recovery" {
			continue
		}
		if slices.Contains(pkg.imports, "golang.org/x/sync/errgroup") {
			t.Errorf("%s imports errgroup; use recovery.Group", pkg.path)
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
						t.Errorf("%s starts a goroutine whose panic ends the process; use recovery.Group, or say in mayStart why not",
							name)
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

// TestGoroutinesAreWatched has a line of test/tools/raced for every package in which
// goroutines meet, and tests for every line.
func TestGoroutinesAreWatched(t *testing.T) {
	data, err := os.ReadFile("test/tools/raced")
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
			t.Errorf("goroutines meet in %s: %v; its line in test/tools/raced: %v", pkg.path, meets, f)
		}
		if f == nil {
			continue
		}
		kinds := map[string]int{"all": 2, "some": 3, "in": 4, "long": 3, "none": 4}
		if words := kinds[f[0]]; words == 0 || len(f) < words {
			t.Errorf("test/tools/raced: %v", f)
		} else if f[0] == "in" && !strings.Contains(string(data), " ./"+f[2]+"\n") &&
			!strings.Contains(string(data), " ./"+f[2]+" ") {
			t.Errorf("test/tools/raced: %s is watched in the tests of %s, which has no line", pkg.path, f[2])
		} else if f[0] == "some" {
			tests := testsOf(t, pkg)
			for one := range strings.SplitSeq(f[2], "|") {
				if !slices.ContainsFunc(tests, regexp.MustCompile(one).MatchString) {
					t.Errorf("test/tools/raced: %s has no test %s", pkg.path, one)
				}
			}
		}
	}
	for path := range lines {
		t.Errorf("test/tools/raced: there is no package %s", path)
	}
}

// meet reports whether a package starts goroutines, holds locks, or is called back by
// package parallel.
func meet(t *testing.T, pkg goPackage) (meets bool) {
	t.Helper()
	for _, imported := range []string{"sync", "sync/atomic", module + "/internal/parallel"} {
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
	// What tests said is kept while the folders that they have read are unchanged, and those
	// that go list reads are not seen.
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && slices.Contains([]string{".git", "build", "node_modules"}, path) {
			return fs.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
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
