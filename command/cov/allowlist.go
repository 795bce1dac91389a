package cov

import (
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"proflens/command/llvmerr"
)

// allowlist reports which names stand in files of LLVM's special case lists: as
// "allowlist_fun:PATTERN" in a section that fits "llvmcov", or before any section.
func allowlist(files []string) (func(string) bool, error) {
	var all []*regexp.Regexp
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("can't open file '%s': %s", name, llvmerr.System(err))
		}
		list, err := readAllowlist(string(data))
		if err != nil {
			return nil, fmt.Errorf("error parsing file '%s': %w", name, err)
		}
		all = append(all, list...)
	}
	return func(name string) bool { return matches(all, name) }, nil
}

// readAllowlist reads one file. All that is in it has to be right, also what is for
// others.
func readAllowlist(text string) (list []*regexp.Regexp, err error) {
	compile, kind, ours := compileGlob, "glob", true
	if version, ok := strings.CutPrefix(text, "#!special-case-list-v"); ok {
		digits := version[:len(version)-len(strings.TrimLeft(version, "0123456789"))]
		if n, err := strconv.Atoi(digits); err == nil && n <= 1 {
			compile, kind = compileStarred, "regex"
		}
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		content := strings.TrimSpace(line)
		if content == "" || line[0] == '#' {
			continue
		}
		if section, ok := strings.CutPrefix(content, "["); ok {
			section, closed := strings.CutSuffix(section, "]")
			if !closed {
				return nil, fmt.Errorf("malformed section header on line %d: %s", number, content)
			}
			re, err := compile(section)
			if err != nil {
				return nil, fmt.Errorf("malformed section at line %d: '%s': %w", number, section, err)
			}
			ours = re.MatchString("llvmcov")
			continue
		}
		field, rest, _ := strings.Cut(content, ":")
		if rest == "" {
			return nil, fmt.Errorf("malformed line %d: '%s'", number, content)
		}
		pattern, _, hasCategory := strings.Cut(rest, "=")
		re, err := compile(pattern)
		if err != nil {
			return nil, fmt.Errorf("malformed %s in line %d: '%s': %w", kind, number, pattern, err)
		}
		if ours && !hasCategory && field == "allowlist_fun" {
			list = append(list, re)
		}
	}
	return list, nil
}

// compileStarred compiles a pattern of version 1: an expression for a whole name, in
// which a star is any text.
func compileStarred(pattern string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, errEmpty
	}
	return compilePosix("^(" + strings.ReplaceAll(pattern, "*", ".*") + ")$")
}
