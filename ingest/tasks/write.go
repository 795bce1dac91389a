package tasks

import (
	"context"
	"slices"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/internal/mmap"
	"proflens/profile"
	"proflens/profile/stored"
)

// Write decodes files as one profile and writes its tables. The answer is
// [stored.Figures].
type Write struct {
	Files   []File
	SHA256  []string // of each file, hex
	Path    string   // of the tables
	Preview string   // of those that can be shown before all are written
	// Kept are the names of archives among the files that could not be unpacked, of which
	// their own findings tell.
	Kept []string
}

func (t *Write) do(ctx context.Context, out Out) (any, error) {
	files, closer, err := open(t.Files)
	if err != nil {
		return nil, err
	}
	defer closer.Close()
	for i := range files {
		r := recognise(files[i])
		files[i].Is = &r
	}
	describe := files[0].Is.Describe
	out.progress(Progress{Stage: Recognised, Describe: describe})
	decoded, err := decode.Open(ctx, files, format.Options{
		Record:  true, // the sections are shown with each file
		Salvage: salvaged(t.Files),
		Passed:  mmap.Passed,
		Progress: func(done, total uint64) {
			out.progress(Progress{Stage: Decoding, Describe: describe, Done: done, Total: total})
		},
	})
	if err == nil {
		err = decoded.Fault()
	}
	if err != nil {
		return nil, err
	}
	decoded.Place(func(name string) bool { return slices.Contains(t.Kept, name) })
	in := profile.Input{
		Profile: decoded, Files: InputsOf(decoded, files, t.SHA256), Preview: t.Preview,
		Previewed: func() { out.progress(Progress{Stage: Indexing, Describe: describe, Shown: true}) },
	}
	return profile.Write(ctx, t.Path, in, func(stage stored.Stage, done, total uint64) {
		out.progress(Progress{Stage: Stage(stage), Describe: describe, Done: done, Total: total})
	})
}

// InputsOf says what each file of a profile is, for its tables; files and their
// sums are as they were given to decode.Open.
func InputsOf(p *format.Profile, files []format.File, sha256 []string) []stored.Input {
	inputs := make([]stored.Input, len(files))
	for i, f := range files {
		inputs[i] = stored.Input{Name: f.Name, SHA256: sha256[i], Size: int64(len(f.Data))}
		if i < len(p.Inputs) {
			info := &p.Inputs[i].Info
			inputs[i].Describe, inputs[i].Format, inputs[i].Version = info.Describe, info.Format, info.Version
			inputs[i].Sections = p.Inputs[i].Sections
			if len(info.Partial) > 0 {
				partial := info.Partial[0]
				partial.File = f.Name
				inputs[i].Partial = &partial
			}
		}
	}
	return inputs
}
