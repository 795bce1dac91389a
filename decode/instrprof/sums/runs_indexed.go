package sums

import (
	"bytes"
	"context"
	"sort"

	"proflens/decode/instrprof"
	"proflens/internal/recovery"
)

// filePlace is where an indexed file has a record of the sum.
type filePlace struct {
	number int32
	whole  bool   // it has more than counts
	record uint64 // where it begins
}

// compare sets, of those inputs that are indexed files like the sum, file and places. The sum
// may get more records before they are added.
func (m *Merger) compare(ctx context.Context, inputs []Input, alike []run, procs int) error {
	g, ctx := recovery.WithContext(ctx)
	g.SetLimit(procs)
	for i := range inputs {
		if file, ok := inputs[i].Source.(*instrprof.Indexed); ok {
			g.Go(func() error {
				if places, ok := m.placesOf(file); ok {
					alike[i] = run{in: &inputs[i], file: file, places: places, weight: max(inputs[i].Weight, 1)}
				}
				return ctx.Err()
			})
		}
	}
	return g.Wait()
}

// placesOf are the places of a file's records, if the file can be read to its end, and the sum
// has them all, in the same order and of the same shape.
func (m *Merger) placesOf(file *instrprof.Indexed) (places []filePlace, ok bool) {
	if spare, ok := m.places.Get().(*[]filePlace); ok {
		places = (*spare)[:0]
	} else {
		places = make([]filePlace, 0, min(uint64(len(m.records)), file.Info().Records))
	}
	number := int32(-1)
	for f, err := range file.Counted() {
		if err != nil {
			return nil, false
		}
		before := number
		if number = m.after(before, f); number <= before || !m.records[number].isLike(f) {
			return nil, false
		}
		places = append(places, filePlace{number, f.Whole != nil, f.Offset})
	}
	return places, true
}

// after is the number of the record of a name and hash, most likely the one after another, or -1.
func (m *Merger) after(number int32, f *instrprof.Counted) int32 {
	if next := number + 1; int(next) < len(m.records) {
		if r := &m.records[next]; r.funcHash == f.FuncHash && len(f.Name) > 0 && bytes.Equal(m.names.names[r.name], f.Name) {
			return next
		}
	}
	if len(f.Name) == 0 {
		return -1
	}
	return m.look(&instrprof.Function{Name: f.Name, FuncHash: f.FuncHash})
}

// isLike reports whether a record can be added without a word about its shape.
func (r *record) isLike(f *instrprof.Counted) bool {
	switch {
	case f.Counts != len(r.counters):
		return false
	case f.Whole == nil:
		return r.extra == nil || len(r.extra.bitmap) == 0 && r.extra.hasSites([instrprof.NumValueKinds]int{})
	case r.extra == nil || len(r.extra.bitmap) != len(f.Whole.Bitmap):
		return false
	}
	var sites [instrprof.NumValueKinds]int
	for k := range sites {
		sites[k] = len(f.Whole.Sites[k])
	}
	return r.extra.hasSites(sites)
}

// hasSites reports whether there are so many value sites.
func (e *recordExtra) hasSites(of [instrprof.NumValueKinds]int) bool {
	for k, n := range of {
		if len(e.sites[k]) != n {
			return false
		}
	}
	return true
}

// addFile adds those records of an indexed file that have numbers from one to before another.
func (a *runAdder) addFile(records []record, r *run, tally *runTally, from, to int32) {
	if len(r.places) == 0 {
		return
	}
	at := func(number int32) int {
		return sort.Search(len(r.places), func(i int) bool { return r.places[i].number >= number })
	}
	for _, p := range r.places[at(from):at(to)] {
		var w warnings
		to := &records[p.number]
		if !p.whole {
			if words := r.file.WordsAt(p.record, len(to.counters)); to.takes(words) {
				addWords(to.counters, words, r.weight, &w)
				tally.warn(p.number, w)
				continue
			}
		}
		to.merge(a.counted.Read(r.file, p.record), r.weight, &a.scratch, &w)
		tally.warn(p.number, w)
	}
}
