package profdata

import (
	"io"

	"proflens/command/llvmerr"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/internal/mmap"
)

// files are those that are mapped into memory until the end.
type files struct {
	maps  [][]byte
	stdin []byte
}

func (f *files) close() {
	for _, data := range f.maps {
		mmap.Release(data)
	}
	f.maps = nil
}

// read is a whole file; "-" is standard input.
func (f *files) read(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		if f.stdin == nil {
			data, err := io.ReadAll(stdin)
			if err != nil {
				return nil, err
			}
			f.stdin = data
		}
		return f.stdin, nil
	}
	data, err := mmap.ReadFile(name)
	if err != nil {
		return nil, &llvmerr.Fault{Where: name, Msg: llvmerr.System(err)}
	}
	f.maps = append(f.maps, data)
	return data, nil
}

// openInstr opens an instrumentation profile as it stands, records unmerged.
func openInstr(name string, data []byte) (src instrprof.Source, err error) {
	switch {
	case len(data) == 0:
		err = &model.FormatError{Kind: model.KindEmpty, Msg: "the file is empty"}
	case instrprof.IsRaw(data):
		src, err = instrprof.OpenRaw(data, nil)
	case instrprof.IsIndexed(data):
		src, err = instrprof.OpenIndexed(data, nil)
	case instrprof.IsText(data):
		src, err = instrprof.OpenText(data, nil)
	default:
		err = &model.FormatError{
			Kind: model.KindUnrecognizedFormat, Msg: "the file is no raw, indexed or text profile of instrumentation",
		}
	}
	if err != nil {
		return nil, llvmerr.Of(name, err, llvmerr.Instr)
	}
	return src, nil
}

func (t *tool) openSample(name string, data []byte) (*sampleprof.Profile, error) {
	p, err := sampleprof.Open(data, nil)
	if err != nil {
		return nil, llvmerr.Of(name, err, llvmerr.Sample)
	}
	return p, t.fsDiscriminators(p)
}
