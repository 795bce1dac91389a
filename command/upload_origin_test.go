package command

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Variables as the systems document them.
func TestOriginInCI(t *testing.T) {
	for name, test := range map[string]struct {
		env  map[string]string
		want origin
	}{
		"none": {map[string]string{"GIT_COMMIT": "1", "CI": "true"}, origin{}},
		"GitHub, a push": {map[string]string{
			"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "sass/libsass", "GITHUB_SHA": "ffac574c", "GITHUB_REF_NAME": "main",
			"GITHUB_HEAD_REF": "",
		},
			origin{project: "sass/libsass", commit: "ffac574c", branch: "main"}},
		"GitHub, a pull request": {map[string]string{
			"GITHUB_ACTIONS": "true", "GITHUB_REPOSITORY": "sass/libsass", "GITHUB_SHA": "ffac574c",
			"GITHUB_REF_NAME": "7/merge", "GITHUB_HEAD_REF": "faster",
		},
			origin{project: "sass/libsass", commit: "ffac574c", branch: "faster"}},
		"GitLab, a merge request": {map[string]string{
			"GITLAB_CI": "true", "CI_PROJECT_PATH": "a/b/c", "CI_COMMIT_SHA": "1ecfd95b", "CI_COMMIT_REF_NAME": "x",
			"CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": "feature",
		},
			origin{project: "a/b/c", commit: "1ecfd95b", branch: "feature"}},
		"Azure": {
			map[string]string{"TF_BUILD": "True", "BUILD_REPOSITORY_NAME": "r", "BUILD_SOURCEVERSION": "c",
				"BUILD_SOURCEBRANCH": "refs/heads/releases/1"}, origin{project: "r", commit: "c", branch: "releases/1"},
		},
		"Jenkins": {
			map[string]string{"JENKINS_URL": "http://ci/", "JOB_NAME": "nightly", "GIT_COMMIT": "c",
				"GIT_BRANCH": "origin/main"}, origin{project: "nightly", commit: "c", branch: "main"},
		},
	} {
		if got := ciOrigin(func(key string) string { return test.env[key] }); got != test.want {
			t.Errorf("%s: %+v; want %+v", name, got, test.want)
		}
	}
}

func TestRepository(t *testing.T) {
	for remote, want := range map[string]string{
		"git@github.com:sass/libsass.git": "sass/libsass", "https://github.com/sass/libsass": "sass/libsass",
		"ssh://git@host:22/a/b/c.git/": "a/b/c",
		"/srv/git/libsass.git":         "libsass",
	} {
		if got := repository(remote); got != want {
			t.Errorf("%s is %q; want %q", remote, got, want)
		}
	}
}

// Flags win over git, and git over CI.
func TestOriginOfGit(t *testing.T) {
	dir := t.TempDir()
	git := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	t.Chdir(dir)
	if _, err := gitOrigin(t.Context()); err == nil {
		t.Error("there is an origin without a repository")
	}
	git("init", "-q", "-b", "trunk")
	git("remote", "add", "origin", "git@host:team/app.git")
	if err := os.WriteFile(filepath.Join(dir, "a"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	git("add", "a")
	git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "Faster\ttable\n\nmore")
	o, err := gitOrigin(t.Context())
	if err != nil || o.project != "team/app" || o.branch != "trunk" || len(o.commit) != 40 ||
		o.subject != "Faster\ttable" || !strings.HasPrefix(o.date, "20") {
		t.Fatalf("%+v, %v", o, err)
	}
	c := uploadConfig{fields: url.Values{"label": {"branch=mine"}}}
	o.fill(&c)
	origin{project: "other", commit: "other", branch: "other"}.fill(&c)
	want := url.Values{
		"project": {"team/app"}, "label": {"branch=mine", "commit=" + o.commit, "subject=Faster table", "date=" + o.date},
	}
	if !reflect.DeepEqual(c.fields, want) {
		t.Errorf("%v; want %v", c.fields, want)
	}
}
