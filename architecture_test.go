package main

import (
	"bytes"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport is the plan of docs/architecture.md: for every package what it may
// import of this module; main may import everything. Packages below a listed
// one follow its rule, and may import each other.
var mayImport = map[string][]string{
	"decode/model":            nil,
	"decode/wire":             {"decode/model"},
	"decode/symbol":           {"decode/wire", "decode/model"},
	"decode/format":           {"decode/wire", "decode/model"},
	"decode/instrprof":        {"decode/wire", "decode/model", "decode/symbol"},
	"decode/memprof":          {"decode/wire", "decode/model", "decode/symbol"},
	"decode/llvm":             {"decode/wire", "decode/model", "decode/symbol", "decode/format", "decode/instrprof", "decode/memprof"},
	"decode/mip":              {"decode/wire", "decode/model", "decode/symbol", "decode/format"},
	"decode/dcpi":             {"decode/wire", "decode/model", "decode/symbol", "decode/format"},
	"decode":                  {"decode/dcpi", "decode/llvm", "decode/mip", "decode/format", "decode/wire", "decode/model"},
	"decode/decodetest":       {"decode", "decode/dcpi", "decode/llvm", "decode/mip", "decode/memprof", "decode/instrprof", "decode/format", "decode/model"},
	"names":                   nil,
	"unpack":                  nil,
	"mapped":                  nil,
	"migrations":              nil,
	"static":                  nil,
	"views/page":              nil,
	"fixtures/samples":        nil,
	"docs/pages":              nil,
	"analyze":                 {"decode/model", "decode/instrprof", "decode/memprof", "decode/mip", "decode/dcpi"},
	"encode":                  {"decode/model", "decode/wire", "decode/instrprof", "decode/memprof", "decode/mip", "decode/dcpi", "analyze", "names"},
	"profiledb/btree":         nil,
	"profiledb/stored":        {"profiledb/btree", "decode/model", "decode/format", "analyze"},
	"profiledb/query":         {"profiledb/stored", "profiledb/btree", "analyze", "names"},
	"profiledb/instrdb":       {"profiledb/stored", "profiledb/query", "profiledb/btree", "decode/model", "decode/instrprof", "analyze", "names", "migrations"},
	"profiledb/memprofdb":     {"profiledb/stored", "profiledb/query", "profiledb/btree", "decode/model", "decode/memprof", "analyze", "names"},
	"profiledb/mipdb":         {"profiledb/stored", "profiledb/query", "profiledb/btree", "decode/model", "decode/mip", "analyze", "names"},
	"profiledb/dcpidb":        {"profiledb/stored", "profiledb/query", "profiledb/btree", "decode/model", "decode/dcpi", "analyze", "names"},
	"profiledb":               {"profiledb/stored", "profiledb/instrdb", "profiledb/memprofdb", "profiledb/mipdb", "profiledb/dcpidb", "profiledb/btree", "decode/model", "decode/format", "migrations"},
	"profiledb/profiledbtest": {"profiledb", "profiledb/stored", "decode", "decode/model", "decode/format"},
	"catalog":                 {"profiledb/stored", "decode/model", "migrations"},
	"tables":                  {"profiledb/stored", "profiledb/query", "profiledb/instrdb", "profiledb/memprofdb", "profiledb/mipdb", "profiledb/dcpidb", "analyze", "names", "decode/model", "decode/instrprof", "decode/memprof", "decode/mip", "decode/dcpi", "views/page"},
	"exports": {
		"profiledb", "profiledb/stored", "profiledb/instrdb", "profiledb/memprofdb", "profiledb/mipdb", "profiledb/dcpidb", "tables", "encode", "encode/stacks", "names", "decode/model", "decode/format", "decode/llvm", "decode/instrprof", "decode/memprof", "decode/mip", "decode/dcpi",
	},
	"ingest": {
		"decode", "decode/model", "decode/format", "unpack", "mapped", "catalog", "profiledb", "profiledb/stored",
	},
	"views": {"views/page"},
	"handlers/site": {
		"catalog", "profiledb/stored", "profiledb/query", "tables", "ingest", "analyze", "names", "encode", "decode/format", "decode/model", "views", "views/page", "static",
	},
	"handlers/instrweb": {
		"handlers/site", "catalog", "profiledb/stored", "profiledb/query", "profiledb/instrdb", "tables", "analyze", "names", "decode/model", "decode/instrprof", "views", "views/page",
	},
	"handlers/memprofweb": {
		"handlers/site", "catalog", "profiledb/stored", "profiledb/query", "profiledb/memprofdb", "tables", "analyze", "names", "encode/stacks", "decode/model", "decode/memprof", "views", "views/page",
	},
	"handlers/mipweb": {
		"handlers/site", "catalog", "profiledb/stored", "profiledb/query", "profiledb/mipdb", "tables", "analyze", "names", "decode/model", "decode/mip", "views", "views/page",
	},
	"handlers/dcpiweb": {
		"handlers/site", "catalog", "profiledb/stored", "profiledb/query", "profiledb/dcpidb", "tables", "analyze", "names", "decode/dcpi", "views", "views/page",
	},
	"handlers/webtest": {
		"handlers", "handlers/site", "catalog", "ingest", "profiledb", "profiledb/stored", "decode/model", "decode/format", "decode/instrprof",
	},
	"handlers": {
		"handlers/site", "handlers/instrweb", "handlers/memprofweb", "handlers/mipweb", "handlers/dcpiweb",
		"catalog", "profiledb", "profiledb/stored", "tables", "ingest", "encode", "exports", "decode", "decode/model", "decode/format", "decode/llvm",
		"decode/instrprof", "views", "views/page", "static", "unpack", "fixtures/samples", "docs/pages",
	},
}

// tools are programs of their own beside the product; they may import anything.
var tools = []string{"bench", "tools", "web", "internal", "docs", "browsertest"}

// TestImportsFollowThePlan holds the arrows of the architecture: decoding knows
// nothing of SQL and HTTP, pages nothing of file formats.
func TestImportsFollowThePlan(t *testing.T) {
	const module = "proflens"
	var stderr bytes.Buffer
	cmd := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "./...")
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err, stderr.String())
	}
	used := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		pkg := strings.TrimPrefix(words[0], module+"/")
		if words[0] == module || slices.Contains(tools, strings.Split(pkg, "/")[0]) {
			continue
		}
		rule, ok := ruleFor(pkg)
		if !ok {
			t.Errorf("package %s is not in the plan", pkg)
			continue
		}
		for _, imported := range words[1:] {
			imported, ours := strings.CutPrefix(imported, module+"/")
			_, planned := mayImport[imported]
			own := strings.HasPrefix(imported, rule+"/") && !planned
			if !ours || own || slices.Contains(mayImport[rule], imported) {
				continue
			}
			t.Errorf("%s imports %s; it may import %v", pkg, imported, mayImport[rule])
		}
		if pkg == rule {
			used[pkg] = words[1:]
		}
		for _, imported := range words[1:] {
			if strings.HasPrefix(pkg, "decode") && (imported == "net/http" || imported == "database/sql") {
				t.Errorf("%s imports %s: decoding knows nothing of it", pkg, imported)
			}
			if rule == "views" && imported == "net/http" {
				t.Errorf("%s imports net/http: pages know nothing of it", pkg)
			}
		}
	}
	for pkg, allowed := range mayImport {
		for _, imported := range allowed {
			if !slices.Contains(used[pkg], module+"/"+imported) {
				t.Errorf("%s may import %s, and does not", pkg, imported)
			}
		}
	}
}

// ruleFor finds the package, or the nearest above it, in the plan.
func ruleFor(pkg string) (string, bool) {
	for {
		if _, ok := mayImport[pkg]; ok {
			return pkg, true
		}
		i := strings.LastIndexByte(pkg, '/')
		if i < 0 {
			return "", false
		}
		pkg = pkg[:i]
	}
}
