package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/store/btree"
)

// MIPFunction is one function of machine IR, whole.
type MIPFunction struct {
	MIPRow
	BlockData []mip.Block       // but the entry, in the file's order
	Spans     []analyze.MIPSpan // its bytes, laid out by blocks
	Runs      []MIPFunctionRun  // those in which it ran
	Twins     []MIPRow          // other functions with the same signature
}

// MIPFunctionRun is what one raw file says of a function that ran in it.
type MIPFunctionRun struct {
	Run   int    // from 1: the index of MIPRuns, plus 1
	Calls uint32 // 0 in coverage mode; mip.MaxCalls is at least so many
	First uint32 // place in which it first ran; 0 in coverage mode
}

// MIPFunction finds a function by its fid: the signature in 16 hexadecimal
// digits and, where several functions have it, "-" and the raw offset in
// hexadecimal. Without that the first is found. The error is ErrNotFound when
// there is none, the context's, or about the file.
func (p *Profile) MIPFunction(ctx context.Context, fid string) (*MIPFunction, error) {
	signature, rawOffset, ok := parseMIPFID(fid)
	if !ok {
		return nil, ErrNotFound
	}
	ids, err := p.mipIDs(ctx, signature)
	if err != nil {
		return nil, err
	}
	rows, err := p.MIPRows(ctx, ids)
	if err != nil {
		return nil, err
	}
	for n := range rows {
		if rawOffset == nil || rows[n].RawOffset == *rawOffset {
			f := &MIPFunction{MIPRow: rows[n]}
			f.Twins = append(append(f.Twins, rows[:n]...), rows[n+1:]...)
			return f, p.fillMIPFunction(ctx, f)
		}
	}
	return nil, ErrNotFound
}

func parseMIPFID(fid string) (signature uint64, rawOffset *uint64, ok bool) {
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

// mipIDs are the indices of the functions with a signature.
func (p *Profile) mipIDs(ctx context.Context, signature uint64) ([]uint32, error) {
	_, o, err := p.mipTable(ctx)
	if err != nil {
		return nil, err
	}
	table, err := p.r.Table("mip_signature")
	if err != nil {
		return nil, err
	}
	c := table.Cursor()
	if !c.Find(int64(signature)) {
		if c.Err() != nil {
			return nil, c.Err()
		}
		return nil, ErrNotFound
	}
	row, err := c.Row()
	if err != nil {
		return nil, err
	}
	if row.ID != int64(signature) {
		return nil, ErrNotFound
	}
	packed, err := row.Bytes(2)
	if err != nil {
		return nil, err
	}
	numbers, err := readVector([]uint64{row.Uint(1)}, packed)
	if err != nil {
		return nil, err
	}
	var ids []uint32
	for _, id := range numbers[:min(len(numbers), maxTwins)] {
		if id == 0 || id > o.Functions {
			return nil, fmt.Errorf("%w: function %d of %d", ErrDamaged, id, o.Functions)
		}
		ids = append(ids, uint32(id-1))
	}
	return ids, nil
}

// fillMIPFunction reads a function's blocks and runs.
func (p *Profile) fillMIPFunction(ctx context.Context, f *MIPFunction) error {
	table, o, err := p.mipTable(ctx)
	if err != nil {
		return err
	}
	row, err := find(table.Cursor(), f.Index+1)
	if err != nil {
		return err
	}
	if f.BlockData, err = readMIPBlocks(row); err != nil {
		return err
	}
	function := mip.Function{Size: f.Size, MergeCount: f.MergeCount, CallCount: f.Calls, Blocks: f.BlockData}
	f.Spans = analyze.MIPSpans(&function, o.HasBlocks(), nil)
	if table, err = p.r.Table("mip_function_run"); err != nil {
		return err
	}
	c := table.Cursor()
	if !c.Find(int64(f.Index) + 1) {
		return c.Err()
	}
	if row, err = c.Row(); err != nil || row.ID != int64(f.Index)+1 {
		return err
	}
	f.Runs, err = readMIPFunctionRuns(row)
	return err
}

func readMIPBlocks(row *btree.Row) ([]mip.Block, error) {
	packed, err := row.Bytes(mfBlockData)
	if err != nil {
		return nil, err
	}
	numbers, err := readVector(nil, packed)
	blocks := make([]mip.Block, len(numbers))
	for i, v := range numbers {
		blocks[i] = mip.Block{Offset: uint32(v >> 1), Covered: v&1 != 0}
	}
	return blocks, err
}

func readMIPFunctionRuns(row *btree.Row) ([]MIPFunctionRun, error) {
	packed, err := row.Bytes(1)
	if err != nil {
		return nil, err
	}
	numbers, err := readVector(nil, packed)
	var runs []MIPFunctionRun
	for ; len(numbers) >= 3; numbers = numbers[3:] {
		runs = append(runs, MIPFunctionRun{Run: int(numbers[0]), Calls: uint32(numbers[1]), First: uint32(numbers[2])})
	}
	return runs, err
}
