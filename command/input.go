package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/sampleprof"
	"proflens/ingest/unpack"
	"proflens/internal/mmap"
)

// What the command line takes out of archives: its user chose the files, so
// there is room, but a bomb still ends.
const (
	maxUnpacked = 8 << 30 // bytes
	maxMembers  = 10_000
	maxDepth    = 4
)

// inputs are the files a command reads. Close releases the memory maps, after
// which no data of Files may be used.
type inputs struct {
	Files []format.File
	maps  [][]byte
}

// readInputs opens the named files, "-" for standard input, and takes out what
// is packed. weights scales files by the name given.
func readInputs(ctx context.Context, names []string, weights map[string]uint64, stdin io.Reader) (*inputs, error) {
	in := &inputs{}
	budget := &unpack.Budget{Bytes: maxUnpacked, Members: maxMembers, Depth: maxDepth}
	for _, name := range names {
		data, err := in.load(name, stdin)
		if err == nil {
			err = in.add(ctx, format.File{Name: name, Data: data, Weight: weights[name]}, budget)
		}
		if err != nil {
			in.Close()
			return nil, err
		}
	}
	return in, nil
}

// together are the files of one profile, which opens without those that are of no use to it.
func (in *inputs) together() []format.File {
	for i := range in.Files {
		in.Files[i].Optional = true
	}
	return in.Files
}

// Close releases the memory maps.
func (in *inputs) Close() {
	for _, data := range in.maps {
		mmap.Release(data)
	}
	in.maps = nil
}

// load is a whole file.
func (in *inputs) load(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	data, err := mmap.ReadFile(name)
	in.maps = append(in.maps, data)
	return data, err
}

// add appends a file, or every file in it when it is packed.
func (in *inputs) add(ctx context.Context, f format.File, budget *unpack.Budget) error {
	packed := bytes.NewReader(f.Data)
	if !unpack.Packed(packed) {
		in.Files = append(in.Files, f)
		return nil
	}
	err := unpack.Expand(ctx, packed, packed.Size(), f.Name, budget, func(member string, r io.Reader) error {
		data, err := io.ReadAll(r)
		in.Files = append(in.Files, format.File{Name: member, Data: data, Weight: f.Weight, Optional: true})
		return err
	})
	if fault, ok := errors.AsType[*unpack.Error](err); ok {
		return &model.FormatError{
			Kind: model.Kind(fault.Kind), File: f.Name, Section: "archive", Offset: uint64(fault.At), Msg: fault.Message(),
			Err: err,
		}
	}
	return err
}

// named puts the file before an error about it, as in
// "FILE: KIND: message (at offset 0x…)". Errors of the system name it already.
func named(err error) error {
	fault, ok := model.FaultIn(err)
	if !ok || fault.File == "" {
		return err
	}
	return fmt.Errorf("%s: %w", fault.File, err)
}

// weightFlag collects -weighted FILE=N.
type weightFlag struct {
	names   []string
	weights map[string]uint64
}

// inputs is the files to read: those named as arguments, and before them those
// that only a weight names.
func (w *weightFlag) inputs(args []string) []string {
	var names []string
	for _, name := range w.names {
		if !slices.Contains(args, name) {
			names = append(names, name)
		}
	}
	return append(names, args...)
}

// heeded refuses the weight of a file that has nothing to be multiplied.
func (w *weightFlag) heeded(inputs []format.Input) error {
	for i := range inputs {
		in := &inputs[i]
		if n, ok := w.weights[in.Name]; ok && in.Size > 0 && !in.Info.Has(instrprof.Family) &&
			!in.Info.Has(sampleprof.Family) {
			return misused("export: -weighted %s=%d: weights multiply counters and samples, which the file has none of", in.Name,
				n)
		}
	}
	return nil
}

// String implements [pflag.Value].
func (w *weightFlag) String() string { return strings.Join(w.names, " ") }

// Type implements [pflag.Value].
func (*weightFlag) Type() string { return "FILE=N" }

// Set implements [pflag.Value].
func (w *weightFlag) Set(s string) error {
	i := strings.LastIndexByte(s, '=')
	if i <= 0 {
		return errors.New("use FILE=N")
	}
	n, err := strconv.ParseUint(s[i+1:], 10, 64)
	if err != nil || n == 0 {
		return fmt.Errorf("%q is not a weight; use a whole number, 1 or more", s[i+1:])
	}
	if w.weights == nil {
		w.weights = map[string]uint64{}
	}
	w.names = append(w.names, s[:i])
	w.weights[s[:i]] = n
	return nil
}
