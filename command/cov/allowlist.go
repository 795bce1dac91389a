package cov

import (
	"errors"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
)

// allowlist reports which names stand in files of LLVM's special case lists: as
// "allowlist_fun:PATTERN" in a section that fits "llvmcov", or before any section.
func allowlist(files []string) (func(string) bool, error) {
	var all []*regexp.Regexp
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		list, err := readAllowlist(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, list...)
	}
	return func(name string) bool { return matches(all, name) }, nil
}

// readAllowlist reads one file. All that is in it has to be right, also what is for
// others.
func readAllowlist(text string) (list []*regexp.Regexp, err error) {
	compile, ours := compileGlob, true
	if version, ok := strings.CutPrefix(text, "#!special-case-list-v"); ok {
		digits := version[:len(version)-len(strings.TrimLeft(version, "0123456789"))]
		if n, err := strconv.Atoi(digits); err == nil && n <= 1 {
			compile = compileStarred
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
			ours, err = sectionIsOurs(section, compile)
		} else {
			list, err = entry(content, ours, compile, list)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %q: %w", number, content, err)
		}
	}
	return list, nil
}

func sectionIsOurs(section string, compile func(string) (*regexp.Regexp, error)) (bool, error) {
	section, ok := strings.CutSuffix(section, "]")
	if !ok {
		return false, errBracket
	}
	re, err := compile(section)
	return err == nil && re.MatchString("llvmcov"), err
}

// entry adds the pattern of a line if it is one for functions.
func entry(line string, ours bool, compile func(string) (*regexp.Regexp, error),
	list []*regexp.Regexp) ([]*regexp.Regexp, error) {
	kind, rest, _ := strings.Cut(line, ":")
	if rest == "" {
		return nil, errors.New("use allowlist_fun:PATTERN")
	}
	pattern, _, hasCategory := strings.Cut(rest, "=")
	re, err := compile(pattern)
	if err != nil || !ours || hasCategory || kind != "allowlist_fun" {
		return list, err
	}
	return append(list, re), nil
}

// compileStarred compiles a pattern of version 1: an expression for a whole name, in
// which a star is any text.
func compileStarred(pattern string) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, errEmpty
	}
	return compilePosix("^(" + strings.ReplaceAll(pattern, "*", ".*") + ")$")
}
