package handlers

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"net/http"
	"slices"

	"proflens/analyze"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/store"
)

// inventedProfile is a profile held in memory, for tests of pages. Its queries
// know offsets, limits and nothing else; a test sets what they answer.
type inventedProfile struct {
	Profile // what no test of pages asks for

	overview *store.Overview
	records  []store.FunctionRecord // in the default order
	known    map[uint64]store.NameInfo
	matching int  // when not 0, the rows that match
	partial  bool // the text filter ran out of time
	traces   []instrprof.Trace

	asked store.FunctionQuery // the last query with a limit
}

func (p *inventedProfile) Close() error { return nil }

func (p *inventedProfile) Overview(context.Context) (*store.Overview, error) { return p.overview, nil }

func (p *inventedProfile) Functions(_ context.Context, q store.FunctionQuery) (*store.FunctionPage, error) {
	p.asked = q
	f := &store.FunctionPage{All: len(p.records), Matching: len(p.records), MatchingTotal: p.overview.Total, Complete: !p.partial}
	if p.matching != 0 {
		f.Matching, f.MatchingTotal = max(p.matching, 0), analyze.Sum{}
	}
	if p.partial {
		f.Scanned = f.All * 2 / 5
	}
	first := min(q.Offset, f.Matching)
	for _, r := range p.records[first:min(first+q.Limit, f.Matching)] {
		f.Rows = append(f.Rows, r.FunctionRow)
		if p.matching != 0 {
			f.MatchingTotal.AddSum(r.Total)
		}
	}
	return f, nil
}

func (p *inventedProfile) Function(_ context.Context, ref uint64) ([]store.FunctionRecord, error) {
	var found []store.FunctionRecord
	for _, r := range p.records {
		if r.NameRef == ref {
			found = append(found, r)
		}
	}
	if found == nil {
		return nil, store.ErrNotFound
	}
	return found, nil
}

func (p *inventedProfile) NamesOf(_ context.Context, refs []uint64) (map[uint64]store.NameInfo, error) {
	found := map[uint64]store.NameInfo{}
	for _, ref := range refs {
		if info, ok := p.known[ref]; ok {
			found[ref] = info
		}
	}
	return found, nil
}

func (p *inventedProfile) Neighbours(_ context.Context, rank int) (prev, next *store.FunctionRow, err error) {
	if rank > 1 {
		prev = &p.records[rank-2].FunctionRow
	}
	if rank < len(p.records) {
		next = &p.records[rank].FunctionRow
	}
	return prev, next, nil
}

// invent makes a profile of functions; what it does not derive from them is
// that of a clang profile.
func invent(variant instrprof.Variant, functions ...instrprof.Function) *inventedProfile {
	o := &store.Overview{
		Info: instrprof.Info{Info: model.Info{Format: instrprof.FormatIndexed, Version: 13, Families: []model.Family{instrprof.Family}, BinaryIDs: [][]byte{{0xde, 0xad, 0xbe, 0xef}}}, Variant: variant},
		Inputs: []store.InputInfo{{Name: "clang.profdata", SHA256: "7c1e9a04d81f", Size: 43201331, Format: instrprof.FormatIndexed, Version: 13,
			Sections: []model.Section{{Name: "header", Size: 80}, {Name: "records", Size: 29360128}, {Name: "hash table", Size: 7340032},
				{Name: "summary", Size: 640}, {Name: "traces", Size: 4613734}, {Name: "vtable names", Size: 1153433}}}},
		Classes: map[analyze.Class]int{},
	}
	o.Describe = o.Info.Describe
	o.Inputs[0].Describe = o.Describe
	p := &inventedProfile{overview: o, known: map[uint64]store.NameInfo{}}
	names := map[uint64]bool{}
	var all []uint64
	for i := range functions {
		f := &functions[i]
		r := store.FunctionRecord{Counters: f.Counters, Bitmap: f.Bitmap, Sites: f.Sites}
		r.Name, r.NameRef, r.FuncHash, r.Ordinal = f.Name, f.NameRef, f.FuncHash, uint64(i)
		r.Stats = analyze.StatsOf(f, variant)
		r.Shape = shapeOf(f.Counters)
		p.records = append(p.records, r)
		p.known[f.NameRef] = store.NameInfo{Name: f.Name, HasRecord: true}
		if len(f.Name) > 0 {
			names[f.NameRef] = true
		}
		o.BitmapBytes += uint64(len(f.Bitmap))
		for k := range f.Sites {
			o.Sites[k] += uint64(len(f.Sites[k]))
		}
		for _, c := range f.Counters {
			if !r.Pseudo {
				o.Histogram[bits.Len64(c)]++
				o.Total.Add(c)
				all = append(all, c)
			}
		}
	}
	o.Functions, o.Names = len(functions), len(names)
	p.summarize(all)
	return p
}

// summarize fills in what follows from the records as a whole.
func (p *inventedProfile) summarize(all []uint64) {
	o := p.overview
	slices.SortStableFunc(p.records, func(a, b store.FunctionRecord) int { return b.Total.Compare(a.Total) })
	slices.Sort(all)
	slices.Reverse(all)
	o.Counters = uint64(len(all))
	for _, cutoff := range []uint64{10000, 100000, 500000, 800000, 900000, 950000, 990000, 999000, 999900, 999990, 999999} {
		var sum float64
		for n, c := range all {
			if sum += float64(c); c > 0 && sum >= o.Total.Float64()*float64(cutoff)/1e6 {
				o.Summary.Detailed = append(o.Summary.Detailed, instrprof.SummaryEntry{Cutoff: cutoff, MinCount: c, NumCounts: uint64(n + 1)})
				break
			}
		}
	}
	o.Thresholds = analyze.ThresholdsOf(&o.Summary)
	var cum float64
	for i := range p.records {
		r := &p.records[i]
		r.Rank = i + 1
		if !o.Total.IsZero() {
			r.Share = r.Total.Float64() / o.Total.Float64()
		}
		cum += r.Share
		r.Cum = min(cum, 1)
		r.Class = o.Thresholds.Classify(&r.Stats)
		o.Classes[r.Class]++
		o.Zero += uint64(r.NumZero)
		if r.Class == analyze.Never {
			o.NeverRan++
		}
		if r.Max > o.Max {
			o.Max, o.MaxAt = r.Max, &p.records[i].FunctionRow
		}
		if o.Hot90 == 0 && cum >= 0.9 {
			o.Hot90 = i + 1
		}
		if o.Hot99 == 0 && cum >= 0.99 {
			o.Hot99 = i + 1
		}
		step := math.Pow(float64(len(p.records)), 1.0/200)
		if i == 0 || i == len(p.records)-1 || float64(i+1) >= float64(o.Curve[len(o.Curve)-1].N)*step {
			o.Curve = append(o.Curve, store.CurvePoint{N: i + 1, Share: r.Cum})
		}
	}
}

func shapeOf(counters []uint64) []uint64 {
	n := min(len(counters), 24)
	shape := make([]uint64, n)
	for i, c := range counters {
		b := i * n / len(counters)
		shape[b] = max(shape[b], c)
	}
	return shape
}

// inventedFunction makes a function; its NameRef stands in for the MD5 of the name.
func inventedFunction(name string, hash uint64, counters ...uint64) instrprof.Function {
	var ref uint64 = 14695981039346656037
	for _, b := range []byte(name) {
		ref = (ref ^ uint64(b)) * 1099511628211
	}
	return instrprof.Function{Name: []byte(name), NameRef: ref, FuncHash: hash, Counters: counters}
}

// hostileNames try to leave the text they stand in.
var hostileNames = []string{
	`<script>alert(1)</script>`,
	`"><img src=x onerror=alert(1)>`,
	`' onmouseover='alert(1)`,
	`javascript:alert(1)`,
	"{{7*7}}</title></style></textarea>",
	"a\x00b\x1bc\xff\xfe",
	"safe\u202egnp.exe",
	`dir/<b>.c;fun<b>ction`,
}

// clang invents n functions with names and counts as those of a compiler.
func clang(n int) []instrprof.Function {
	bases := []string{"_ZN4llvm12SelectionDAG7getNodeEjRKNS_5SDLocENS_3EVTENS_8ArrayRefINS_7SDValueEEE", "_ZN5clang5Lexer16LexTokenInternalERNS_5TokenEb",
		"_ZN4llvm14FoldingSetBase21FindNodeOrInsertPosERKNS_16FoldingSetNodeIDERPvRKNS0_14FoldingSetInfoE", "_ZN5clang12Preprocessor3LexERNS_5TokenE",
		"_ZN4llvm16BumpPtrAllocatorINS_15MallocAllocatorELm4096ELm4096ELm128EE8AllocateEmNS_5AlignE", "lib/Support/StringMap.cpp;_ZL7xxHash64v", "main",
		"_ZNSt6vectorIiSaIiEE9push_backEOi", "_RNvCs1234_7mycrate3foo", "_ZN4core3ptr85drop_in_place$LT$std..rt..lang_start$LT$$LP$$RP$$GT$..$u7b$$u7b$closure$u7d$$u7d$$GT$17h0123456789abcdefE"}
	var list []instrprof.Function
	seed := uint64(42)
	next := func() uint64 {
		seed ^= seed << 13
		seed ^= seed >> 7
		seed ^= seed << 17
		return seed
	}
	for i := range n {
		name := bases[i%len(bases)]
		if i >= len(bases) {
			name = fmt.Sprintf("_ZN4llvm%d%s%dnumber%dEiPKc", 6+len(fmt.Sprint(i)), fmt.Sprintf("Class_%d", i), 6+len(fmt.Sprint(i)), i)
		}
		f := inventedFunction(name, next()&^instrprof.CSFlagInFuncHash)
		scale := 4e10 * math.Exp(-8*math.Sqrt(float64(i)/float64(n))) / float64(i%7+1)
		for j := range 3 + int(next()%40) {
			c := uint64(scale * math.Exp(-float64(next()%100)/9))
			if next()%3 == 0 || i > n*6/10 {
				c = 0
			}
			if j == 0 && i <= n*6/10 {
				c = uint64(scale)
			}
			f.Counters = append(f.Counters, c)
		}
		list = append(list, f)
	}
	return list
}

// inventedStore holds invented profiles by id, all of them ready and listed.
type inventedStore struct {
	Store    // nil: the pages of a profile need no more than is below
	profiles map[string]*inventedProfile
}

func (s inventedStore) Entry(_ context.Context, id string) (*store.Entry, error) {
	p, ok := s.profiles[id]
	if !ok {
		return nil, store.ErrNotFound
	}
	return &store.Entry{
		ID: id, Name: "clang-22-lto.profdata", State: store.Ready, Visibility: store.Listed, Digest: "7c1e9a04d81f",
		Describe: p.overview.Describe, Format: p.overview.Info.Format, Version: p.overview.Info.Version, Functions: p.overview.Functions,
	}, nil
}

func (s inventedStore) OpenProfile(_ context.Context, id string) (Profile, error) {
	return s.profiles[id], nil
}

// serveProfile is the whole HTTP interface over one invented profile, "p".
func serveProfile(p *inventedProfile) http.Handler {
	return New(Config{Store: inventedStore{profiles: map[string]*inventedProfile{"p": p}}})
}
