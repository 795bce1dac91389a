// Command llvm runs LLVM's own tests of llvm-profdata and llvm-cov, once with LLVM's tools and
// once with Proflens in their place, and prints how many pass of either. The tests come from
// Debian's source packages, their runner too; nothing of them is kept in the project.
//
//	go run ./tools/llvm -proflens ../build/proflens [RELEASE…]
package main

import (
	"bufio"
	"bytes"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Excluded are the tests that need not pass, a line each: its name, then why.
//
//go:embed excluded.txt
var excluded string

//go:embed lit.cfg.py
var config []byte

// tools are LLVM's beside the two that are tried, from the newest release.
const tools = "/usr/lib/llvm-22/bin"

var tried = []string{"llvm-profdata", "llvm-cov"}

func main() {
	log.SetFlags(0)
	proflens := flag.String("proflens", "build/proflens", "the `program` that stands in")
	cache := flag.String("cache", filepath.Join(os.TempDir(), "proflens-llvm"), "the `folder` for sources of LLVM")
	verbose := flag.Bool("v", false, "print what tests say that fail")
	flag.Parse()
	releases := flag.Args()
	if len(releases) == 0 {
		releases = []string{"14", "15", "16", "19"}
	}
	program, err := filepath.Abs(*proflens)
	if err == nil {
		_, err = os.Stat(program)
	}
	if err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tools, "FileCheck")); err != nil {
		log.Fatalf("%v: apt-get install llvm-22 llvm-22-tools", err)
	}
	why := reasons()
	fmt.Printf("%-8s  %-14s  %5s  %5s  %8s  %s\n", "release", "tool", "LLVM", "ours", "excluded", "missing")
	missing := 0
	for _, release := range releases {
		source, err := sources(*cache, release)
		if err != nil {
			log.Fatal(err)
		}
		theirs, err := run(source, *cache, "", *verbose)
		if err != nil {
			log.Fatal(err)
		}
		ours, err := run(source, *cache, program, *verbose)
		if err != nil {
			log.Fatal(err)
		}
		for _, tool := range tried {
			var pass, same, left int
			var lost []string
			for _, name := range slices.Sorted(maps.Keys(theirs)) {
				switch {
				case !strings.HasPrefix(name, tool+"/") || !theirs[name]:
					continue
				case ours[name]:
					same++
				case why[name] != "":
					left++
				default:
					lost = append(lost, name)
				}
				pass++
			}
			missing += len(lost)
			fmt.Printf("%-8s  %-14s  %5d  %5d  %8d  %s\n", release, tool, pass, same, left, strings.Join(lost, " "))
		}
	}
	if missing > 0 {
		log.Fatalf("%d tests pass with LLVM's tools and not with ours; the list of excluded ones does not name them", missing)
	}
}

// reasons are why tests are excluded, by their names.
func reasons() map[string]string {
	why := map[string]string{}
	lines := bufio.NewScanner(strings.NewReader(excluded))
	for lines.Scan() {
		if name, reason, ok := strings.Cut(lines.Text(), " "); ok && !strings.HasPrefix(name, "#") {
			why[name] = strings.TrimSpace(reason)
		}
	}
	return why
}

// sources is the folder llvm of a release's sources, of which the tests and their runner are
// unpacked.
func sources(cache, release string) (string, error) {
	dir := filepath.Join(cache, release)
	found, _ := filepath.Glob(filepath.Join(dir, "*", "llvm", "utils", "lit", "lit.py"))
	if len(found) > 0 {
		return filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(found[0])))) + "/llvm", nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	fetch := exec.Command("sh", "-ec", `
mkdir -p state/lists/partial cache/archives/partial
for f in /etc/apt/sources.list.d/*.sources /etc/apt/sources.list; do
	[ -f "$f" ] || continue
	case $f in
	*.sources) sed 's/^Types:.*/Types: deb-src/' "$f" >>all.sources && echo >>all.sources ;;
	*) sed -n 's/^deb /deb-src /p' "$f" >>all.list ;;
	esac
done
[ -f all.sources ] && list=all.sources || list=all.list
apt="apt-get -qq -o Dir::Etc::sourcelist=$PWD/$list -o Dir::Etc::sourceparts=- -o APT::Sandbox::User=root"
apt="$apt -o Dir::State::lists=$PWD/state/lists -o Dir::Cache=$PWD/cache"
$apt update
$apt source --download-only llvm-toolchain-"$0"
tar -xf *.orig.tar.* --wildcards '*/llvm/test/tools/llvm-profdata' '*/llvm/test/tools/llvm-cov' '*/llvm/utils/lit'
rm -rf *.orig.tar.* state cache
`, release)
	fetch.Dir, fetch.Stderr = dir, os.Stderr
	if err := fetch.Run(); err != nil {
		return "", fmt.Errorf("sources of LLVM %s: %w", release, err)
	}
	return sources(cache, release)
}

// run is which tests pass, with LLVM's tools or, where it is named, with a program in their
// place.
func run(source, cache, program string, verbose bool) (map[string]bool, error) {
	work, err := os.MkdirTemp(cache, "run")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	bin := filepath.Join(work, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return nil, err
	}
	all, err := os.ReadDir(tools)
	if err != nil {
		return nil, err
	}
	for _, tool := range all {
		to := filepath.Join(tools, tool.Name())
		if program != "" && slices.Contains(tried, tool.Name()) {
			to = program
		}
		if err := os.Symlink(to, filepath.Join(bin, tool.Name())); err != nil {
			return nil, err
		}
	}
	tests := filepath.Join(source, "test", "tools")
	if err := os.WriteFile(filepath.Join(tests, "lit.cfg.py"), config, 0o644); err != nil {
		return nil, err
	}
	results := filepath.Join(work, "results.json")
	lit := exec.Command("python3", filepath.Join(source, "utils", "lit", "lit.py"), "-q", "--output", results,
		filepath.Join(tests, tried[0]), filepath.Join(tests, tried[1]))
	lit.Env = append(os.Environ(), "PROFLENS_LLVM="+source, "PROFLENS_TOOLS="+bin, "PROFLENS_TEST_OUTPUT="+work)
	said, failed := lit.CombinedOutput()
	data, err := os.ReadFile(results)
	if err != nil {
		return nil, fmt.Errorf("lit: %w\n%s", failed, said)
	}
	var report struct {
		Tests []struct{ Name, Code, Output string }
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return nil, err
	}
	passed := map[string]bool{}
	for _, t := range report.Tests {
		_, name, _ := strings.Cut(t.Name, " :: ")
		passed[name] = t.Code == "PASS"
		if verbose && program != "" && t.Code == "FAIL" {
			fmt.Printf("---- %s\n%s\n", name, bytes.TrimSpace([]byte(t.Output)))
		}
	}
	return passed, nil
}
