package sample

import (
	"encoding/binary"

	"proflens/decode/sampleprof"
)

// Side is a profile whose overlap with another is asked for. Its functions are read as they
// are needed: all of two large profiles need not be in memory.
type Side struct {
	Flags   sampleprof.Flags
	Hot     uint64   // the smallest hot count
	GUIDs   []uint64 // of names, by sampleprof.NameID
	Keys    []string // of functions, see KeyOf
	Figures []Figures
	// Reader reads functions by their index, for one goroutine; each is valid until the next.
	Reader func() func(i int) (*sampleprof.Function, error)
}

// SideOf is a profile in memory, as llvm-profdata takes it: a hash is no name's.
func SideOf(p *sampleprof.Profile) *Side {
	s := &Side{Flags: p.Flags, Hot: HotThreshold(p), GUIDs: make([]uint64, len(p.Names))}
	for i, n := range p.Names {
		if s.GUIDs[i] = n.GUID(); n.MD5 != 0 {
			s.GUIDs[i] = ^n.MD5
		}
	}
	for _, f := range p.Functions {
		s.Keys = append(s.Keys, s.KeyOf(f.Name, p.Frames(f)))
		figures := FiguresOf(f)
		figures.Sum = sumOf(f)
		s.Figures = append(s.Figures, figures)
	}
	s.Reader = func() func(int) (*sampleprof.Function, error) {
		return func(i int) (*sampleprof.Function, error) { return p.Functions[i], nil }
	}
	return s
}

// KeyOf is equal for functions of one name, or calling context, also where one profile has
// hashes for names.
func (s *Side) KeyOf(name sampleprof.NameID, context []sampleprof.Frame) string {
	if len(context) == 0 {
		return string(binary.LittleEndian.AppendUint64(nil, s.GUIDs[name]))
	}
	var b []byte
	for i, frame := range context {
		b = binary.LittleEndian.AppendUint64(b, s.GUIDs[frame.Name])
		if i < len(context)-1 {
			b = binary.LittleEndian.AppendUint32(b, frame.Loc.Offset)
			b = binary.LittleEndian.AppendUint32(b, frame.Loc.Discriminator)
		}
	}
	return string(b)
}

// sum is all counts.
func (s *Side) sum() (sum uint64) {
	for _, f := range s.Figures {
		sum += f.Sum
	}
	return sum
}
