package command

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"proflens/builds/gate"
	"proflens/decode"
	"proflens/decode/format"
	"proflens/internal/humanize"
	"proflens/profile/stored"
)

// judge judges the test: on the server that has both, or else here.
func (c *gateConfig) judge(ctx context.Context, std stdio) (*gate.Report, error) {
	test, err := c.side("-test", c.test)
	if err != nil {
		return nil, err
	}
	base, err := c.side("-base", c.base)
	if err != nil {
		return nil, err
	}
	if base.empty() && c.needsBase() {
		if base, err = c.buildBefore(ctx); err != nil {
			return nil, err
		}
	}
	if base.empty() && c.allowNoBase && len(c.rules) > 0 {
		alone := withoutBase(c.rules)
		if n := len(c.rules) - len(alone); n > 0 {
			fmt.Fprintf(std.err, "proflens: gate: no base; %s left out\n", humanize.Plural(n, "rule is", "rules are"))
		}
		c.rules = alone
		if len(c.rules) == 0 {
			return &gate.Report{Test: test.name()}, nil
		}
	}
	if on := test.on(); on != "" && on == base.on() {
		return c.judgeThere(ctx, on, base, test)
	}
	if len(c.rules) == 0 {
		return nil, usageError{"gate: no rules; give some, such as -rule min_overlap=95, or keep them in " + gate.FileName}
	}
	report := &gate.Report{Base: base.name(), Test: test.name()}
	err = c.withSide(ctx, std, base, func(b []*stored.Profile) error {
		return c.withSide(ctx, std, test, func(t []*stored.Profile) error {
			for _, p := range slices.Concat(b, t) {
				c.config.Count(p, sourceText)
			}
			f, err := gate.Measure(ctx, c.rules, b, t)
			if twice, ok := errors.AsType[*gate.TwiceError](err); ok {
				return usageError{"gate: " + twice.Error()}
			}
			if err == nil && c.diff != "" {
				err = c.changed(ctx, t, f)
			}
			if err == nil {
				report.Results, report.Warning = gate.Judge(c.rules, f), f.Warning
			}
			return err
		})
	})
	return report, err
}

// needsBase reports whether a rule does; those that a server keeps may.
func (c *gateConfig) needsBase() bool { return len(withoutBase(c.rules)) < max(len(c.rules), 1) }

// withoutBase are the rules that need no base.
func withoutBase(rules []gate.Rule) (list []gate.Rule) {
	for _, r := range rules {
		if !r.NeedsBase() {
			list = append(list, r)
		}
	}
	return list
}

// withSide has the profiles of a side read, and closes them.
func (c *gateConfig) withSide(ctx context.Context, std stdio, s *gateSide, read func([]*stored.Profile) error) error {
	var groups [][]string
	for _, r := range s.remotes {
		name, remove, err := c.download(ctx, r)
		if err != nil {
			return err
		}
		defer remove()
		groups = append(groups, []string{name})
	}
	if len(s.files) > 0 {
		groups = append(groups, s.files)
	}
	return withEach(ctx, std, groups, nil, read)
}

// withEach opens a profile of each group of files after the other.
func withEach(ctx context.Context, std stdio, groups [][]string, open []*stored.Profile,
	read func([]*stored.Profile) error) error {
	if len(groups) == 0 {
		return read(open)
	}
	in, err := readInputs(ctx, groups[0], nil, std.in)
	if err != nil {
		return err
	}
	defer in.Close()
	p, err := decode.Open(ctx, in.together(), format.Options{})
	if err != nil {
		return err
	}
	return withTables(ctx, in.Files, p, func(ctx context.Context, _ string, profile *stored.Profile) error {
		warn(std.err, p.Findings())
		return withEach(ctx, std, groups[1:], append(open, profile), read)
	})
}
