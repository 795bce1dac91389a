package page

import (
	"slices"
	"strings"
)

// How leads from a figure that is worked out, and not read from a file, to the
// paragraph that says how: its anchor on /docs/methods and, after a blank, what that explains,
// "the share", as in "How the share is worked out". The empty value leads nowhere and shows nothing.
type How string

// The figures that pages explain.
const (
	HowFunctions    How = "functions the number of functions"
	HowRecord       How = "functions a record"
	HowNameMD5      How = "name-md5 the MD5 of a name"
	HowCounters     How = "counters the number of counters"
	HowTotal        How = "total the total"
	HowMax          How = "max the maximum"
	HowEntry        How = "entry the entry count"
	HowSummary      How = "summary the detailed summary"
	HowHot          How = "thresholds the hot threshold"
	HowCold         How = "thresholds the cold threshold"
	HowClass        How = "class the class"
	HowCurve        How = "curve the curve"
	HowDistribution How = "distribution the distribution"
	HowShare        How = "share the share"
	HowCum          How = "cum the sum"
	HowShape        How = "shape the shape"
	HowNames        How = "names a name"
	HowMerged       How = "merged a merged row"
	HowCoverage     How = "coverage the number executed"
	HowTree         How = "tree the tree"
	HowNamespaces   How = "namespaces the tree of namespaces"
	HowSites        How = "values a value site's share"
	HowVTables      How = "vtables the number of calls of a class"
	HowMCDC         How = "mcdc an MC/DC bit"
	HowOrder        How = "order the order"
	HowOverlap      How = "overlap the overlap"
	HowDifferences  How = "differences a difference"
	HowChanges      How = "changes a node's change"
	HowVersions     How = "versions the list of versions"
	HowLocation     How = "location a function's offset in the file"
	HowHashFit      How = "hash-fit the number of functions that match"

	HowMemProfContexts How = "memprof-contexts an allocation context"
	HowMemProfMIB      How = "memprof-mib a memory info block"
	HowMemProfSite     How = "memprof-site an allocation site"
	HowMemProfBlame    How = "memprof-blame the blame frame"
	HowMemProfCalls    How = "memprof-calls a call that leads to allocations"
	HowMemProfClass    How = "memprof-class the class of a context"
	HowMemProfLifetime How = "memprof-lifetime the mean lifetime"
	HowMemProfDensity  How = "memprof-density the access density"
	HowMemProfAverages How = "memprof-averages an average"
	HowMemProfMixed    How = "memprof-mixed a site that needs cloning"
	HowMemProfPruning  How = "memprof-pruning pruning"
	HowMemProfClones   How = "memprof-clones the number of clones"
	HowMemProfRadix    How = "memprof-radix the size of call stacks"
	HowMemProfCompared How = "memprof-compared a difference"
	HowFlameWeights    How = "memprof-weights the width of a frame"

	HowMIPExecuted How = "mip-executed the number executed"
	HowMIPBlocks   How = "mip-blocks a block's state"
	HowMIPCoverage How = "mip-coverage coverage in bytes"
	HowMIPCalls    How = "mip-calls a call count"
	HowMIPOrder    How = "mip-order the order"
	HowMIPCompared How = "mip-compared a difference"
	HowMIPRuns     How = "mip-runs a run's figure"

	HowDCPISamples  How = "dcpi-shares a share of the samples"
	HowDCPICompared How = "dcpi-compared a difference"
	HowDCPIUnits    How = "dcpi-events a number of events or seconds"

	HowSaturated      How = "saturated the number of saturated counters"
	HowAllOnes        How = "all-ones the number of functions whose counters are all 1"
	HowEntryZero      How = "entry-zero the number of functions that ran without being entered"
	HowHashes         How = "hashes the number of names with several hashes"
	HowMissingNames   How = "missing-names the number of missing names"
	HowTruncatedSites How = "truncated-sites the number of truncated value sites"
	HowNeverRun       How = "never-run the share that never ran"
	HowCarry99        How = "carry-99 the number of counters that carry 99 %"
)

// split are the anchor, and what is explained there.
func (h How) split() (anchor, what string) {
	anchor, what, _ = strings.Cut(string(h), " ")
	return anchor, what
}

// URL is where it is said.
func (h How) URL() string {
	anchor, _ := h.split()
	return "/docs/methods#" + anchor
}

// Label is the accessible name of the link.
func (h How) Label() string {
	_, what := h.split()
	return "How " + what + " is worked out"
}

// TableHow is what the heads of a table explain together.
type TableHow struct {
	How             // of the first
	Together string // the accessible name of the link
	More     string // the anchors of the others, with blanks between
	At       int    // the head at which the one question mark of the table stands
}

// HeadsHow is that of heads; without a How where none has anything to explain.
func HeadsHow(heads []Head) (h TableHow) {
	var what, more []string
	for i, head := range heads {
		anchor, explained := head.How.split()
		first, _ := h.split()
		switch {
		case anchor == "" || slices.Contains(what, explained):
			continue
		case first == "":
			h.How, h.At, h.Together = head.How, i, head.How.Label()
		case anchor != first && !slices.Contains(more, anchor):
			more = append(more, anchor)
		}
		what = append(what, explained)
	}
	if n := len(what); n > 1 {
		h.Together = "How " + strings.Join(what[:n-1], ", ") + " and " + what[n-1] + " are worked out"
		h.More = strings.Join(more, " ")
	}
	return h
}
