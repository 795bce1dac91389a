package llvm

import (
	"slices"
	"testing"

	"proflens/decode/format"
	"proflens/decode/memprof"
	"proflens/decode/model"
)

// Split debug info joins the program that left it out, and makes no one profile
// of the profiles of several.
func TestGroupSplitDebugInfo(t *testing.T) {
	raw := func(id byte) format.Recognised {
		peek := &memprof.Peek{Version: 5, Modules: []memprof.Module{{BuildID: []byte{id}}}}
		return format.Recognised{
			Format: memprofRawFormat, Key: string(rune(id)), Families: []model.Family{memprof.Family},
			Claim: claimOfMemProf(peek),
		}
	}
	elf := func(x memprof.Executable) format.Recognised {
		p := &program{heap: x}
		return format.Recognised{
			Format: elfFormat, Companion: p, Late: x.Split, Claim: p.claim,
			Err: &model.FormatError{Kind: model.KindUnrecognizedFormat},
		}
	}
	one, two := elf(memprof.Executable{BuildID: []byte{1}, SplitIDs: []uint64{10, 11}}), elf(memprof.Executable{
		BuildID: []byte{2}, SplitIDs: []uint64{20, 21},
	})
	split, unknown := elf(memprof.Executable{Split: true, SplitIDs: []uint64{7, 21}}), elf(memprof.Executable{Split: true})
	got := format.Group([]format.Recognised{split, raw(1), raw(2), one, two, unknown})
	if want := [][]int{{1, 3, 5}, {2, 4, 0}}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%v, want %v", got, want)
	}
}
