package command

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"unicode"

	"proflens/catalog/projects"
)

// origin is where the profiled program comes from.
type origin struct {
	project, commit, branch string
	subject, date           string // of the commit: its first line, and when it was made
}

// ciSystem names the variables in which a CI system says what it builds. Of several for one
// thing the first that is set counts.
type ciSystem struct {
	set                     string // is set there, and nowhere else
	project, commit, branch string // names with blanks between them
}

var ciSystems = []ciSystem{
	{"GITHUB_ACTIONS", "GITHUB_REPOSITORY", "GITHUB_SHA", "GITHUB_HEAD_REF GITHUB_REF_NAME"},
	{"GITLAB_CI", "CI_PROJECT_PATH", "CI_COMMIT_SHA", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME CI_COMMIT_REF_NAME"},
	{"BUILDKITE", "BUILDKITE_PIPELINE_SLUG", "BUILDKITE_COMMIT", "BUILDKITE_BRANCH"},
	{"CIRCLECI", "CIRCLE_PROJECT_REPONAME", "CIRCLE_SHA1", "CIRCLE_BRANCH"},
	{"TF_BUILD", "BUILD_REPOSITORY_NAME", "BUILD_SOURCEVERSION", "SYSTEM_PULLREQUEST_SOURCEBRANCH BUILD_SOURCEBRANCH"},
	{"TRAVIS", "TRAVIS_REPO_SLUG", "TRAVIS_COMMIT", "TRAVIS_PULL_REQUEST_BRANCH TRAVIS_BRANCH"},
	{"BITBUCKET_BUILD_NUMBER", "BITBUCKET_REPO_FULL_NAME", "BITBUCKET_COMMIT", "BITBUCKET_BRANCH"},
	{"DRONE", "DRONE_REPO", "DRONE_COMMIT_SHA", "DRONE_SOURCE_BRANCH DRONE_BRANCH"},
	{"JENKINS_URL", "JOB_NAME", "GIT_COMMIT", "CHANGE_BRANCH BRANCH_NAME GIT_BRANCH"},
}

// ciOrigin is what the CI system says whose variables getenv has; empty outside of one.
func ciOrigin(getenv func(string) string) origin {
	first := func(names string) string {
		for name := range strings.FieldsSeq(names) {
			if value := getenv(name); value != "" {
				return value
			}
		}
		return ""
	}
	for _, ci := range ciSystems {
		if getenv(ci.set) != "" {
			return origin{project: first(ci.project), commit: first(ci.commit), branch: branchName(first(ci.branch))}
		}
	}
	return origin{}
}

// branchName is a branch without what says where it is.
func branchName(ref string) string {
	for _, prefix := range []string{"refs/heads/", "origin/"} {
		ref = strings.TrimPrefix(ref, prefix)
	}
	return ref
}

// gitOrigin is what git says of the working directory. The error is git's.
func gitOrigin(ctx context.Context) (origin, error) {
	git := func(args ...string) (string, error) {
		out, err := exec.CommandContext(ctx, "git", args...).Output()
		return strings.TrimSpace(string(out)), err
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return origin{}, fmt.Errorf("git rev-parse HEAD: %w; run -git in a work tree with a commit", err)
	}
	o := origin{commit: commit}
	o.branch, _ = git("symbolic-ref", "--short", "-q", "HEAD") // a detached one has none
	if said, err := git("log", "-1", "--format=%cI%n%s"); err == nil {
		o.date, o.subject, _ = strings.Cut(said, "\n")
	}
	if remote, err := git("remote", "get-url", "origin"); err == nil {
		o.project = repository(remote)
	}
	return o, nil
}

// repository is the path of a repository below its host: "owner/name" of
// "git@host:owner/name.git".
func repository(remote string) string {
	path := strings.TrimSuffix(strings.TrimRight(remote, "/"), ".git")
	if _, after, ok := strings.Cut(path, "://"); ok {
		_, path, _ = strings.Cut(after, "/")
		return path
	}
	if _, after, ok := strings.Cut(path, ":"); ok {
		return strings.TrimPrefix(after, "/")
	}
	return path[strings.LastIndexByte(path, '/')+1:]
}

// place sets what flags have not said of where the profile belongs: by proflens.toml of the
// repository, git, and the CI system. It returns the text of the rules.
func (c *uploadConfig) place(ctx context.Context) (rules []byte, err error) {
	inCI := ciOrigin(os.Getenv)
	if c.rules != "" || c.git || inCI != (origin{}) {
		config, text, err := findRules(c.rules)
		if err != nil {
			return nil, err
		}
		origin{project: config.Project}.fill(c)
		rules = text
	}
	if c.git {
		o, err := gitOrigin(ctx)
		if err != nil {
			return nil, err
		}
		o.fill(c)
	}
	inCI.fill(c)
	return rules, nil
}

// fill sets what flags have not said.
func (o origin) fill(c *uploadConfig) {
	if o.project != "" && c.fields.Get("project") == "" {
		c.fields.Set("project", o.project)
	}
	for _, label := range []struct{ key, value string }{
		{projects.Commit, o.commit}, {projects.Branch, o.branch}, {projects.Subject, shortened(o.subject)},
		{projects.Date, o.date},
	} {
		if label.value != "" && !c.hasLabel(label.key) {
			c.fields.Add("label", label.key+"="+label.value)
		}
	}
}

// shortened is a text that a label can hold.
func shortened(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if runes := []rune(text); len(runes) > maxSubject {
		return string(runes[:maxSubject-1]) + "…"
	}
	return text
}

// maxSubject is how many characters of a commit's first line are sent.
const maxSubject = 120

func (c *uploadConfig) hasLabel(key string) bool {
	for _, label := range c.fields["label"] {
		if strings.HasPrefix(label, key+"=") {
			return true
		}
	}
	return false
}
