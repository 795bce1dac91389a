package tables_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// textRecord is a function record as llvm-profdata merge --text writes it.
type textRecord struct {
	name, hash string
	counters   []uint64
	bitmap     []byte
	// sites are, by kind of value, the targets of each with their counts.
	sites map[string][][]textValue
}

type textValue struct {
	value string
	count uint64
}

// textRecords reads such a text, of which every record has a comment before each of
// its parts.
func textRecords(t testing.TB, path string) []textRecord {
	t.Helper()
	lines := strings.Split(string(content(t, path)), "\n")
	at := 0
	next := func() string { at++; return lines[at-1] }
	number := func(s string, base int) uint64 {
		n, err := strconv.ParseUint(s, base, 64)
		if err != nil {
			t.Fatalf("%s, line %d: %v", path, at, err)
		}
		return n
	}
	kinds := map[string]string{
		"IPVK_IndirectCallTarget": "values", "IPVK_MemOPSize": "values-memop", "IPVK_VTableTarget": "values-vtable",
	}
	var list []textRecord
	for at < len(lines) {
		name := next()
		if at == len(lines) || lines[at] != "# Func Hash:" {
			continue
		}
		next()
		r := textRecord{name: name, hash: fmt.Sprintf("%016x", number(next(), 10)), sites: map[string][][]textValue{}}
		for at < len(lines) && lines[at] != "" {
			switch comment := next(); {
			case comment == "# Num Counters:":
				n := number(next(), 10)
				next()
				for range n {
					r.counters = append(r.counters, number(next(), 10))
				}
			case comment == "# Num Bitmap Bytes:":
				n := number(strings.TrimPrefix(next(), "$"), 10)
				next()
				for range n {
					r.bitmap = append(r.bitmap, byte(number(strings.TrimPrefix(next(), "0x"), 16)))
				}
			case comment == "# Num Value Kinds:":
				next()
			case strings.HasPrefix(comment, "# ValueKind = "):
				kind := kinds[strings.TrimSuffix(strings.TrimPrefix(comment, "# ValueKind = "), ":")]
				next()
				next()
				for range number(next(), 10) {
					var values []textValue
					for range number(next(), 10) {
						line := next()
						colon := strings.LastIndexByte(line, ':')
						values = append(values, textValue{line[:colon], number(line[colon+1:], 10)})
					}
					r.sites[kind] = append(r.sites[kind], values)
				}
			}
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		t.Fatalf("no records in %s", path)
	}
	return list
}

const indexed = "instrprof/testdata/indexed/"

// Every record of llvm-profdata's text is a row, with its sum, its largest counter
// and how many are zero; the largest sum comes first.
func TestFunctionsAsLLVMHasThem(t *testing.T) {
	for _, name := range []string{
		"clang-15_ir_c", "clang-13_fe_vp", "clang-19_mcdc", "text_same_name_hashes", "text_utf8", "rustc-stable_cov",
	} {
		want := map[string]textRecord{}
		for _, r := range textRecords(t, indexed+name+".profdata.golden") {
			want[r.name+" "+r.hash] = r
		}
		rows := rowsOf(t, database(t, indexed+name+".profdata"), "functions")
		if len(rows) != len(want) {
			t.Errorf("%s: %d rows of %d records", name, len(rows), len(want))
		}
		last := new(big.Int).Lsh(big.NewInt(1), 200)
		for i, row := range rows {
			r, ok := want[fmt.Sprint(row["name"], " ", row["func_hash"])]
			if !ok {
				t.Errorf("%s: no such record: %v", name, row)
				continue
			}
			sum, zero, most := new(big.Int), 0, uint64(0)
			for _, n := range r.counters {
				sum.Add(sum, new(big.Int).SetUint64(n))
				if most = max(most, n); n == 0 {
					zero++
				}
			}
			got := []any{row["total"], row["max"], row["counters"], row["zero"], row["executed"], row["rank"]}
			numbers := []any{json.Number(sum.String()), json.Number(strconv.FormatUint(most, 10)),
				json.Number(strconv.Itoa(len(r.counters))), json.Number(strconv.Itoa(zero)),
				most > 0, json.Number(strconv.Itoa(i + 1))}
			if diff := cmp.Diff(numbers, got); diff != "" && row["pseudo"] != true {
				t.Errorf("%s: %s: %s", name, r.name, diff)
			}
			if sum.Cmp(last) > 0 {
				t.Errorf("%s: %s has more than the row before it", name, r.name)
			}
			last = sum
		}
	}
}

// Every value site of llvm-profdata's text is a row, reached or not, and its values
// are those of the text, the most frequent first.
func TestValuesAsLLVMHasThem(t *testing.T) {
	for _, name := range []string{"clang-16_buildid", "clang-22_vtable_kept", "clang-13_fe_vp"} {
		p := database(t, indexed+name+".profdata")
		want := map[string]map[string][]uint64{} // by table, function and site: counts
		for _, r := range textRecords(t, indexed+name+".profdata.golden") {
			for kind, sites := range r.sites {
				if want[kind] == nil {
					want[kind] = map[string][]uint64{}
				}
				for i, values := range sites {
					var counts []uint64
					for _, v := range values {
						counts = append(counts, v.count)
					}
					slices.Sort(counts)
					slices.Reverse(counts)
					want[kind][fmt.Sprint(r.name, " ", r.hash, " ", i)] = counts
				}
			}
		}
		if len(want) == 0 {
			t.Fatalf("%s has no values", name)
		}
		for kind, sites := range want {
			rows := rowsOf(t, p, kind)
			if len(rows) != len(sites) {
				t.Errorf("%s: %d rows of %d sites of %s", name, len(rows), len(sites), kind)
			}
			for _, row := range rows {
				var got []uint64
				sum, top := uint64(0), uint64(0)
				for _, v := range row["values"].([]any) {
					n, _ := strconv.ParseUint(v.(map[string]any)["count"].(json.Number).String(), 10, 64)
					got, sum, top = append(got, n), sum+n, max(top, n)
				}
				key := fmt.Sprint(row["name"], " ", row["func_hash"], " ", row["index"])
				if !slices.Equal(got, sites[key]) || row["sum"] != json.Number(strconv.FormatUint(sum, 10)) ||
					row["top_count"] != json.Number(strconv.FormatUint(top, 10)) {
					t.Errorf("%s: %s: %v, %v of them at the top; want %v", name, key, got, row["top_count"], sites[key])
				}
			}
		}
	}
}

func TestBitmapsAsLLVMHasThem(t *testing.T) {
	want := map[string][3]string{}
	for _, r := range textRecords(t, indexed+"clang-19_mcdc.profdata.golden") {
		if len(r.bitmap) == 0 {
			continue
		}
		set := 0
		for _, b := range r.bitmap {
			set += bits.OnesCount8(b)
		}
		want[r.name+" "+r.hash] = [3]string{fmt.Sprint(len(r.bitmap)), fmt.Sprint(8 * len(r.bitmap)), fmt.Sprint(set)}
	}
	got := map[string][3]string{}
	for _, row := range rowsOf(t, database(t, indexed+"clang-19_mcdc.profdata"), "bitmaps") {
		got[fmt.Sprint(row["name"], " ", row["func_hash"])] = [3]string{
			fmt.Sprint(row["bytes"]), fmt.Sprint(row["bits"]), fmt.Sprint(row["set"]),
		}
	}
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("%d bitmaps: %s", len(want), diff)
	}
}

// The traces of text_temporal.profdata.golden: a,b,c of weight 1, c,a of 2, b of 7.
func TestTracesAsLLVMHasThem(t *testing.T) {
	p := database(t, indexed+"text_temporal.profdata")
	list := listed(t, opened(t, p, "traces", options), 0, -1)
	var got []string
	for _, row := range list.Items {
		got = append(got, fmt.Sprint(row["trace"], " ", row["position"], " ", row["name"], " ", row["weight"]))
	}
	if diff := cmp.Diff([]string{"0 0 a 1", "0 1 b 1", "0 2 c 1", "1 0 c 2", "1 1 a 2", "2 0 b 7"}, got); diff != "" {
		t.Error(diff)
	}
	if list.more["traces"] != json.Number("3") || list.more["trace_stream_size"] != json.Number("5") {
		t.Errorf("%v", list.more)
	}
	order := rowsOf(t, p, "order")
	var names []string
	for i, row := range order {
		names = append(names, row["name"].(string))
		if row["place"] != json.Number(strconv.Itoa(i)) {
			t.Errorf("%v at place %d", row, i)
		}
	}
	if slices.Sort(names); !slices.Equal(names, []string{"a", "b", "c"}) {
		t.Errorf("%v", names)
	}
}

// As llvm-profdata show --binary-ids prints them.
func TestBinaryIDsAsLLVMHasThem(t *testing.T) {
	for name, want := range map[string][]string{
		"clang-16_buildid":   {"19814a26d49aa02c89ec9301176e53c832681fb3"},
		"clang-19_mcdc":      {"3789fa1cfef1742eb6742d43566e711d0b1d2fef"},
		"clang-22_cs_merged": {"9aba24d9bcdf026ee1f3fe8c703352041e66f312", "fef5a803ff910cabad4cbff5b1dddab70d77a373"},
	} {
		var got []string
		for _, row := range rowsOf(t, database(t, indexed+name+".profdata"), "binary-ids") {
			if got = append(got, row["id"].(string)); row["bytes"] != json.Number("20") {
				t.Errorf("%v", row)
			}
		}
		if slices.Sort(got); !slices.Equal(got, want) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Whatever functions are gathered by, together they are all.
func TestCoverageOfCounters(t *testing.T) {
	for _, name := range []string{"clang-15_ir_c", "rustc-stable_cov"} {
		p := database(t, indexed+name+".profdata")
		records := textRecords(t, indexed+name+".profdata.golden")
		counters, zero := 0, 0
		for _, r := range records {
			counters += len(r.counters)
			for _, n := range r.counters {
				if n == 0 {
					zero++
				}
			}
		}
		for _, table := range []string{"coverage", "coverage-namespace"} {
			sums := map[string]int64{}
			for _, row := range rowsOf(t, p, table) {
				for _, column := range []string{"functions", "executed", "never", "counters", "zero"} {
					sums[column] += integer(t, row[column])
				}
			}
			if sums["functions"] != int64(len(records)) || sums["counters"] != int64(counters) || sums["zero"] != int64(zero) ||
				sums["executed"]+sums["never"] != sums["functions"] {
				t.Errorf("%s, %s: %v; want %d records with %d counters, %d zero", name, table, sums, len(records), counters, zero)
			}
		}
	}
}
