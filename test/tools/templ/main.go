// Command templ makes the *_templ.go of the folders that are named, as `templ generate` does.
// That command brings a language server and a proxy along, which take a minute to compile.
//
// It keeps components from being inlined: the compiler would make a copy of all that a component
// draws wherever another one uses it, which took two thirds of the time that views take to compile.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/a-h/templ"
	"github.com/a-h/templ/generator"
	"github.com/a-h/templ/parser/v2"
)

// component is the line that begins the function of one.
var component = regexp.MustCompile(`(?m)^func .* templ\.Component \{$`)

func main() {
	for _, dir := range os.Args[1:] {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".templ" {
				return err
			}
			return generate(dir, path)
		})
		if err != nil {
			fmt.Fprintln(os.Stderr, "templ:", err)
			os.Exit(1)
		}
	}
}

// generate writes the Go code of one template below dir; errors of the page name it from there.
func generate(dir, path string) error {
	parsed, err := parser.Parse(path)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	name, err := filepath.Rel(dir, path)
	if err != nil {
		return err
	}
	var code bytes.Buffer
	_, err = generator.Generate(parsed, &code, generator.WithVersion(templ.Version()),
		generator.WithFileName(filepath.ToSlash(name)))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	formatted, err := format.Source(component.ReplaceAll(code.Bytes(), []byte("//go:noinline\n$0")))
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if faults, err := parser.Diagnose(parsed); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	} else if len(faults) > 0 {
		return fmt.Errorf("%s:%d: %s", path, faults[0].Range.From.Line+1, faults[0].Message)
	}
	target := strings.TrimSuffix(path, ".templ") + "_templ.go"
	if before, err := os.ReadFile(target); err == nil && bytes.Equal(before, formatted) {
		return nil
	}
	return os.WriteFile(target, formatted, 0o644)
}
