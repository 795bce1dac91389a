package memprof_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/memprof"
)

// dump is what llvm-profdata show --memory says of a raw profile, as far as a
// release prints it.
type dump struct {
	version  uint64
	segments []string // build ID, start, end, offset
	// records are, by function, its allocation sites and its call sites: frames, and
	// the numbers of an allocation.
	records map[string]*dumped
}

type dumped struct{ allocations, calls []string }

// wandering is the field that holds the address of a histogram that is no more.
const wandering = "AccessHistogram"

// readDump reads such a text by its keys, whose order is fixed.
func readDump(t testing.TB, name string) dump {
	t.Helper()
	d := dump{records: map[string]*dumped{}}
	var record *dumped
	var into *[]string // a list of sites
	var site []string  // the words of one
	end := func() {
		if into != nil && len(site) > 0 {
			*into = append(*into, strings.Join(site, " "))
		}
		site = nil
	}
	for line := range strings.Lines(string(real(t, name))) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		value = strings.TrimSpace(value)
		switch {
		case key == "Version":
			d.version, _ = strconv.ParseUint(value, 10, 64)
		case key == "BuildId":
			d.segments = append(d.segments, strings.TrimPrefix(value, "<None>"))
		case slices.Contains([]string{"Start", "End", "Offset"}, key) && record == nil:
			d.segments[len(d.segments)-1] += " " + strings.ToLower(value)
		case key == "FunctionGUID":
			end()
			record, into = &dumped{}, nil
			d.records[value] = record
		case key == "AllocSites" || key == "CallSites":
			end()
			into = &record.allocations
			if key == "CallSites" {
				into = &record.calls
			}
		case key == "-" && indent == 4:
			end()
		case key == "Function", key == "LineOffset", key == "Column", key == "Inline", key == "SymbolName":
			site = append(site, value)
		default:
			if _, ok := memprof.MIBFieldOf(key); ok && record != nil && key != wandering {
				site = append(site, key+"="+value)
			}
		}
	}
	end()
	if len(d.records) == 0 || len(d.segments) == 0 {
		t.Fatalf("%s is no dump", name)
	}
	return d
}

// dumpOf says the same of a profile.
func dumpOf(p *memprof.Profile) dump {
	d := dump{version: p.Version, records: map[string]*dumped{}}
	for _, m := range p.Modules {
		d.segments = append(d.segments, fmt.Sprintf("%x 0x%x 0x%x 0x%x", m.BuildID, m.Start, m.End, m.Offset))
	}
	frames := func(id memprof.StackID) (words []string) {
		for f := range p.Stack(id) {
			inline := "0"
			if f.Inline {
				inline = "1"
			}
			words = append(words, fmt.Sprint(f.Function), f.Name, fmt.Sprint(f.LineOffset), fmt.Sprint(f.Column), inline)
		}
		return words
	}
	for _, r := range p.Records {
		record := &dumped{}
		for _, n := range r.AllocSites {
			c := &p.Contexts[n]
			words := frames(c.Stack)
			for f := range memprof.CompleteSchema.Fields() {
				if v, ok := c.MIB.Value(f); ok && f.String() != wandering {
					words = append(words, fmt.Sprintf("%s=%d", f, v))
				}
			}
			record.allocations = append(record.allocations, strings.Join(words, " "))
		}
		for _, c := range r.CallSites {
			record.calls = append(record.calls, strings.Join(frames(c.Stack), " "))
		}
		d.records[fmt.Sprint(r.Function)] = record
	}
	return d
}

// With its program each raw profile has the segments, the records, the call stacks
// and the numbers that llvm-profdata of its release prints.
func TestSymbolizedAsLLVMHasIt(t *testing.T) {
	for _, name := range []string{
		"clang-15_mem_exec", "clang-16_mem_exec", "clang-19_mem_a", "clang-19_mem_hist", "clang-22_mem_hist",
		"clang-22_mem_pie",
	} {
		want := readDump(t, name+".golden")
		got := dumpOf(raw(t, real(t, name+".memprofraw"), program(t, name+".exe")))
		if want.version != got.version {
			t.Errorf("%s is of version %d, want %d", name, got.version, want.version)
		}
		if diff := cmp.Diff(want.segments, got.segments); diff != "" {
			t.Errorf("%s: segments: %s", name, diff)
		}
		if len(want.records) != len(got.records) {
			t.Errorf("%s: %d records, want %d", name, len(got.records), len(want.records))
		}
		for function, w := range want.records {
			g := got.records[function]
			if g == nil {
				t.Errorf("%s: no record of %s", name, function)
				continue
			}
			if diff := cmp.Diff(inAnyOrder(w.allocations), inAnyOrder(g.allocations)); diff != "" {
				t.Errorf("%s: allocations of %s: %.1000s", name, function, diff)
			}
			// Each frame is printed like a call of its own.
			if diff := cmp.Diff(inAnyOrder(eachFrame(w.calls)), inAnyOrder(eachFrame(g.calls))); diff != "" {
				t.Errorf("%s: calls of %s: %.1000s", name, function, diff)
			}
		}
	}
}

// inAnyOrder sorts; releases differ in the order of sites.
func inAnyOrder(sites []string) []string {
	sites = slices.Clone(sites)
	slices.Sort(sites)
	return sites
}

// eachFrame is the frames of calls, each by itself.
func eachFrame(calls []string) (frames []string) {
	const words = 5 // of a frame
	for _, call := range calls {
		for frame := range slices.Chunk(strings.Split(call, " "), words) {
			frames = append(frames, strings.Join(frame, " "))
		}
	}
	return frames
}
