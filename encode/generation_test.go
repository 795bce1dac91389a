package encode_test

import (
	"iter"
	"slices"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/encode"
)

// facts is a front-end profile of some release with functions of some hashes.
type facts struct {
	instrprof.Empty
	info   instrprof.Info
	hashes []uint64
}

func (f facts) Info() *instrprof.Info { return &f.info }

func (f facts) Functions() iter.Seq2[*instrprof.Function, error] {
	return func(yield func(*instrprof.Function, error) bool) {
		for i, hash := range f.hashes {
			if !yield(&instrprof.Function{Name: []byte{'a' + byte(i)}, FuncHash: hash, Counters: []uint64{1}}, nil) {
				return
			}
		}
	}
}

func TestProducer(t *testing.T) {
	narrow, wide := []uint64{1, 1<<60 - 1}, []uint64{1, 1 << 60}
	packed, masked := []uint64{0, 1, 24, 10<<12 | 24<<6 | 32}, []uint64{1<<60 - 1, 63, 33 << 6, 1 << 6}
	for _, test := range []struct {
		format      model.Format
		version     uint64
		hashes      []uint64
		first, last int
		keeps       int
	}{
		{instrprof.FormatRaw, 1, narrow, 1, 4, 5}, // version 4 cannot be written
		{instrprof.FormatRaw, 4, narrow, 4, 5, 5},
		{instrprof.FormatRaw, 5, narrow, 5, 7, 12},
		{instrprof.FormatRaw, 8, wide, 7, 10, 12},
		{instrprof.FormatRaw, 9, narrow, 11, 11, 12},
		{instrprof.FormatRaw, 10, narrow, 12, 13, 13},
		{instrprof.FormatRaw, 10, wide, 7, 12, 12}, // LLVM 22 writes no such hash
		{instrprof.FormatRaw, 11, narrow, 14, 14, 13},
		{instrprof.FormatIndexed, 5, wide, 5, 5, 5},
		{instrprof.FormatIndexed, 6, wide, 6, 6, 6},
		{instrprof.FormatIndexed, 7, wide, 7, 7, 12},
		{instrprof.FormatIndexed, 13, narrow, 13, 13, 13},
		{instrprof.FormatIndexed, 13, wide, 7, 12, 12}, // an older program's, indexed by LLVM 22
		{instrprof.FormatText, 0, narrow, 1, 14, 13},
		{instrprof.FormatText, 0, wide, 1, 12, 12},
		{instrprof.FormatRaw, 10, nil, 1, 14, 13},
		{instrprof.FormatRaw, 10, packed, 12, 13, 13},
		{instrprof.FormatRaw, 10, masked, 13, 13, 13}, // LLVM 21 would have set an upper bit in some
		{instrprof.FormatText, 0, masked, 13, 14, 13},
		{instrprof.FormatRaw, 8, masked, 7, 10, 12},
	} {
		src := facts{info: instrprof.Info{Info: model.Info{Format: test.format, Version: test.version}}, hashes: test.hashes}
		p, err := encode.ProducerOf(src)
		if err != nil {
			t.Fatal(err)
		}
		if p.First != test.first || p.Last != test.last || p.Version() != test.keeps || !p.FrontEnd {
			t.Errorf("%s %d: %+v, keeps its hashes in version %d; want %d to %d, %d", test.format, test.version, p, p.Version(),
				test.first, test.last, test.keeps)
		}
		src.info.Variant = instrprof.IRProf
		if p, _ := encode.ProducerOf(src); p.FrontEnd || p.Version() != 13 || len(p.Mismatch(5)) > 0 {
			t.Errorf("IR: %+v", p)
		}
	}
}

func TestMismatch(t *testing.T) {
	const warning, note = model.Warning, model.Note
	narrow, wide := []uint64{1}, []uint64{1, 1 << 60, 1 << 63}
	long := []uint64{1, 1<<60 - 1}
	masked := []uint64{1, 1<<60 - 1, 63, 33, 1 << 6}
	for _, test := range []struct {
		format  model.Format
		version uint64
		hashes  []uint64
		to      int
		want    []model.Severity
		count   uint64
	}{
		{instrprof.FormatRaw, 10, narrow, 13, nil, 0},
		{instrprof.FormatRaw, 10, narrow, 12, nil, 0}, // all agree on functions of up to ten statements
		{instrprof.FormatRaw, 10, long, 12, []model.Severity{note}, 1},
		{instrprof.FormatRaw, 10, masked, 12, []model.Severity{warning}, 4},
		{instrprof.FormatRaw, 10, masked, 13, nil, 0},
		{instrprof.FormatRaw, 10, wide, 12, nil, 0},
		{instrprof.FormatRaw, 10, wide, 7, nil, 0},
		{instrprof.FormatRaw, 10, wide, 13, []model.Severity{warning}, 2},
		{instrprof.FormatRaw, 10, wide, 6, []model.Severity{warning}, 0},
		{instrprof.FormatIndexed, 13, narrow, 5, []model.Severity{warning}, 0},
		{instrprof.FormatIndexed, 13, masked, 5, []model.Severity{warning, warning, warning}, 4},
		{instrprof.FormatIndexed, 13, masked, 12, []model.Severity{warning}, 4},
		{instrprof.FormatIndexed, 6, wide, 13, []model.Severity{warning, warning}, 2},
		{instrprof.FormatIndexed, 6, narrow, 12, []model.Severity{warning}, 0},
		{instrprof.FormatIndexed, 4, narrow, 5, []model.Severity{warning}, 0},
		{instrprof.FormatRaw, 5, narrow, 12, []model.Severity{note}, 0},
		{instrprof.FormatRaw, 5, long, 12, []model.Severity{note, note}, 0},
		{instrprof.FormatText, 0, narrow, 13, []model.Severity{note}, 0},
		{instrprof.FormatText, 0, wide, 13, []model.Severity{warning}, 2},
	} {
		p, err := encode.ProducerOf(facts{
			info: instrprof.Info{Info: model.Info{Format: test.format, Version: test.version}}, hashes: test.hashes,
		})
		if err != nil {
			t.Fatal(err)
		}
		var got []model.Severity
		var count uint64
		for _, f := range p.Mismatch(test.to) {
			got = append(got, f.Severity)
			count = f.Count
			if f.Code != "profdata.hash_generation" || f.Message == "" {
				t.Errorf("%+v", f)
			}
		}
		if !slices.Equal(got, test.want) || count != test.count {
			t.Errorf("%s %d to %d: %v, %d; want %v, %d", test.format, test.version, test.to, got, count, test.want, test.count)
		}
	}
}
