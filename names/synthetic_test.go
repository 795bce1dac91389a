package names

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// notWritten are the words in string literals of the demangler that it does not
// write into a name: codes of the mangling, and the words of its diagnostics.
var notWritten = strings.Fields(`
	_block_invoke __alloc_token_ _GLOBAL_ ___Z _ZN _Z _R ABCDEF Ua enable_ifI st dis strings strconv unicode
	add ad aN aS aa alias an at aw az cc cl cm co cp cv da dc de di dl dn ds dt dV dX dv dx eO eo eq fL fR fl fr ge
	gs gt ii il ix lS le li ls lt mI mL mi ml mm na ne ng nt nw nx oR oo or pL pl pm pp ps pt qu rM rS rc rm rs sP sZ
	rQ rq DS DR Dx Dw mc pi fpT Dn rVK srN objc_object abcdef abcdefABCDEF abtnvfr _GLOBAL__N
	template_template BP RF GT LT SP LP RP
	sc sr ss st sz te ti tr tw hidden local errors math utf bits Val Name
`)

// TestSyntheticWords collects every word in the string literals of the
// demanglers, ours and the library: each is one that it may write, and then [syntheticWords] has to
// know it, or it is in the list above. An upgrade of the library with new words
// fails here, where otherwise a search would miss names.
func TestSyntheticWords(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}", "github.com/ianlancetaylor/demangle").Output()
	if err != nil {
		t.Fatalf("where is the demangler's source: %v", err)
	}
	known := make(map[string]bool)
	for _, word := range notWritten {
		known[word] = true
	}
	word := regexp.MustCompile(`[A-Za-z_]{2,}`) // single letters are never required
	library := strings.TrimSpace(string(out))
	files, err := filepath.Glob("itanium*.go")
	if err != nil || len(files) < 10 {
		t.Fatalf("our own: %q, %v", files, err)
	}
	files = append(files, "rust.go")
	for _, file := range []string{"ast.go", "demangle.go", "rust.go"} {
		files = append(files, filepath.Join(library, file))
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		for _, literal := range literals(t, file) {
			for _, w := range word.FindAllString(literal, -1) {
				if !known[w] && !synthetic(w) {
					t.Errorf("%s: %q is in no list, from %q", file, w, literal)
				}
				known[w] = true
			}
		}
	}
}

// literals are the strings in a source file that are not about errors or the
// debugging format.
func literals(t *testing.T, path string) (found []string) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			return !strings.Contains(strings.ToLower(n.Name.Name), "gostring")
		case *ast.CallExpr:
			switch f := n.Fun.(type) {
			case *ast.SelectorExpr:
				return f.Sel.Name != "fail" && f.Sel.Name != "failEarlier" && f.Sel.Name != "New" && f.Sel.Name != "Errorf"
			case *ast.Ident:
				return f.Name != "panic"
			}
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				s, err := strconv.Unquote(n.Value)
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, s)
			}
		}
		return true
	})
	return found
}
