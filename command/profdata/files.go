package profdata

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"

	"proflens/command/llvmerr"
	"proflens/decode/instrprof"
	"proflens/decode/memprof"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/internal/mmap"
)

// files are those that are mapped into memory until the end.
type files struct {
	mapped  map[string][]byte // by name
	stdin   []byte
	buffers sync.Pool // of *[]byte, of smallFile bytes
}

// smallFile is the size up to which it takes less to copy a file than to map it.
const smallFile = 64 << 10

// lend is a whole file that is used until done is called, by one of several goroutines.
func (f *files) lend(name string) (data []byte, done func(), err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() >= smallFile {
		data, err = mmap.Read(file)
		return data, func() { mmap.Release(data) }, err
	}
	buffer, ok := f.buffers.Get().(*[]byte)
	if !ok {
		buffer = new(make([]byte, smallFile))
	}
	n, err := io.ReadFull(file, *buffer)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return (*buffer)[:n:n], func() { f.buffers.Put(buffer) }, nil
	}
	f.buffers.Put(buffer)
	return nil, nil, err
}

func (f *files) close() {
	for _, data := range f.mapped {
		mmap.Release(data)
	}
	f.mapped = nil
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
	if data, ok := f.mapped[name]; ok {
		return data, nil
	}
	data, err := mmap.ReadFile(name)
	if err != nil {
		return nil, &llvmerr.Fault{Where: name, Msg: llvmerr.System(err)}
	}
	if f.mapped == nil {
		f.mapped = map[string][]byte{}
	}
	f.mapped[name] = data
	return data, nil
}

// openInstr opens an instrumentation profile as it stands, records unmerged.
func (t *tool) openInstr(name string, data []byte) (src instrprof.Source, err error) {
	switch {
	case len(data) == 0:
		err = model.Faultf(model.KindEmpty, "the file is empty")
	case instrprof.IsRaw(data):
		var programs instrprof.Programs
		src, err = programs.Open(data, nil, nil, true)
	case instrprof.IsIndexed(data):
		src, err = t.openIndexed(name, data)
	case instrprof.IsText(data):
		var text *instrprof.Text
		if text, err = instrprof.OpenText(data, nil); err == nil {
			text.KeepBitmaps()
		}
		src = text
	default:
		err = model.Faultf(model.KindUnrecognizedFormat, "the file is no raw, indexed or text profile of instrumentation")
	}
	if err != nil {
		return nil, llvmerr.Of(name, err, llvmerr.Instr)
	}
	return src, nil
}

// openIndexed opens an indexed profile as LLVM does, which looks at the version of its heap profile, and at
// its binary IDs only where it needs them.
func (t *tool) openIndexed(name string, data []byte) (instrprof.Source, error) {
	x, err := instrprof.OpenIndexed(data, nil)
	if x == nil {
		return nil, err
	}
	if info := x.Info(); len(info.MemProf) > 0 {
		if _, fault := memprof.IndexedVersion(info.MemProf, info.MemProfSection.Offset); fault != nil {
			return nil, fault
		}
	}
	if err != nil && !t.BinaryIDs && t.command != "merge" {
		t.note(name + ": the binary IDs are left out: " + err.Error())
		err = nil
	}
	return x, err
}

// passing is a source as overlap and order of LLVM read it: as far as its records can be, which
// only we say.
type passing struct {
	instrprof.Source
	t    *tool
	name string
}

// Unwrap is the source alone.
func (p *passing) Unwrap() instrprof.Source { return p.Source }

// Functions implements [instrprof.Source].
func (p *passing) Functions() instrprof.Functions {
	return func(yield func(*instrprof.Function, error) bool) {
		for f, err := range p.Source.Functions() {
			if _, damaged := model.FaultIn(err); damaged {
				p.t.note(p.name + ": what follows is left out: " + err.Error())
				return
			}
			if !yield(f, err) {
				return
			}
		}
	}
}

func (t *tool) openSample(name string, data []byte) (*sampleprof.Profile, error) {
	p, err := sampleprof.Open(data, nil)
	if err != nil {
		fault := llvmerr.Of(name, err, llvmerr.Sample)
		said, _ := model.FaultIn(err)
		isGCC, isCut := bytes.HasPrefix(data, []byte("adcg")), said.Kind == model.KindTruncated
		fault.Ends = isCut && !isGCC
		if isGCC && isCut && said.Field != "name" && said.Field != "number of names" {
			// It counts from behind the magic, up to the word that is cut.
			fmt.Fprintf(t.std.Err, "unexpected end of memory buffer: %d\n", len(data)&^3-4)
		}
		return nil, fault
	}
	t.fsDiscriminators(p)
	return p, nil
}
