package llvm

import "proflens/decode/instrprof"

// reportEvery is how many records pass between two reports of progress, and
// two looks at the context.
const reportEvery = 4096

// report says how far one file of size bytes is, which begins so many bytes behind
// those that are done.
func (o *opener) report(behind, size uint64) func(done, of uint64) {
	if o.options.Progress == nil {
		return nil
	}
	start := o.done + behind
	return func(done, of uint64) {
		part := float64(done) / float64(max(of, done, 1))
		o.options.Progress(start+uint64(part*float64(size)), o.total)
	}
}

// progress is a source that reports how many records were read.
type progress struct {
	instrprof.Source
	report func(done, of uint64)
	size   uint64 // of the file
}

// Unwrap is the source itself.
func (p progress) Unwrap() instrprof.Source { return p.Source }

// Functions implements [instrprof.Source].
func (p progress) Functions() instrprof.Functions {
	if p.report == nil {
		return p.Source.Functions()
	}
	return func(yield func(*instrprof.Function, error) bool) {
		n, of := uint64(0), p.Info().Records
		for f, err := range p.Source.Functions() {
			switch n++; {
			case n%reportEvery > 0 || f == nil:
			case of > 0:
				p.report(n, of)
			default: // text does not say how many there are
				p.report(f.Offset, p.size)
			}
			if !yield(f, err) {
				return
			}
		}
	}
}
