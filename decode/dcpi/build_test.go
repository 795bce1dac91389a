package dcpi_test

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"proflens/decode/dcpi"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// built is a profile to be built: its header's lines, and its chunks.
type built struct {
	lines  []string
	chunks []builtChunk
	// footer is its two totals; nil for the right ones.
	footer []uint32
}

type builtChunk struct {
	offset uint32
	counts []uint32
	number *uint32 // in place of how many counts there are
}

// headLines are those that every profile needs.
var headLines = []string{
	"version pdb-0.07", "image 19970328c0c18b", "epoch 9612042334", "platform walnut", "event cycles", "period 63488",
	"tstart 120000000", "tsize 8192", "cpuspeed 333",
}

// with are lines with some in the place of those of the same keyword, or behind
// them; a keyword alone takes its line out.
func with(lines []string, more ...string) []string {
	lines = slices.Clone(lines)
	for _, line := range more {
		key, _, has := strings.Cut(line, " ")
		i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, key+" ") })
		switch {
		case i < 0:
			lines = append(lines, line)
		case has:
			lines[i] = line
		default:
			lines = slices.Delete(lines, i, i+1)
		}
	}
	return lines
}

// head is as long as the format advises.
func (b built) head() string {
	head := strings.Join(b.lines, "\n") + "\nsamples"
	return head + strings.Repeat(" ", -(len(head)+1)&3) + "\n"
}

func (b built) bytes() []byte {
	le := binary.LittleEndian
	data := []byte(b.head())
	var nonzero, samples uint32
	for _, c := range b.chunks {
		number := uint32(len(c.counts))
		if c.number != nil {
			number = *c.number
		}
		data = le.AppendUint32(le.AppendUint32(data, c.offset), number)
		for _, n := range c.counts {
			data = le.AppendUint32(data, n)
			if samples += n; n > 0 {
				nonzero++
			}
		}
	}
	if b.footer == nil {
		b.footer = []uint32{nonzero, samples}
	}
	for _, n := range b.footer {
		data = le.AppendUint32(data, n)
	}
	return data
}

// fault is what an error says of a file, and fails when it does not say all that a
// person needs to find the place.
func fault(t testing.TB, data []byte, err error) *model.FormatError {
	t.Helper()
	f, ok := errors.AsType[*model.FormatError](err)
	if !ok {
		t.Fatalf("%v is no fault of a file", err)
	}
	if f.Kind == "" || f.Kind == model.KindInternal || f.Section == "" || f.Msg == "" || f.Offset > uint64(len(data)) {
		t.Fatalf("%+v", f)
	}
	return f
}

// refused is the fault of a file that must not be taken. It is the same whether
// somebody listens or not.
func refused(t testing.TB, data []byte) *model.FormatError {
	t.Helper()
	_, err := dcpi.Open("x", data, nil)
	if err == nil {
		t.Fatalf("taken: %q", data)
	}
	if _, again := dcpi.Open("x", data, &wire.Recorder{}); again == nil || again.Error() != err.Error() {
		t.Fatalf("%v, and with a recorder %v", err, again)
	}
	return fault(t, data, err)
}
