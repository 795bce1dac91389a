package analyze_test

import (
	"crypto/md5"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
)

// irSites is what clang made of the allocations of a module, from its IR right
// behind memprof-use: by function, the MIBs of !memprof as class and stack ids,
// or the attribute alone.
func irSites(t *testing.T, file string) map[uint64][]string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	nodes, attributes := map[string]string{}, map[string]string{}
	node := regexp.MustCompile(`(?m)^(!\d+) = !\{(.*)\}$`)
	for _, m := range node.FindAllStringSubmatch(string(data), -1) {
		nodes[m[1]] = m[2]
	}
	for _, m := range regexp.MustCompile(`(?m)^attributes (#\d+) = .*"memprof"="(\w+)"`).FindAllStringSubmatch(string(data), -1) {
		attributes[m[1]] = m[2]
	}
	sites := map[uint64][]string{}
	var function uint64
	for _, line := range strings.Split(string(data), "\n") {
		if m := regexp.MustCompile(`^define .*@"?([^"(]+)"?\(`).FindStringSubmatch(line); m != nil {
			hash := md5.Sum([]byte(m[1]))
			function = binary.LittleEndian.Uint64(hash[:])
		}
		m := regexp.MustCompile(`call .*@_Zn[aw]m\(.*\) (#\d+)`).FindStringSubmatch(line)
		if m == nil {
			continue
		}
		attribute := attributes[m[1]]
		meta := regexp.MustCompile(`!memprof (!\d+)`).FindStringSubmatch(line)
		if meta == nil {
			if attribute != "" {
				sites[function] = append(sites[function], attribute)
			}
			continue
		}
		if attribute != "ambiguous" {
			t.Errorf("%s: the attribute is %q", line, attribute)
		}
		var mibs []string
		for _, mib := range strings.Split(nodes[meta[1]], ", ") {
			stack, class, _ := strings.Cut(nodes[mib], ", ")
			var ids []string
			for _, id := range strings.Split(nodes[stack], ", ") {
				n, err := strconv.ParseInt(strings.TrimPrefix(id, "i64 "), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				ids = append(ids, fmt.Sprintf("%016x", uint64(n)))
			}
			mibs = append(mibs, strings.Trim(class, `!"`)+" "+strings.Join(ids, " "))
		}
		slices.Sort(mibs)
		sites[function] = append(sites[function], strings.Join(mibs, "\n"))
	}
	if len(sites) == 0 {
		t.Fatalf("%s has no hints", file)
	}
	return sites
}

// openHeap reads the heap profile of an indexed profile.
func openHeap(t *testing.T, file string) *memprof.Profile {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	src, err := instrprof.OpenIndexed(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	p, err := memprof.OpenIndexed(src.Info().MemProf, src.Info().MemProfSection.Offset, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// callTree is the stacks of a profile for pruning.
func callTree(p *memprof.Profile) *analyze.CallTree {
	tree := &analyze.CallTree{}
	for i := range p.Frames {
		tree.StackID = append(tree.StackID, analyze.StackID(&p.Frames[i]))
	}
	for _, n := range p.Stacks {
		tree.Frame, tree.Caller = append(tree.Frame, n.Frame), append(tree.Caller, int32(n.Caller))
	}
	return tree
}

// prunedSites prunes every site of a profile, spelled as irSites does.
func prunedSites(p *memprof.Profile, t analyze.MemProfThresholds) (map[uint64][]string, []analyze.PrunedSite) {
	tree := callTree(p)
	var leaves []uint64 // in the order in which each was first seen
	contexts := map[uint64][]analyze.MIBContext{}
	owner := map[uint64]uint64{}
	largest := map[memprof.StackID]int{}
	size := func(i int) uint64 { return p.Contexts[i].MIB.Get(memprof.TotalSize) }
	for i := range p.Contexts {
		if at, ok := largest[p.Contexts[i].Stack]; !ok || size(i) > size(at) {
			largest[p.Contexts[i].Stack] = i
		}
	}
	for i := range p.Contexts {
		c := &p.Contexts[i]
		if largest[c.Stack] != i { // of several of a call stack the compiler takes this one
			continue
		}
		leaf := p.Leaf(c.Stack)
		id := analyze.StackID(leaf)
		if _, ok := owner[id]; !ok {
			leaves = append(leaves, id)
			owner[id] = leaf.Function
		}
		contexts[id] = append(contexts[id], analyze.MIBContext{
			Node: int32(c.Stack), Hint: t.Hint(t.Class(&c.MIB)), Bytes: c.MIB.Get(memprof.TotalSize),
		})
	}
	pruner := analyze.NewMIBPruner(tree)
	spelled := map[uint64][]string{}
	var list []analyze.PrunedSite
	for _, id := range leaves {
		s := pruner.Site(contexts[id])
		list = append(list, s)
		word := map[analyze.MemProfClass]string{
			analyze.MemProfCold: "cold", analyze.MemProfNotCold: "notcold", analyze.MemProfHot: "hot",
		}
		if s.Attribute != "" {
			spelled[owner[id]] = append(spelled[owner[id]], word[s.Attribute])
			continue
		}
		var mibs []string
		for i := range s.MIBs {
			m := &s.MIBs[i]
			if m.LeftOut {
				continue
			}
			line := word[m.Class]
			node := contexts[id][m.Contexts[0]].Node
			for range m.Depth {
				line += fmt.Sprintf(" %016x", tree.StackID[tree.Frame[node]])
				node = tree.Caller[node]
			}
			mibs = append(mibs, line)
		}
		slices.Sort(mibs)
		spelled[owner[id]] = append(spelled[owner[id]], strings.Join(mibs, "\n"))
	}
	return spelled, list
}

// TestPruneAsClang prunes a real program's contexts by several thresholds: MIBs,
// with the frames of each by their stack ids, and attributes are those that
// clang 22 puts into the program's IR.
func TestPruneAsClang(t *testing.T) {
	cold := analyze.MemProfThresholds{ColdDensity: 1, ColdLifetime: 0, HotDensity: 1000}
	second := analyze.DefaultMemProfThresholds
	second.ColdLifetime = 1
	colder := cold
	colder.ColdDensity = 2000000
	hot := analyze.DefaultMemProfThresholds
	hot.HotDensity, hot.HotHints = 100, true
	hotCold := cold
	hotCold.HotDensity, hotCold.HotHints = 100, true
	for name, by := range map[string]analyze.MemProfThresholds{
		"default": analyze.DefaultMemProfThresholds, "cold": cold, "second": second, "colder": colder, "hot": hot,
		"hot_cold": hotCold,
		"cut":      cold, "cut2": cold, "cut3": cold,
	} {
		t.Run(name, func(t *testing.T) {
			want := irSites(t, filepath.Join("testdata", "prune", name+".ll"))
			profile := "prune"
			if strings.HasPrefix(name, "cut") { // stacks of three frames at most, and of two, so that some cannot be told apart
				profile = name
			}
			got, _ := prunedSites(openHeap(t, "testdata/prune/"+profile+".profdata"), by)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-clang +ours\n%s", diff)
			}
		})
	}
}
