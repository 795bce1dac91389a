package mipdb

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/profile/btree"
	"proflens/profile/stored"
)

// Function is one function of machine IR, whole.
type Function struct {
	Row
	BlockData []mip.Block       // but the entry, in the file's order
	Spans     []analyze.MIPSpan // its bytes, laid out by blocks
	Runs      []FunctionRun     // those in which it ran
	Twins     []Row             // other functions with the same signature
}

// Function finds a function by its fid: the signature in 16 hexadecimal
// digits and, where several functions have it, "-" and the raw offset in
// hexadecimal. Without that the first is found. The error is stored.ErrNoPart when
// there is none, the context's, or about the file.
func (p *Profile) Function(ctx context.Context, fid string) (*Function, error) {
	signature, rawOffset, ok := parseFID(fid)
	if !ok {
		return nil, stored.ErrNoPart
	}
	ids, err := p.withSignature(signature)
	if err != nil {
		return nil, err
	}
	rows, err := p.Rows(ctx, ids)
	if err != nil {
		return nil, err
	}
	for n := range rows {
		if rawOffset == nil || rows[n].RawOffset == *rawOffset {
			f := &Function{Row: rows[n], Twins: slices.Concat(rows[:n], rows[n+1:])}
			return f, p.fill(ctx, f)
		}
	}
	return nil, stored.ErrNoPart
}

func parseFID(fid string) (signature uint64, rawOffset *uint64, ok bool) {
	sign, offset, has := strings.Cut(fid, "-")
	signature, err := strconv.ParseUint(sign, 16, 64)
	if err != nil || len(sign) != 16 || fid != strings.ToLower(fid) {
		return 0, nil, false
	}
	if !has {
		return signature, nil, true
	}
	v, err := strconv.ParseUint(offset, 16, 64)
	return signature, &v, err == nil
}

// maxTwins bounds the functions of one signature that are looked at: real
// programs have a few local functions of one name.
const maxTwins = 4096

// withSignature are the indices of the functions with a signature.
func (p *Profile) withSignature(signature uint64) ([]uint32, error) {
	table, err := p.Table("mip_signature")
	if err != nil {
		return nil, err
	}
	row, err := stored.Lookup(table.Cursor(), int64(signature))
	if err != nil || row == nil {
		return nil, cmp.Or(err, stored.ErrNoPart)
	}
	numbers := stored.Vector([]uint64{row.Uint(1)}, row, 2)
	if err := row.Err(); err != nil {
		return nil, err
	}
	var ids []uint32
	for _, id := range numbers[:min(len(numbers), maxTwins)] {
		if id == 0 || id > uint64(p.n) {
			return nil, stored.Damaged("function %d of %d", id, p.n)
		}
		ids = append(ids, uint32(id-1))
	}
	return ids, nil
}

// fill reads a function's blocks and runs.
func (p *Profile) fill(ctx context.Context, f *Function) error {
	row, err := stored.Find(p.functions.Cursor(), f.Index+1)
	if err != nil {
		return err
	}
	if f.BlockData, err = readBlocks(row), row.Err(); err != nil {
		return err
	}
	function := mip.Function{Size: f.Size, MergeCount: f.MergeCount, CallCount: f.Calls, Blocks: f.BlockData}
	f.Spans = analyze.MIPSpans(&function, p.Overview.HasBlocks(), nil)
	runs, err := p.FunctionRuns(ctx, []uint32{uint32(f.Index)})
	if err == nil {
		f.Runs = runs[0]
	}
	return err
}

func readBlocks(row *btree.Row) []mip.Block {
	numbers := stored.Vector(nil, row, colBlockData)
	blocks := make([]mip.Block, len(numbers))
	for i, v := range numbers {
		blocks[i] = mip.Block{Offset: uint32(v >> 1), Covered: v&1 != 0}
	}
	return blocks
}
