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
	HowFunctions    = NewHow("functions", "the number of functions")
	HowRecord       = NewHow("functions", "a record")
	HowNameMD5      = NewHow("name-md5", "the MD5 of a name")
	HowCounters     = NewHow("counters", "the number of counters")
	HowTotal        = NewHow("total", "the total")
	HowMax          = NewHow("max", "the maximum")
	HowEntry        = NewHow("entry", "the entry count")
	HowSummary      = NewHow("summary", "the detailed summary")
	HowHot          = NewHow("thresholds", "the hot threshold")
	HowCold         = NewHow("thresholds", "the cold threshold")
	HowClass        = NewHow("class", "the class")
	HowCurve        = NewHow("curve", "the curve")
	HowDistribution = NewHow("distribution", "the distribution")
	HowShare        = NewHow("share", "the share")
	HowCum          = NewHow("cum", "the sum")
	HowShape        = NewHow("shape", "the shape")
	HowNames        = NewHow("names", "a name")
	HowMerged       = NewHow("merged", "a merged row")
	HowCoverage     = NewHow("coverage", "the number executed")
	HowTree         = NewHow("tree", "the tree")
	HowNamespaces   = NewHow("namespaces", "the tree of namespaces")
	HowSites        = NewHow("values", "a value site's share")
	HowVTables      = NewHow("vtables", "the number of calls of a class")
	HowMCDC         = NewHow("mcdc", "an MC/DC bit")
	HowOrder        = NewHow("order", "the order")
	HowOverlap      = NewHow("overlap", "the overlap")
	HowDifferences  = NewHow("differences", "a difference")
	HowChanges      = NewHow("changes", "a node's change")
	HowVersions     = NewHow("versions", "the list of versions")
	HowLocation     = NewHow("location", "a function's offset in the file")
	HowHashFit      = NewHow("hash-fit", "the number of functions that match")

	HowMemProfContexts = NewHow("memprof-contexts", "an allocation context")
	HowMemProfMIB      = NewHow("memprof-mib", "a memory info block")
	HowMemProfSite     = NewHow("memprof-site", "an allocation site")
	HowMemProfBlame    = NewHow("memprof-blame", "the blame frame")
	HowMemProfCalls    = NewHow("memprof-calls", "a call that leads to allocations")
	HowMemProfClass    = NewHow("memprof-class", "the class of a context")
	HowMemProfLifetime = NewHow("memprof-lifetime", "the mean lifetime")
	HowMemProfDensity  = NewHow("memprof-density", "the access density")
	HowMemProfAverages = NewHow("memprof-averages", "an average")
	HowMemProfMixed    = NewHow("memprof-mixed", "a site that needs cloning")
	HowMemProfPruning  = NewHow("memprof-pruning", "pruning")
	HowMemProfClones   = NewHow("memprof-clones", "the number of clones")
	HowMemProfRadix    = NewHow("memprof-radix", "the size of call stacks")
	HowMemProfCompared = NewHow("memprof-compared", "a difference")
	HowFlameWeights    = NewHow("memprof-weights", "the width of a frame")

	HowMIPExecuted = NewHow("mip-executed", "the number executed")
	HowMIPBlocks   = NewHow("mip-blocks", "a block's state")
	HowMIPCoverage = NewHow("mip-coverage", "coverage in bytes")
	HowMIPCalls    = NewHow("mip-calls", "a call count")
	HowMIPOrder    = NewHow("mip-order", "the order")
	HowMIPCompared = NewHow("mip-compared", "a difference")
	HowMIPRuns     = NewHow("mip-runs", "a run's figure")

	HowDCPISamples  = NewHow("dcpi-shares", "a share of the samples")
	HowDCPICompared = NewHow("dcpi-compared", "a difference")
	HowDCPIUnits    = NewHow("dcpi-events", "a number of events or seconds")

	HowSaturated      = NewHow("saturated", "the number of saturated counters")
	HowAllOnes        = NewHow("all-ones", "the number of functions whose counters are all 1")
	HowEntryZero      = NewHow("entry-zero", "the number of functions that ran without being entered")
	HowHashes         = NewHow("hashes", "the number of names with several hashes")
	HowMissingNames   = NewHow("missing-names", "the number of missing names")
	HowTruncatedSites = NewHow("truncated-sites", "the number of truncated value sites")
	HowNeverRun       = NewHow("never-run", "the share that never ran")
	HowCarry99        = NewHow("carry-99", "the number of counters that carry 99 %")
)

// Hows are all of them, with those of families.
var Hows []How

// NewHow is one of them.
func NewHow(anchor, what string) How {
	h := How{Anchor: anchor, What: what}
	Hows = append(Hows, h)
	return h
}

// HowOf finds one by its anchor, or by what it explains where several stand at one; the zero value for none.
func HowOf(key string) How {
	for _, h := range Hows {
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
