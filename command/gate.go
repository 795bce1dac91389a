package command

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"proflens/builds/gate"
	"proflens/internal/humanize"
)

// gateConfig is what "proflens gate" was asked for.
type gateConfig struct {
	client
	project, branch, workload string
	commit                    string // of the test
	git, allowNoBase          bool
	base, test                []string // IDs, links, files
	ruleFile, diff            string
	rules                     []gate.Rule // of the command line
	config                    *gate.Config
	format, out               string
	outs                      []gateOutput // besides

	in io.Reader
}

// gateOutput is a report in a format and the file that it goes to.
type gateOutput struct{ format, file string }

// gateError is a gate that fails.
type gateError struct{ report *gate.Report }

func (e gateError) Error() string {
	var names []string
	for _, r := range e.report.Failed() {
		names = append(names, r.Name)
	}
	return "gate: " + e.report.Verdict() + ": " + strings.Join(names, ", ")
}

// gateCommand judges a profile by rules, alone and against another one.
func gateCommand(c *cobra.Command) runner {
	c.Use += " FILE…"
	c.Long = listMeasures()
	g := &gateConfig{}
	g.flags(c.Flags())
	return g.run
}

func (c *gateConfig) run(ctx context.Context, args []string, std stdio) error {
	if err := c.check(args); err != nil {
		return err
	}
	c.in = std.in
	if err := c.place(ctx); err != nil {
		return err
	}
	report, err := c.judge(ctx, std)
	if err != nil {
		return named(err)
	}
	if report.Warning != "" && (c.format != "text" || c.out != "" && c.out != "-") { // else the report says it
		fmt.Fprintf(std.err, "proflens: gate: warning: %s\n", humanize.Printable(report.Warning))
	}
	for _, o := range append([]gateOutput{{c.format, c.out}}, c.outs...) {
		f := gate.FormatOf(o.format)
		stdout := std.out
		if f.Name == "text" {
			stdout = onScreen(stdout)
		}
		if err := writeOutput(o.file, stdout, func(w io.Writer) error { return f.Write(w, report) }); err != nil {
			return err
		}
	}
	if !report.Passed() {
		return gateError{report}
	}
	return nil
}

// flags declares the flags.
func (c *gateConfig) flags(fs *pflag.FlagSet) {
	formats := make([]string, len(gate.Formats))
	for i := range gate.Formats {
		formats[i] = gate.Formats[i].Name
	}
	c.format = formats[0]
	fs.StringArrayVar(&c.base, "base", nil,
		"`profile` to judge against: an ID, a link or a file; may be repeated, and files together are one "+
			"profile; default: the newest build of the branch on the server, before the commit")
	fs.StringArrayVar(&c.test, "test", nil, "`profile` to judge, as for -base; files can also be given as arguments")
	fs.StringVar(&c.server, "server", "",
		"`URL` of the server, for IDs and builds; default: that of the first link, or http://localhost:8080")
	fs.StringVar(&c.token, "token", "", "`token`, if the server needs one; it is sent to no other")
	fs.StringVar(&c.project, "project", "",
		"`project` whose newest build is the base; default: as in proflens.toml, or what CI says")
	fs.StringVar(&c.branch, "branch", "",
		"`branch` of that build, and of the rules; default: what CI says that is built or merged into")
	fs.StringVar(&c.workload, "workload", "", "`workload` of that build; default: any")
	fs.StringVar(&c.commit, "commit", "", "`commit` of the test, which is not its own base; default: what CI says")
	fs.BoolVar(&c.git, "git", false, "take project, commit and branch from git in the working directory")
	fs.BoolVar(&c.allowNoBase, "allow-no-base", false, "leave out rules that need a base if the server has none yet")
	fs.StringVar(&c.ruleFile, "rules", "",
		"`file` with rules; default: proflens.toml of the working directory or above it, in the same repository")
	fs.Func("rule", "`name=limit`, such as min_overlap=95; may be repeated, and replaces that of the file",
		func(value string) error {
			name, limit, _ := strings.Cut(value, "=")
			r, err := gate.ParseRule(strings.TrimSpace(name), limit)
			c.rules = gate.Replace(c.rules, []gate.Rule{r})
			return err
		})
	offer(fs, "rule", ruleWords()...)
	fs.StringVar(&c.diff, "diff", "",
		"unified diff `file` whose lines min_changed_lines_coverage judges; - is standard input")
	choiceVar(fs, &c.format, "format", formats, "`format` of -o: "+strings.Join(formats, ", "))
	fs.StringVarP(&c.out, "o", "o", "-", "write to `FILE`; - is standard output")
	for _, name := range formats[1:] {
		fs.Func(name, "write "+name+" to this `file` too", func(file string) error {
			c.outs = append(c.outs, gateOutput{name, file})
			return nil
		})
	}
}

// check says which profiles are judged, and on which server.
func (c *gateConfig) check(args []string) error {
	c.token = cmp.Or(c.token, os.Getenv(envName("upload-token"))) // it may look, too
	if c.test = append(c.test, args...); len(c.test) == 0 {
		return usageError{"gate: nothing to judge; give -test or files"}
	}
	if c.server == "" {
		c.server = serverOf(slices.Concat(c.test, c.base))
	}
	c.server = strings.TrimRight(c.server, "/")
	return serverURL("gate", c.server)
}

// place fills in what flags have not said of where the test comes from, and the rules.
func (c *gateConfig) place(ctx context.Context) error {
	config, _, err := findRules(c.ruleFile)
	if err != nil {
		return err
	}
	c.config = config
	o := ciOrigin(os.Getenv)
	if target := ciTarget(os.Getenv); target != "" {
		o.branch = branchName(target)
	}
	if c.git {
		local, err := gitOrigin(ctx)
		if err != nil {
			return err
		}
		o = local
	}
	for _, of := range []struct {
		into *string
		from []string
	}{
		{&c.project, []string{config.Project, o.project}}, {&c.branch, []string{o.branch}}, {&c.commit, []string{o.commit}},
	} {
		for _, value := range of.from {
			if *of.into == "" {
				*of.into = value
			}
		}
	}
	c.rules = gate.Replace(config.For(c.branch), c.rules)
	return nil
}

// targets are the variables in which CI systems say what a change is to be merged into.
var targets = []string{
	"GITHUB_BASE_REF", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "BUILDKITE_PULL_REQUEST_BASE_BRANCH",
	"SYSTEM_PULLREQUEST_TARGETBRANCH",
	"BITBUCKET_PR_DESTINATION_BRANCH", "DRONE_TARGET_BRANCH", "CHANGE_TARGET",
}

// ciTarget is what the change in hand is to be merged into; empty outside of CI, and where
// no change is.
func ciTarget(getenv func(string) string) string {
	if ciOrigin(getenv) == (origin{}) {
		return ""
	}
	for _, name := range targets {
		if value := getenv(name); value != "" {
			return value
		}
	}
	return ""
}
