package tables_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const samples = "sampleprof/testdata/"

// sampleGoldens are the sample profiles that llvm-profdata said something of.
func sampleGoldens(t *testing.T, kind string) (list []string) {
	t.Helper()
	err := filepath.WalkDir(testdata+samples, func(path string, _ fs.DirEntry, err error) error {
		if name, ok := strings.CutSuffix(path, "."+kind+".golden"); ok {
			list = append(list, strings.TrimPrefix(filepath.ToSlash(name), testdata))
		}
		return err
	})
	if err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	return list
}

// words are lines with one space between their words, sorted: the tool leaves the order of
// equal totals open.
func words(text string) (list []string) {
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			list = append(list, line)
		}
	}
	slices.Sort(list)
	return list
}

func percent(part, whole json.Number) string {
	p, _ := part.Float64()
	w, _ := whole.Float64()
	return fmt.Sprintf("%.2f%%", 100*p/w)
}

// The table of hot functions is what show --hot-func-list says.
func TestHotFunctions(t *testing.T) {
	for _, path := range sampleGoldens(t, "hot") {
		list := listed(t, opened(t, database(t, path), "hot", options), 0, -1)
		number := func(key string) json.Number { return list.more[key].(json.Number) }
		if number("all") == "0" {
			continue // the tool divides by nothing
		}
		hot := json.Number(fmt.Sprint(len(list.Items)))
		got := fmt.Sprintf("%s out of %s functions with profile (%s) are considered hot functions (max sample >= %s).\n",
			hot, number("all"), percent(hot, number("all")), number("hot_count")) +
			fmt.Sprintf("%s out of %s profile counts (%s) are from hot functions.\n", number("matching_total"),
				number("all_total"), percent(number("matching_total"), number("all_total")))
		for _, row := range list.Items {
			total := row["total"].(json.Number)
			got += fmt.Sprintf("%s (%s) %s %s %s\n", total, percent(total, number("all_total")), row["max"], row["entry"],
				row["context"])
		}
		golden := string(content(t, path+".hot.golden"))
		want := regexp.MustCompile(`(?m)^ Total sample.*$`).ReplaceAllString(golden, "")
		if diff := cmp.Diff(words(want), words(got)); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
}

// The table of the summary is what show --detailed-summary says.
func TestSampleSummary(t *testing.T) {
	for _, path := range sampleGoldens(t, "summary") {
		list := listed(t, opened(t, database(t, path), "summary", options), 0, -1)
		number := func(key string) json.Number { return list.more[key].(json.Number) }
		want := string(content(t, path+".summary.golden"))
		old := strings.Contains(want, "percentage")
		third := "Maximum internal block count: 0"
		if old {
			third = "Maximum block count: " + number("max_count").String()
		}
		if number("num_counts") == "0" {
			continue // the tool divides by nothing
		}
		got := fmt.Sprintf("Total functions: %s\nMaximum function count: %s\n%s\nTotal number of blocks: %s\nTotal count: "+
			"%s\nDetailed summary:\n",
			number("functions"), number("max_function"), third, number("num_counts"), number("total_count"))
		for _, row := range list.Items {
			cutoff, _ := row["cutoff"].(json.Number).Float64()
			counts := row["counts"].(json.Number)
			if old {
				got += fmt.Sprintf("%s blocks with count >= %s account for %.6g percentage of the total counts.\n", counts,
					row["min_count"], cutoff/10000)
			} else {
				got += fmt.Sprintf("%s blocks (%s) with count >= %s account for %.6g%% of the total counts.\n", counts,
					percent(counts, number("num_counts")), row["min_count"], cutoff/10000)
			}
		}
		if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
}

// The table of sections is what show --show-sec-info-only says.
func TestSampleSections(t *testing.T) {
	for _, path := range sampleGoldens(t, "sections") {
		got := ""
		for _, row := range rowsOf(t, database(t, path), "sections") {
			got += fmt.Sprintf("%s - Offset: %s, Size: %s, Flags: {%s}\n", row["name"], row["offset"], row["size"],
				strings.ReplaceAll(row["flags"].(string), ", ", ","))
		}
		if strings.Contains(path, "/llvm-13/") { // which sets this flag, and does not print it
			got = strings.ReplaceAll(got, "{attr}", "{}")
		}
		want, _, _ := strings.Cut(string(content(t, path+".sections.golden")), "Header Size")
		if diff := cmp.Diff(strings.TrimSpace(want), strings.TrimSpace(got)); diff != "" {
			t.Errorf("%s:\n%s", path, diff)
		}
	}
}

// aRecord is a count in text, and aTarget a call behind it.
var (
	aRecord = regexp.MustCompile(`^( +)([0-9.]+): ([0-9]+)((?: \S+:[0-9]+)*)$`)
	aTarget = regexp.MustCompile(` (\S+):([0-9]+)`)
)

// Records and their targets are the lines that merge --sample --text writes.
func TestSampleRecords(t *testing.T) {
	for _, path := range sampleGoldens(t, "proftext") {
		if strings.Contains(path, "names") {
			continue // whose names have spaces and colons
		}
		var records, targets []string
		for line := range strings.Lines(string(content(t, path+".proftext.golden"))) {
			m := aRecord.FindStringSubmatch(strings.TrimRight(line, "\n"))
			if m == nil {
				continue
			}
			at := fmt.Sprint(len(m[1])-1, " ", m[2])
			records = append(records, at+" "+m[3])
			for _, to := range aTarget.FindAllStringSubmatch(m[4], -1) {
				targets = append(targets, at+" "+to[1]+" "+to[2])
			}
		}
		p := database(t, path)
		var gotRecords, gotTargets []string
		at := func(row map[string]any) string {
			place := fmt.Sprint(row["offset"])
			if d := row["discriminator"].(json.Number); d != "0" {
				place += "." + d.String()
			}
			return fmt.Sprint(row["depth"], " ", place)
		}
		for _, row := range rowsOf(t, p, "records") {
			gotRecords = append(gotRecords, fmt.Sprint(at(row), " ", row["count"]))
		}
		for _, row := range rowsOf(t, p, "targets") {
			name := row["callee_linkage_name"]
			if name == nil {
				var guid uint64
				fmt.Sscanf(row["callee_fid"].(string), "%x", &guid)
				name = guid
			}
			gotTargets = append(gotTargets, fmt.Sprint(at(row), " ", name, " ", row["count"]))
		}
		if diff := cmp.Diff(records, gotRecords); diff != "" {
			t.Errorf("%s:\n%.2000s", path, diff)
		}
		if diff := cmp.Diff(targets, gotTargets); diff != "" {
			t.Errorf("%s:\n%.2000s", path, diff)
		}
	}
}

// Hundreds of functions with names of a page each, inlined into each other, are written with
// hashes once a path has more names than any real one.
func TestInlinedPathsAreBounded(t *testing.T) {
	const deep = 300
	var text strings.Builder
	text.WriteString("main:1:0\n")
	for depth := range deep {
		fmt.Fprintf(&text, "%s1: f%s%d:1\n", strings.Repeat(" ", depth+1), strings.Repeat("x", 20_000), depth)
	}
	fmt.Fprintf(&text, "%s1: 1\n", strings.Repeat(" ", deep+1))
	rows := rowsOf(t, store(t, file("deep.afdotext", text.String())), "records")
	if len(rows) != 1 || rows[0]["depth"] != json.Number("300") {
		t.Fatalf("%d rows", len(rows))
	}
	if path := rows[0]["inlined_path"].(string); len(path) > 2<<20 || strings.Count(path, " @ ") != deep {
		t.Errorf("%d bytes with %d steps", len(path), strings.Count(path, " @ "))
	}
}
