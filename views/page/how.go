package page

import (
	"slices"
	"strings"
)

// How leads from a figure that is worked out, and not read from a file, to the
// paragraph that says how. The zero value leads nowhere and shows nothing.
type How struct {
	Anchor string // on /docs/methods
	What   string // "the share", as in "How the share is worked out"
	Many   bool   // What is several things, of which Anchor explains the first
	More   string // the anchors of the others, with blanks between
}

// The figures that pages explain.
var (
	HowFunctions    = How{Anchor: "functions", What: "the number of functions"}
	HowRecord       = How{Anchor: "functions", What: "a record"}
	HowNameMD5      = How{Anchor: "name-md5", What: "the MD5 of a name"}
	HowCounters     = How{Anchor: "counters", What: "the number of counters"}
	HowTotal        = How{Anchor: "total", What: "the total"}
	HowMax          = How{Anchor: "max", What: "the maximum"}
	HowEntry        = How{Anchor: "entry", What: "the entry count"}
	HowSummary      = How{Anchor: "summary", What: "the detailed summary"}
	HowHot          = How{Anchor: "thresholds", What: "the hot threshold"}
	HowCold         = How{Anchor: "thresholds", What: "the cold threshold"}
	HowClass        = How{Anchor: "class", What: "the class"}
	HowCurve        = How{Anchor: "curve", What: "the curve"}
	HowDistribution = How{Anchor: "distribution", What: "the distribution"}
	HowShare        = How{Anchor: "share", What: "the share"}
	HowCum          = How{Anchor: "cum", What: "the sum"}
	HowShape        = How{Anchor: "shape", What: "the shape"}
	HowNames        = How{Anchor: "names", What: "a name"}
	HowMerged       = How{Anchor: "merged", What: "a merged row"}
	HowCoverage     = How{Anchor: "coverage", What: "the number executed"}
	HowTree         = How{Anchor: "tree", What: "the tree"}
	HowNamespaces   = How{Anchor: "namespaces", What: "the tree of namespaces"}
	HowSites        = How{Anchor: "values", What: "a value site's share"}
	HowVTables      = How{Anchor: "vtables", What: "the number of calls of a class"}
	HowMCDC         = How{Anchor: "mcdc", What: "an MC/DC bit"}
	HowOrder        = How{Anchor: "order", What: "the order"}
	HowOverlap      = How{Anchor: "overlap", What: "the overlap"}
	HowDifferences  = How{Anchor: "differences", What: "a difference"}
	HowChanges      = How{Anchor: "changes", What: "a node's change"}
	HowVersions     = How{Anchor: "versions", What: "the list of versions"}
	HowLocation     = How{Anchor: "location", What: "a function's offset in the file"}
	HowHashFit      = How{Anchor: "hash-fit", What: "the number of functions that match"}

	HowMemProfContexts = How{Anchor: "memprof-contexts", What: "an allocation context"}
	HowMemProfMIB      = How{Anchor: "memprof-mib", What: "a memory info block"}
	HowMemProfSite     = How{Anchor: "memprof-site", What: "an allocation site"}
	HowMemProfBlame    = How{Anchor: "memprof-blame", What: "the blame frame"}
	HowMemProfCalls    = How{Anchor: "memprof-calls", What: "a call that leads to allocations"}
	HowMemProfClass    = How{Anchor: "memprof-class", What: "the class of a context"}
	HowMemProfLifetime = How{Anchor: "memprof-lifetime", What: "the mean lifetime"}
	HowMemProfDensity  = How{Anchor: "memprof-density", What: "the access density"}
	HowMemProfAverages = How{Anchor: "memprof-averages", What: "an average"}
	HowMemProfMixed    = How{Anchor: "memprof-mixed", What: "a site that needs cloning"}
	HowMemProfPruning  = How{Anchor: "memprof-pruning", What: "pruning"}
	HowMemProfClones   = How{Anchor: "memprof-clones", What: "the number of clones"}
	HowMemProfRadix    = How{Anchor: "memprof-radix", What: "the size of call stacks"}
	HowMemProfCompared = How{Anchor: "memprof-compared", What: "a difference"}
	HowFlameWeights    = How{Anchor: "memprof-weights", What: "the width of a frame"}

	HowMIPExecuted = How{Anchor: "mip-executed", What: "the number executed"}
	HowMIPBlocks   = How{Anchor: "mip-blocks", What: "a block's state"}
	HowMIPCoverage = How{Anchor: "mip-coverage", What: "coverage in bytes"}
	HowMIPCalls    = How{Anchor: "mip-calls", What: "a call count"}
	HowMIPOrder    = How{Anchor: "mip-order", What: "the order"}
	HowMIPCompared = How{Anchor: "mip-compared", What: "a difference"}
	HowMIPRuns     = How{Anchor: "mip-runs", What: "a run's figure"}

	HowDCPISamples  = How{Anchor: "dcpi-shares", What: "a share of the samples"}
	HowDCPICompared = How{Anchor: "dcpi-compared", What: "a difference"}
	HowDCPIUnits    = How{Anchor: "dcpi-events", What: "a number of events or seconds"}

	HowSaturated      = How{Anchor: "saturated", What: "the number of saturated counters"}
	HowAllOnes        = How{Anchor: "all-ones", What: "the number of functions whose counters are all 1"}
	HowEntryZero      = How{Anchor: "entry-zero", What: "the number of functions that ran without being entered"}
	HowHashes         = How{Anchor: "hashes", What: "the number of names with several hashes"}
	HowMissingNames   = How{Anchor: "missing-names", What: "the number of missing names"}
	HowTruncatedSites = How{Anchor: "truncated-sites", What: "the number of truncated value sites"}
	HowNeverRun       = How{Anchor: "never-run", What: "the share that never ran"}
	HowCarry99        = How{Anchor: "carry-99", What: "the number of counters that carry 99 %"}
)

// Hows are all of them.
var Hows = []How{
	HowFunctions, HowRecord, HowNameMD5, HowMemProfMIB, HowMemProfSite,
	HowCounters, HowTotal, HowMax, HowEntry, HowSummary, HowHot, HowCold, HowClass, HowCurve,
	HowDistribution,
	HowShare, HowCum, HowShape, HowNames, HowMerged, HowCoverage, HowTree, HowNamespaces, HowSites, HowVTables, HowMCDC,
	HowOrder, HowOverlap, HowDifferences, HowChanges, HowVersions, HowHashFit,
	HowMemProfContexts, HowMemProfBlame, HowMemProfCalls, HowMemProfClass, HowMemProfLifetime, HowMemProfDensity,
	HowMemProfAverages, HowMemProfMixed,
	HowMemProfPruning, HowMemProfClones, HowMemProfRadix, HowFlameWeights,
	HowMIPExecuted, HowMIPBlocks, HowMIPCoverage, HowMIPCalls, HowMIPOrder, HowMIPRuns,
	HowDCPISamples, HowDCPIUnits, HowDCPICompared, HowMIPCompared, HowMemProfCompared,
	HowSaturated, HowAllOnes, HowEntryZero, HowHashes, HowMissingNames, HowTruncatedSites, HowNeverRun, HowCarry99,
}

// HowOf finds one, of these or of a family's own, by its anchor, or by what it explains
// where several stand at one; the zero value for none.
func HowOf(key string, own []How) How {
	for _, h := range slices.Concat(own, Hows) {
		if h.Anchor == key || h.What == key {
			return h
		}
	}
	return How{}
}

// URL is where it is said.
func (h How) URL() string { return "/docs/methods#" + h.Anchor }

// Label is the accessible name of the link.
func (h How) Label() string {
	if h.Many {
		return "How " + h.What + " are worked out"
	}
	return "How " + h.What + " is worked out"
}

// HeadsHow is what the heads of a table explain together, and at which of them the one
// question mark of the table stands; the zero value where none does.
func HeadsHow(heads []Head) (h How, at int) {
	var what, more []string
	for i, head := range heads {
		own := head.How
		switch {
		case own.Anchor == "" || slices.Contains(what, own.What):
			continue
		case h.Anchor == "":
			h, at = own, i
		case own.Anchor != h.Anchor && !slices.Contains(more, own.Anchor):
			more = append(more, own.Anchor)
		}
		what = append(what, own.What)
	}
	if n := len(what); n > 1 {
		h.What = strings.Join(what[:n-1], ", ") + " and " + what[n-1]
		h.Many, h.More = true, strings.Join(more, " ")
	}
	return h, at
}
