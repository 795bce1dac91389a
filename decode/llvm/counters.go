package llvm

import (
	"context"
	"fmt"
	"runtime"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/instrprof/sums"
	"proflens/decode/model"
	"proflens/internal/recovery"
)

// counters adds up the counters of files.
type counters struct {
	merger *sums.Merger
	kinds  []firstOfKind
	files  int // that were added
}

// firstOfKind is the first of the files whose profiles are of one kind.
type firstOfKind struct {
	name string
	info instrprof.Info
}

// counted is a file whose counters are about to be added.
type counted struct {
	file format.File
	src  instrprof.Source
}

// add adds files in their order. The errors are by file, and name it; the last is the
// context's.
func (c *counters) add(ctx context.Context, files []counted, procs int) ([]error, error) {
	inputs := make([]sums.Input, len(files))
	for i, f := range files {
		inputs[i] = sums.Input{Name: f.file.Name, Source: f.src, Weight: f.file.Weight}
	}
	if err := c.merger.AddAll(ctx, inputs, procs); err != nil {
		return nil, err
	}
	errs := make([]error, len(files))
	for i, in := range inputs {
		switch {
		case in.Err == nil:
			c.note(in.Name, in.Source.Info())
		case model.KindOf(in.Err) == model.KindUnsupportedVersion:
			errs[i] = c.incompatible(files[i].file, in.Source.Info(), in.Err)
		default:
			errs[i] = files[i].file.Is.Format.InFile(in.Name, in.Err)
		}
	}
	return errs, nil
}

// apart leaves those files whose counters mean something else than those before, as
// differ says, and which are at these places, and sets their errors.
func (c *counters) apart(files []counted, at []int, errs []error,
	differ func(a, b *instrprof.Info) error) (kept []counted, keptAt []int) {
	var kinds []firstOfKind
	kinds = append(kinds, c.kinds...)
	for i, f := range files {
		info := f.src.Info()
		var err error
		for _, k := range kinds {
			if err = differ(&k.info, info); err != nil {
				err = cannotMerge(f.file.Name, k.name, err)
				break
			}
		}
		if errs[at[i]] = err; err == nil {
			kept, keptAt = append(kept, f), append(keptAt, at[i])
			kinds = withKind(kinds, f.file.Name, info)
		}
	}
	return kept, keptAt
}

// note remembers a file if it is the first of its kind.
func (c *counters) note(name string, info *instrprof.Info) {
	c.files++
	c.kinds = withKind(c.kinds, name, info)
}

// withKind adds a file to the first of each kind, if it is that.
func withKind(kinds []firstOfKind, name string, info *instrprof.Info) []firstOfKind {
	for _, k := range kinds {
		if k.info.Variant == info.Variant && k.info.ExplicitFE == info.ExplicitFE &&
			k.info.Has(instrprof.Family) == info.Has(instrprof.Family) {
			return kinds
		}
	}
	return append(kinds, firstOfKind{
		name, instrprof.Info{Info: model.Info{Families: info.Families}, Variant: info.Variant, ExplicitFE: info.ExplicitFE},
	})
}

// incompatible names the file with which f cannot be merged.
func (c *counters) incompatible(f format.File, info *instrprof.Info, err error) error {
	if len(c.kinds) == 0 {
		return f.Is.Format.InFile(f.Name, err)
	}
	other := c.kinds[0].name
	for _, k := range c.kinds {
		if sums.KindsDiffer(&k.info, info) != nil {
			other = k.name
			break
		}
	}
	cause, _ := model.FaultIn(err)
	return f.Is.Format.Refuse(f.Name, fmt.Sprintf("%s cannot form one profile with %s: %s", f.Name, other, cause.Msg), err)
}

// atOnce is how many files are open for each processor: enough that a large one does
// not have the others wait.
const atOnce = 8

// Procs is how many goroutines add files up that many was asked for: 0 is as many as
// there are processors.
func Procs(asked int) int {
	if asked > 0 {
		return asked
	}
	return runtime.GOMAXPROCS(0)
}

// forEach calls f for each of n numbers, on so many goroutines.
func forEach(ctx context.Context, n, procs int, f func(i int) error) error {
	g, ctx := recovery.WithContext(ctx)
	g.SetLimit(procs)
	for i := range n {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			return f(i)
		})
	}
	return g.Wait()
}
