package main

import (
	"fmt"
	"slices"
	"strings"
)

// report prints a row for each quantity as it is measured, and keeps how the aims fare.
type report struct {
	of     string   // the input that is being measured; empty for one without aims
	met    []*aim   // measured
	missed []string // by more than the grace
	failed []string // could not be measured
}

// begin heads the rows of an input.
func (r *report) begin(of, words string) {
	r.of = of
	fmt.Printf("\n%s\n  %-46s %10s %10s %8s %10s\n", words, "", "ours", "theirs", "ratio", "aim")
}

// costs are the rows of a process of ours and one of the peer's.
func (r *report) costs(what, peer string, ours, theirs cost) {
	r.row(what, peer, wall, ours.wall.Seconds(), theirs.wall.Seconds())
	r.row(what, peer, cpu, ours.cpu.Seconds(), theirs.cpu.Seconds())
	r.row(what, peer, memory, float64(ours.rss)*1024, float64(theirs.rss)*1024)
}

// row is one quantity. theirs is 0 where there is no peer.
func (r *report) row(what, peer string, q quantity, ours, theirs float64) {
	columns := [4]string{q.format(ours), "–", "–", "–"}
	if theirs > 0 {
		columns[1], columns[2] = q.format(theirs), fmt.Sprintf("%.2f", ours/theirs)
	}
	verdict := ""
	if a := r.aim(what, q); a != nil {
		if !slices.Contains(r.met, a) {
			r.met = append(r.met, a)
		}
		columns[3] = a.bound()
		reached := ours
		if !a.alone {
			reached /= theirs
		}
		verdict = "held"
		if reached > a.most {
			verdict = "missed"
		}
		if reached > a.most*grace {
			r.missed = append(r.missed, fmt.Sprintf("%v: %.0f %% more than aimed at", a, 100*(reached/a.most-1)))
		}
	}
	if peer != "" {
		peer = "against " + peer
	}
	fmt.Println(strings.TrimRight(fmt.Sprintf("  %-46s %10s %10s %8s %10s  %-7s %s", what+", "+string(q), columns[0],
		columns[1], columns[2], columns[3], verdict, peer), " "))
}

// fail notes what could not be measured. The run goes on.
func (r *report) fail(what string, err error) {
	if err != nil {
		r.failed = append(r.failed, fmt.Sprintf("%s: %s: %v", r.of, what, err))
		fmt.Printf("  %s: %v\n", what, err)
	}
}

func (r *report) aim(what string, q quantity) *aim {
	for i := range aims {
		if a := &aims[i]; a.of == r.of && a.what == what && a.quantity == q {
			return a
		}
	}
	return nil
}

// sum says how the aims fare, and reports whether the run may pass.
func (r *report) sum() bool {
	fmt.Printf("\n%d of %d aims measured\n", len(r.met), len(aims))
	var others []string
	for i := range aims {
		if !slices.Contains(r.met, &aims[i]) {
			others = append(others, aims[i].String())
		}
	}
	for _, list := range []struct {
		head  string
		lines []string
	}{{"not measured", others}, {"failed", r.failed}, {"missed by more than a fifth", r.missed}} {
		if len(list.lines) > 0 {
			fmt.Printf("%s:\n  %s\n", list.head, strings.Join(list.lines, "\n  "))
		}
	}
	return len(r.missed)+len(r.failed) == 0
}
