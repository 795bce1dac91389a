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
	HowFunctions    = how("functions", "the number of functions")
	HowRecord       = how("functions", "a record")
	HowNameMD5      = how("name-md5", "the MD5 of a name")
	HowCounters     = how("counters", "the number of counters")
	HowTotal        = how("total", "the total")
	HowMax          = how("max", "the maximum")
	HowEntry        = how("entry", "the entry count")
	HowSummary      = how("summary", "the detailed summary")
	HowHot          = how("thresholds", "the hot threshold")
	HowCold         = how("thresholds", "the cold threshold")
	HowClass        = how("class", "the class")
	HowCurve        = how("curve", "the curve")
	HowDistribution = how("distribution", "the distribution")
	HowShare        = how("share", "the share")
	HowCum          = how("cum", "the sum")
	HowShape        = how("shape", "the shape")
	HowNames        = how("names", "a name")
	HowMerged       = how("merged", "a merged row")
	HowCoverage     = how("coverage", "the number executed")
	HowTree         = how("tree", "the tree")
	HowNamespaces   = how("namespaces", "the tree of namespaces")
	HowSites        = how("values", "a value site's share")
	HowVTables      = how("vtables", "the number of calls of a class")
	HowMCDC         = how("mcdc", "an MC/DC bit")
	HowOrder        = how("order", "the order")
	HowOverlap      = how("overlap", "the overlap")
	HowDifferences  = how("differences", "a difference")
	HowChanges      = how("changes", "a node's change")
	HowVersions     = how("versions", "the list of versions")
	HowLocation     = how("location", "a function's offset in the file")
	HowHashFit      = how("hash-fit", "the number of functions that match")

	HowMemProfContexts = how("memprof-contexts", "an allocation context")
	HowMemProfMIB      = how("memprof-mib", "a memory info block")
	HowMemProfSite     = how("memprof-site", "an allocation site")
	HowMemProfBlame    = how("memprof-blame", "the blame frame")
	HowMemProfCalls    = how("memprof-calls", "a call that leads to allocations")
	HowMemProfClass    = how("memprof-class", "the class of a context")
	HowMemProfLifetime = how("memprof-lifetime", "the mean lifetime")
	HowMemProfDensity  = how("memprof-density", "the access density")
	HowMemProfAverages = how("memprof-averages", "an average")
	HowMemProfMixed    = how("memprof-mixed", "a site that needs cloning")
	HowMemProfPruning  = how("memprof-pruning", "pruning")
	HowMemProfClones   = how("memprof-clones", "the number of clones")
	HowMemProfRadix    = how("memprof-radix", "the size of call stacks")
	HowMemProfCompared = how("memprof-compared", "a difference")
	HowFlameWeights    = how("memprof-weights", "the width of a frame")

	HowMIPExecuted = how("mip-executed", "the number executed")
	HowMIPBlocks   = how("mip-blocks", "a block's state")
	HowMIPCoverage = how("mip-coverage", "coverage in bytes")
	HowMIPCalls    = how("mip-calls", "a call count")
	HowMIPOrder    = how("mip-order", "the order")
	HowMIPCompared = how("mip-compared", "a difference")
	HowMIPRuns     = how("mip-runs", "a run's figure")

	HowDCPISamples  = how("dcpi-shares", "a share of the samples")
	HowDCPICompared = how("dcpi-compared", "a difference")
	HowDCPIUnits    = how("dcpi-events", "a number of events or seconds")

	HowSaturated      = how("saturated", "the number of saturated counters")
	HowAllOnes        = how("all-ones", "the number of functions whose counters are all 1")
	HowEntryZero      = how("entry-zero", "the number of functions that ran without being entered")
	HowHashes         = how("hashes", "the number of names with several hashes")
	HowMissingNames   = how("missing-names", "the number of missing names")
	HowTruncatedSites = how("truncated-sites", "the number of truncated value sites")
	HowNeverRun       = how("never-run", "the share that never ran")
	HowCarry99        = how("carry-99", "the number of counters that carry 99 %")
)

// Hows are all of them.
var Hows []How

// how is one of them.
func how(anchor, what string) How {
	h := How{Anchor: anchor, What: what}
	Hows = append(Hows, h)
	return h
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
