package cov

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"strings"

	"proflens/analyze/coverage"
)

// matchAny reports whether one of some regular expressions is in a text.
func matchAny(expressions []string) (func(string) bool, error) {
	var list []*regexp.Regexp
	for _, e := range expressions {
		re, err := regexp.Compile(e)
		if err != nil {
			return nil, err
		}
		list = append(list, re)
	}
	return func(text string) bool {
		for _, re := range list {
			if re.MatchString(text) {
				return true
			}
		}
		return false
	}, nil
}

// filter reports which functions are asked for; nil: all. Names are of one kind,
// percentages of another: one of each kind that is given has to fit.
func (o *options) filter(c *coverage.Coverage) (func(*coverage.Function) bool, error) {
	var kinds []func(*coverage.Function) bool
	if len(o.name)+len(o.nameRegex)+len(o.nameAllowlist) > 0 {
		matches, err := matchAny(o.nameRegex)
		if err != nil {
			return nil, fmt.Errorf("-name-regex: %w", err)
		}
		allowed, err := allowlist(o.nameAllowlist)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, func(f *coverage.Function) bool {
			for _, name := range o.name {
				if strings.Contains(f.Name, name) {
					return true
				}
			}
			return allowed(f.Name) || matches(f.Name)
		})
	}
	if o.regionLt.set || o.regionGt.set || o.lineLt.set || o.lineGt.set {
		kinds = append(kinds, func(f *coverage.Function) bool {
			s := c.Summary(f)
			regions, lines := s.Regions.Percent(), s.Lines.Percent()
			return o.regionLt.set && regions < o.regionLt.at || o.regionGt.set && regions > o.regionGt.at ||
				o.lineLt.set && lines < o.lineLt.at || o.lineGt.set && lines > o.lineGt.at
		})
	}
	if len(kinds) == 0 {
		return nil, nil
	}
	return func(f *coverage.Function) bool {
		for _, fits := range kinds {
			if !fits(f) {
				return false
			}
		}
		return true
	}, nil
}

// allowlist reports which names stand in files of LLVM's special case lists: as
// "allowlist_fun:PATTERN" in the section [llvmcov] or before any.
func allowlist(files []string) (func(string) bool, error) {
	var patterns []string
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		ours, expressions := true, false
		lines := bufio.NewScanner(f)
		for n := 1; lines.Scan(); n++ {
			line := strings.TrimSpace(lines.Text())
			switch {
			case n == 1 && line == "#!special-case-list-v1":
				expressions = true
			case line == "" || line[0] == '#':
			case line[0] == '[':
				section, err := regexp.Compile(pattern(strings.Trim(line, "[]"), expressions))
				if err != nil {
					return nil, fmt.Errorf("%s: line %d: %w", name, n, err)
				}
				ours = section.MatchString("llvmcov")
			case ours:
				if p, ok := strings.CutPrefix(line, "allowlist_fun:"); ok {
					patterns = append(patterns, pattern(p, expressions))
				}
			}
		}
		if err := lines.Err(); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return matchAny(patterns)
}

// pattern is the regular expression of a whole name: of a glob, or of an expression
// in which a star is any text.
func pattern(p string, expression bool) string {
	if expression {
		return "^(" + strings.ReplaceAll(p, "*", ".*") + ")$"
	}
	var b strings.Builder
	braces := 0
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '*':
			b.WriteString(".*")
		case c == '?':
			b.WriteByte('.')
		case c == '{':
			braces++
			b.WriteString("(?:")
		case c == '}' && braces > 0:
			braces--
			b.WriteByte(')')
		case c == ',' && braces > 0:
			b.WriteByte('|')
		case c == '\\' && i+1 < len(p):
			i++
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		case c == '[' && strings.IndexByte(p[i+1:], ']') > 0:
			end := i + 1 + strings.IndexByte(p[i+1:], ']')
			set := p[i+1 : end]
			if set[0] == '!' {
				set = "^" + set[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(set, `\`, `\\`) + "]")
			i = end
		default:
			b.WriteString(regexp.QuoteMeta(p[i : i+1]))
		}
	}
	return "^(?:" + b.String() + ")$"
}
