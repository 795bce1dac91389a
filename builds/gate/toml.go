package gate

import (
	"cmp"
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"proflens/analyze/coverage"
	"proflens/analyze/sources"
	"proflens/builds/measures"
	"proflens/profile/covdb"
	"proflens/profile/stored"
)

// FileName is what the file is called that keeps the rules of a project.
const FileName = "proflens.toml"

// MaxFile is how many bytes such a file has at most.
const MaxFile = 64 << 10

// maxRules is how many rules a table of it has at most.
const maxRules = 200

// Config is what proflens.toml says.
type Config struct {
	Project  string // empty where it does not say
	Rules    []Rule // of all branches
	Branches []Branch
	// Exclude is what totals of coverage leave out, Without the kinds of files: words of
	// [coverage.Excludable] and [sources.Others], by commas.
	Exclude, Without string
}

// Count has the totals of a profile leave out what the file says; text is that of a source file, as
// [covdb.Exclusion] has it.
func (c *Config) Count(p *stored.Profile, text func(ctx context.Context, name string) ([]byte, bool, error)) {
	list := func(words string) []string { return strings.FieldsFunc(words, func(c rune) bool { return c == ',' }) }
	x := &covdb.Exclusion{What: list(c.Exclude), Text: text}
	for _, kind := range list(c.Without) {
		x.Kinds = append(x.Kinds, sources.Kind(kind))
	}
	covdb.Count(p, func(context.Context) (*covdb.Exclusion, error) { return x, nil })
}

// Branch is what holds for the branches of a pattern, besides the rules of all or in their
// place.
type Branch struct {
	Pattern string // as path.Match has it: "release/*"
	Rules   []Rule
}

// For are the rules of a branch.
func (c *Config) For(branch string) []Rule {
	rules := c.Rules
	for _, b := range c.Branches {
		if ok, _ := path.Match(b.Pattern, branch); ok { // Parse has looked at the pattern
			rules = Replace(rules, b.Rules)
		}
	}
	return rules
}

// ConfigError is a fault in proflens.toml.
type ConfigError struct {
	File string // path; empty for that of a project on a server
	Line int    // from 1; 0 where it is not known
	Msg  string
}

// Error is the sentence for a person.
func (e *ConfigError) Error() string {
	file := cmp.Or(e.File, FileName)
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", file, e.Line, e.Msg)
	}
	return file + ": " + e.Msg
}

// Parse reads proflens.toml: the table gate has rules of any family; a table in it that is
// called as a family has rules of that one, and those in gate.branch, by patterns, have
// what branches have instead. Errors are *ConfigError.
func Parse(text []byte) (*Config, error) {
	if len(text) > MaxFile {
		return nil, &ConfigError{Msg: fmt.Sprintf("it has %d bytes; it may have %d", len(text), MaxFile)}
	}
	var all map[string]any
	meta, err := toml.Decode(string(text), &all)
	if err != nil {
		if fault, ok := err.(toml.ParseError); ok {
			return nil, &ConfigError{Line: fault.Position.Line, Msg: fault.Message}
		}
		return nil, &ConfigError{Msg: err.Error()}
	}
	c := &Config{}
	for _, key := range meta.Keys() {
		if err := c.read(key, valueAt(all, key)); err != nil {
			return nil, &ConfigError{Msg: err.Error()}
		}
	}
	return c, nil
}

// valueAt is what stands at a key, which exists; nil where a list of tables is on the way.
func valueAt(in any, key toml.Key) any {
	for _, word := range key {
		table, _ := in.(map[string]any)
		in = table[word]
	}
	return in
}

// read takes one key, in the order of the file.
func (c *Config) read(key toml.Key, value any) error {
	_, isTable := value.(map[string]any)
	if len(key) == 1 && key[0] == "project" {
		var ok bool
		if c.Project, ok = value.(string); !ok {
			return fmt.Errorf("project is not a text")
		}
		return nil
	}
	if key[0] == "coverage" {
		return c.readCoverage(key, value, isTable)
	}
	if key[0] != "gate" {
		return fmt.Errorf("unknown key %s; use project, coverage and gate", key)
	}
	rules, place := &c.Rules, key[1:]
	if len(place) > 0 && place[0] == "branch" {
		switch {
		case len(place) == 1 && isTable:
			return nil
		case len(place) == 1:
			return fmt.Errorf("%s is not a table", key)
		}
		b, err := c.branch(place[1])
		if err != nil {
			return err
		}
		rules, place = &b.Rules, place[2:]
	}
	family := ""
	if len(place) > 0 && slices.ContainsFunc(measures.Families, func(f measures.Family) bool {
		return string(f.Name) == place[0]
	}) {
		family, place = place[0]+".", place[1:]
	}
	if len(place) == 0 && isTable {
		return nil
	}
	if len(place) != 1 || isTable {
		return fmt.Errorf("%s is neither a rule nor a family", key)
	}
	rule, err := ParseRule(family+place[0], limitText(value))
	if err != nil {
		return fmt.Errorf("%s: %w", key, err)
	}
	if len(*rules) == maxRules {
		return fmt.Errorf("%s: there are more than %d rules", key, maxRules)
	}
	*rules = Replace(*rules, []Rule{rule})
	return nil
}

// readCoverage takes a key of the table with what totals of coverage leave out.
func (c *Config) readCoverage(key toml.Key, value any, isTable bool) error {
	if len(key) == 1 && isTable {
		return nil
	}
	list, ok := value.([]any)
	var to *string
	var known []string
	switch key.String() {
	case "coverage.exclude":
		to, known = &c.Exclude, coverage.Excludable
	case "coverage.without":
		for _, kind := range sources.Others {
			known = append(known, string(kind))
		}
		to = &c.Without
	default:
		return fmt.Errorf("unknown key %s; use coverage.exclude and coverage.without", key)
	}
	for _, word := range list {
		text, _ := word.(string)
		if ok = ok && slices.Contains(known, text); ok && *to != "" {
			*to += ","
		}
		*to += text
	}
	if !ok {
		return fmt.Errorf("%s: use a list of %s", key, strings.Join(known, ", "))
	}
	return nil
}

// branch is what a pattern has, which may be new.
func (c *Config) branch(pattern string) (*Branch, error) {
	at := slices.IndexFunc(c.Branches, func(b Branch) bool { return b.Pattern == pattern })
	if at >= 0 {
		return &c.Branches[at], nil
	}
	if _, err := path.Match(pattern, ""); err != nil {
		return nil, fmt.Errorf("gate.branch.%q: %q is not a pattern; use *, ? and [a-z]", pattern, pattern)
	}
	c.Branches = append(c.Branches, Branch{Pattern: pattern})
	return &c.Branches[len(c.Branches)-1], nil
}

// limitText is a limit as ParseRule reads it.
func limitText(value any) string {
	switch v := value.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case string:
		return v
	}
	return fmt.Sprint(value)
}
