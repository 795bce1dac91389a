package coverage

import (
	"context"
	"fmt"
	"hash/maphash"
	"slices"
	"strings"

	"proflens/decode/covmap"
)

// Options are how mappings are joined with a profile.
type Options struct {
	// AsLLVM joins exactly as llvm-cov does, also where that loses data: a dummy of
	// an earlier object then stands in the place of a function that ran.
	AsLLVM bool
	// Brief keeps of functions their numbers and no regions: enough for
	// [Coverage.Summaries] and [Coverage.Summary].
	Brief bool
}

// Join joins the mappings of objects with a profile (section 6).
func Join(ctx context.Context, objects []*covmap.Object, p *Profile, o Options) (*Coverage, error) {
	j := joiner{
		Coverage: &Coverage{SingleByte: p.SingleByte}, profile: p, options: o, decider: decider{masks: p.ConditionMasks},
		files: map[string]int32{}, seen: map[uint64]int32{}, seed: maphash.MakeSeed(), used: make([]bool, len(p.records)),
	}
	total := 0
	for _, object := range objects {
		total += len(object.Functions)
	}
	j.Functions = make([]Function, 0, total)
	for next, err := range decoded(ctx, objects) {
		if err != nil {
			return nil, err
		}
		j.mapping = next.mapping
		if err := j.join(next.object, next.function); err != nil {
			return nil, fmt.Errorf("%s: %w", objects[next.object].Name, err)
		}
	}
	if !o.AsLLVM {
		j.dropDummies()
		j.findLost(objects)
	}
	j.finish()
	return j.Coverage, nil
}

// joiner joins one function record after the other.
type joiner struct {
	*Coverage
	profile *Profile
	options Options
	mapping *covmap.Mapping
	values  evaluator
	decider decider

	files map[string]int32 // indices of Files, which stand as they were met
	lists [][]int32        // of file ids
	ids   []int32          // slab of lists
	last  []string         // the names of the last list
	seen  map[uint64]int32 // functions by what tells them apart
	seed  maphash.Seed
	used  []bool // records of the profile
	slab  []Region

	numbers summarizer // of functions that are kept in brief
}

func (j *joiner) join(object int, f *covmap.Function) error {
	m := j.mapping
	if len(m.Files) == 0 {
		return nil // nothing is mapped
	}
	at, how := j.profile.find(f.Name, f.Hash)
	if how == mismatched {
		j.Misfits.Mismatched = append(j.Misfits.Mismatched, j.misfit(object, f))
		return nil
	}
	var record Record
	if how == matched {
		record = j.profile.records[at]
		if len(m.Regions) > 1 || m.Regions[0].Counter.Tag() != covmap.Zero {
			j.used[at] = true // rather than by a dummy, which has the hash of a function that cannot branch
		}
	}
	if len(m.Regions) == 1 && m.Regions[0].Counter.Tag() == covmap.Zero && len(record.Counters) > 0 &&
		record.Counters[0] > 0 {
		return nil // a dummy left over: the mapping is elsewhere
	}
	joined := Function{
		Name: shownName(f.Name, m.Files[0]), Linkage: f.Name, Hash: f.Hash, Object: object, Dummy: f.Dummy,
		Profiled: how == matched,
	}
	ok, err := j.count(&joined, record)
	if err != nil {
		return err
	}
	if !ok {
		j.Misfits.Short = append(j.Misfits.Short, j.misfit(object, f))
		j.giveBack()
		return nil
	}
	key := j.key(joined.Name, m.Files)
	earlier, known := j.seen[key]
	switch {
	case !known:
		j.seen[key] = int32(len(j.Functions))
		j.settle(&joined)
		j.Functions = append(j.Functions, joined)
	case !j.options.AsLLVM && better(&joined, &j.Functions[earlier]):
		if joined.Count() > 0 {
			j.Misfits.Hidden = append(j.Misfits.Hidden, j.misfit(object, f))
		}
		j.settle(&joined)
		j.Functions[earlier] = joined
	default:
		if j.other(&j.Functions[earlier], &joined) {
			j.Misfits.Other = append(j.Misfits.Other, j.misfit(object, f))
		}
		j.giveBack()
	}
	return nil
}

// other reports whether two functions that ran, of the same name, hash and files, are on
// other lines: the programs were compiled with other macros, say.
func (j *joiner) other(a, b *Function) bool {
	return a.Object != b.Object && a.Hash == b.Hash && a.Profiled && b.Profiled && !a.Dummy && !b.Dummy &&
		j.places(a) != j.places(b)
}

// places is a hash of where the regions of a function are.
func (j *joiner) places(f *Function) uint64 {
	if f.brief != nil {
		return f.brief.places
	}
	var h maphash.Hash
	h.SetSeed(j.seed)
	for i := range f.Regions {
		r := &f.Regions[i]
		maphash.WriteComparable(&h, Region{Start: r.Start, End: r.End, File: r.File, Kind: r.Kind})
	}
	return h.Sum64()
}

// better reports whether a function is rather to be counted than another of the same
// name and files.
func better(f, than *Function) bool {
	if f.Profiled != than.Profiled {
		return f.Profiled
	}
	return than.Dummy && !f.Dummy
}

func (j *joiner) misfit(object int, f *covmap.Function) Misfit {
	return Misfit{Name: f.Name, Object: object, Hash: f.Hash, Found: j.profile.hashes(f.Name), Dummy: f.Dummy}
}

// key tells functions apart: llvm-cov takes those of one name and one list of files
// for one.
func (j *joiner) key(name string, files []string) uint64 {
	var h maphash.Hash
	h.SetSeed(j.seed)
	h.WriteString(name)
	for _, f := range files {
		h.WriteByte(0)
		h.WriteString(f)
	}
	return h.Sum64()
}

// count evaluates the regions of the mapping; false: the record has too few counters.
func (j *joiner) count(f *Function, record Record) (ok bool, err error) {
	m := j.mapping
	conditions := 0
	for i := range m.Regions {
		if isCondition(m.Regions[i].Kind) {
			conditions++
		}
	}
	all := j.room(len(m.Regions))
	others := len(all) - conditions
	f.Regions, f.Branches = all[:0:others], all[others:others]
	j.values.begin(m, record.Counters, !f.Profiled)
	j.decider.under = j.decider.under[:0]
	for i := range m.Regions {
		r := &m.Regions[i]
		if r.Kind == covmap.Decision {
			j.decider.begin(r)
			continue
		}
		counted := Region{Start: r.Start, End: r.End, File: r.File, Expanded: r.Expanded, Kind: r.Kind}
		if counted.Count, ok = j.values.of(r.Counter); !ok {
			return false, nil
		}
		if !isCondition(r.Kind) {
			f.Regions = append(f.Regions, counted)
			if r.Kind == covmap.Expansion {
				j.decider.expand(r)
			}
			continue
		}
		if counted.False, ok = j.values.of(r.False); !ok {
			return false, nil
		}
		counted.TrueFolded, counted.FalseFolded = r.Counter.Tag() == covmap.Zero, r.False.Tag() == covmap.Zero
		f.Branches = append(f.Branches, counted)
		if r.Kind == covmap.MCDCBranch {
			d, err := j.decider.branch(r, record.Bitmap)
			if err != nil {
				return false, err
			}
			if d != nil {
				f.Decisions = append(f.Decisions, *d)
			}
		}
	}
	if f.Profiled && len(record.Bitmap) == 0 && len(f.Decisions) > 0 {
		f.Decisions, f.unread = nil, true // not seen is not the same as not covered
	}
	return true, nil
}

func isCondition(k covmap.Kind) bool { return k == covmap.Branch || k == covmap.MCDCBranch }

// room is a piece of a slab.
func (j *joiner) room(n int) []Region {
	const size = 1 << 12
	if cap(j.slab)-len(j.slab) < n {
		j.slab = make([]Region, 0, max(size, n))
	}
	from := len(j.slab)
	j.slab = j.slab[:from+n]
	return j.slab[from : from+n : from+n]
}

// giveBack returns the room of a function that is not kept.
func (j *joiner) giveBack() { j.slab = j.slab[:len(j.slab)-len(j.mapping.Regions)] }

// settle gives a function that is kept its files.
func (j *joiner) settle(f *Function) {
	names := j.mapping.Files
	if !slices.Equal(names, j.last) {
		j.last = append(j.last[:0], names...)
		list := make([]int32, 0, 8)
		for _, name := range names {
			at, ok := j.files[name]
			if !ok {
				at = int32(len(j.Files))
				j.files[name] = at
				j.Files = append(j.Files, File{Name: name})
			}
			list = append(list, at)
		}
		j.lists = append(j.lists, kept(&j.ids, list))
	}
	f.Files = j.lists[len(j.lists)-1]
	f.Main = mainOf(f.Regions, len(names))
	if j.options.Brief {
		j.shorten(f)
	}
}

// dropDummies leaves out the dummies of functions that another record is of, which has
// not the same list of files when a macro is in them.
func (j *joiner) dropDummies() {
	type place struct {
		name string
		file int32
	}
	placeOf := func(f *Function) place { return place{f.Linkage, f.Files[max(f.Main, 0)]} }
	emitted := map[place]bool{}
	for i := range j.Functions {
		if f := &j.Functions[i]; f.Dummy {
			emitted[placeOf(f)] = false
		}
	}
	for i := range j.Functions {
		f := &j.Functions[i]
		if _, is := emitted[placeOf(f)]; is && !f.Dummy {
			emitted[placeOf(f)] = true
		}
	}
	j.Functions = slices.DeleteFunc(j.Functions, func(f Function) bool { return f.Dummy && emitted[placeOf(&f)] })
}

// finish sorts the files by name.
func (j *joiner) finish() {
	order := make([]int32, len(j.Files))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(j.Files[a].Name, j.Files[b].Name) })
	sorted, now := make([]File, len(order)), make([]int32, len(order))
	for i, from := range order {
		sorted[i], now[from] = j.Files[from], int32(i)
	}
	j.Files = sorted
	for i := range j.Functions {
		if f := &j.Functions[i]; f.unread {
			j.Misfits.Bitmapless = append(j.Misfits.Bitmapless, Misfit{
				Name: f.Linkage, Object: f.Object, Hash: f.Hash, Found: []uint64{f.Hash},
			})
		}
	}
	for _, list := range j.lists {
		for id, file := range list {
			list[id] = now[file]
		}
	}
	j.mention()
}
