package covdb_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"proflens/profile/covdb"
	"proflens/profile/profiletest"
	"proflens/profile/query"
	"proflens/profile/table"
)

// What does not fit is told with its functions.
func TestFindings(t *testing.T) {
	for _, test := range []struct {
		files []string
		want  []string // code, count and a word of the message
	}{
		{
			[]string{"joined/stale.profdata", "joined/stale.exe"},
			[]string{"coverage.build_id 0 another", "coverage.mismatched 2 depth"},
		},
		{[]string{"joined/short.profdata", "joined/tiny.exe"}, []string{"coverage.short 1 "}},
		{[]string{"clang-22/dup/dup.profdata", "clang-22/dup/dup.exe"},
			[]string{"coverage.lost 1 helper", "coverage.lost 1 mapping"}},
		{[]string{"joined/order.profdata", "joined/libbar.so", "joined/order.exe"}, []string{"coverage.hidden 1 "}},
		{[]string{"joined/calc.profdata", "clang-22/uni/uni.exe"}, []string{"coverage.wrong_program 2 functions:"}},
		{[]string{"joined/calc.profdata", "clang-22/stripped/stripped.exe"}, []string{"coverage.no_mapping 0 "}},
		{[]string{"clang-22/rules/rules.profdata", "clang-22/rules/rules.exe"}, nil},
	} {
		var paths []string
		for _, f := range test.files {
			paths = append(paths, testdata+f)
		}
		stored, _ := profiletest.Open(t, paths...)
		var got []string
		for _, f := range stored.Overview.Findings {
			if strings.HasPrefix(f.Code, "coverage.") {
				got = append(got, fmt.Sprintf("%s %d %s", f.Code, f.Count, f.Message))
			}
		}
		for _, want := range test.want {
			word := want[strings.LastIndexByte(want, ' ')+1:]
			if !slices.ContainsFunc(got, func(g string) bool {
				return strings.HasPrefix(g, strings.TrimSuffix(want, word)) && strings.Contains(g, word)
			}) {
				t.Errorf("%v: nothing like %q among %q", test.files, want, got)
			}
		}
		if test.want == nil && len(got) > 0 {
			t.Errorf("%v: %q", test.files, got)
		}
	}
}

// Functions that ran and that llvm-cov shows as 0 have their counts here.
func TestHiddenFunctionsAreCounted(t *testing.T) {
	p, _ := opened(t, "joined/order.profdata", "joined/libbar.so", "joined/order.exe")
	find, err := p.FindMisfits(t.Context(), covdb.Hidden)
	if err != nil {
		t.Fatal(err)
	}
	page, err := find(t.Context(), table.Query{RowQuery: query.RowQuery{Limit: 10}})
	if err != nil || page.Len() != 1 {
		t.Fatal(page, err)
	}
	hidden := page.Row(0).Addr().Interface().(*covdb.Misfit)
	rows, err := p.Functions(t.Context(), covdb.FunctionQuery{
		State: covdb.Ran, RowQuery: query.RowQuery{Limit: 100},
	})
	if err != nil || !slices.ContainsFunc(rows.Rows, func(f covdb.Function) bool {
		return f.Name == hidden.Name && f.Count > 0
	}) {
		t.Errorf("%+v is not among %d that ran: %v", hidden, len(rows.Rows), err)
	}
}

// A program's build id is the profile's where that has none.
func TestBuildIDsJoin(t *testing.T) {
	p := decoded(t, testdata+"joined/stale.profdata", testdata+"joined/stale.exe")
	without := decoded(t, testdata+"joined/stale.profdata")
	if len(without.Info.BinaryIDs) == 0 && len(p.Info.BinaryIDs) != 1 {
		t.Errorf("build ids %x", p.Info.BinaryIDs)
	}
}
