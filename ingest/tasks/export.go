package tasks

import (
	"bufio"
	"context"
	"io"
	"strconv"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/llvm"
	"proflens/decode/model"
	"proflens/encode"
	"proflens/profile/exports"
)

// Head is what is known of a stream before its first byte.
type Head struct {
	Version  int             // of an indexed profile, else 0
	Findings []model.Finding // what is not quite as it was
	// Nothing says why there is nothing to write; see [exports.Plan]. Then there is
	// no stream.
	Nothing string
	// Partial is, of each profile of a [Merge], what of its files was read.
	Partial [][]model.Partial
	// Programs are the files of the profiles of a [Merge] without which the sum would
	// lack a part that one of them has.
	Programs []Program
	// Contributions is what each profile of a [Merge] has in the sum; nil where that is
	// not of counters alone.
	Contributions []Contribution
	// LeftOut is why a profile of a [Merge] is not in the sum, empty for those that are;
	// nil where all are.
	LeftOut []string
	first   error // the first reason
}

// Program is a file of a profile of a [Merge], both by index.
type Program struct{ Input, File int }

// Export decodes files as one profile and writes it in another form, as a stream.
type Export struct {
	Files   []File
	Name    string // of the export
	Options exports.Options
}

// streamBuffer is how much is written before the first byte leaves: a fault
// that shows within it is still a clean answer.
const streamBuffer = 64 << 10

func (t *Export) do(ctx context.Context, out Out) (any, error) {
	e, err := exports.Find(t.Name)
	if err != nil {
		return nil, err
	}
	p, closer, err := source(ctx, t.Files)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	plan, err := e.Plan(p, t.Options)
	if err != nil {
		return nil, err
	}
	w := &lateWriter{begin: out.Begin, head: Head{Version: plan.Version, Findings: plan.Findings, Nothing: plan.Nothing}}
	if plan.Nothing != "" {
		return nil, w.start()
	}
	b := bufio.NewWriterSize(w, streamBuffer)
	if _, err := plan.Write(b); err != nil {
		return nil, err
	}
	return nil, b.Flush()
}

// source decodes files as one profile. Nothing that came from it may be used
// once the closer is closed.
func source(ctx context.Context, files []File) (*format.Profile, io.Closer, error) {
	opened, closer, err := open(files)
	if err != nil {
		return nil, nil, err
	}
	profile, err := decode.Open(ctx, opened, format.Options{Salvage: salvaged(files)})
	if err != nil {
		closer.Close()
		return nil, nil, err
	}
	return profile, closer, nil
}

// ProfdataPreview says what would become of a profile in each indexed version. The answer
// is [encode.ProfdataPreview].
type ProfdataPreview struct {
	Files       []File
	VTableNames bool // they are to be kept
}

func (t *ProfdataPreview) do(ctx context.Context, _ Out) (any, error) {
	p, closer, err := source(ctx, t.Files)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	return encode.PreviewProfdata(llvm.SourceOf(p), exports.IndexedOptions(p, exports.Options{
		"keep-vtable-symbols": strconv.FormatBool(t.VTableNames),
	}))
}
