package encode

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"path"
	"unicode/utf8"

	"proflens/analyze"
	"proflens/decode/mip"
	"proflens/decode/model"
)

// mipHeaderJSON is a header with its bits in words.
type mipHeaderJSON struct {
	Version          uint16   `json:"version"`
	FileType         uint16   `json:"file_type"`
	FileTypes        []string `json:"file_types"`
	ProfileType      uint32   `json:"profile_type"`
	ProfileTypes     []string `json:"profile_types"`
	ModuleHash       string   `json:"module_hash"`
	RawSectionOffset int64    `json:"raw_section_offset"`
	Reserved         uint32   `json:"reserved"`
	OffsetToData     uint32   `json:"offset_to_data"`
}

func mipHeader(h mip.Header) mipHeaderJSON {
	return mipHeaderJSON{
		h.Version, uint16(h.FileType), h.FileType.Words(), uint32(h.ProfileType), h.ProfileType.Words(),
		hex32(h.ModuleHash), h.RawSectionOffset, h.Reserved, h.OffsetToData,
	}
}

func hex32(v uint32) string { return fmt.Sprintf("0x%08x", v) }
func hex64(v uint64) string { return fmt.Sprintf("0x%016x", v) }

// mipName is a name as text, and as bytes where it is none.
type mipName struct {
	Name    string `json:"name"`
	NameHex string `json:"name_hex,omitempty"`
}

func mipNameOf(name []byte) mipName {
	if utf8.Valid(name) {
		return mipName{Name: string(name)}
	}
	return mipName{validUTF8(name), fmt.Sprintf("%x", name)}
}

type mipFunctionJSON struct {
	Index int `json:"index"`
	mipName
	NameSource     mip.NameSource `json:"name_source"`
	Signature      string         `json:"signature"`
	RawOffset      uint64         `json:"raw_offset"`
	FunctionOffset int64          `json:"function_offset"`
	Size           uint32         `json:"size"`
	CFGSignature   string         `json:"cfg_signature"`
	MergeCount     uint64         `json:"merge_count"`
	CallCount      uint64         `json:"call_count"`
	TimestampSum   uint64         `json:"timestamp_sum"`
	Covered        bool           `json:"covered"`
	AvgTimestamp   *float64       `json:"avg_timestamp"`
	Blocks         []mipBlockJSON `json:"blocks"`
	CallEdges      int            `json:"call_edges"`
}

type mipBlockJSON struct {
	Offset  uint32 `json:"offset"`
	Covered bool   `json:"covered"`
}

type mipMapFunctionJSON struct {
	Index        int    `json:"index"`
	RecordOffset uint64 `json:"record_offset"`
	mipName
	Signature        string   `json:"signature"`
	RawPCOffset      int64    `json:"raw_pc_offset"`
	FunctionPCOffset int64    `json:"function_pc_offset"`
	RawOffset        uint64   `json:"raw_offset"`
	FunctionOffset   int64    `json:"function_offset"`
	Size             uint32   `json:"size"`
	CFGSignature     string   `json:"cfg_signature"`
	BlockOffsets     []uint32 `json:"block_offsets"`
}

type mipRunFunctionJSON struct {
	Index int `json:"index"`
	mipName
	RawOffset uint64  `json:"raw_offset"`
	Covered   bool    `json:"covered"`
	CallCount *uint32 `json:"call_count"`
	Timestamp *uint32 `json:"timestamp"`
	Blocks    []bool  `json:"blocks"`
}

// MIPJSONOptions say what of a profile is written.
type MIPJSONOptions struct {
	Run int // one run alone, from 1; 0 is all of them added up
}

// MIPJSON writes everything that a Machine IR Profile says, as JSON: of a map
// alone what the map says, of raw files without one their header. Integers are
// exact and can pass 2^53. Removed blocks count in the totals.
//
// The error is w's, or a [*model.FormatError] of kind incompatible when there is
// no such run.
func MIPJSON(w io.Writer, m *mip.Profile, o MIPJSONOptions) error {
	if o.Run > len(m.Runs) {
		return model.Faultf(model.KindIncompatible, "there is no run %d: the profile has %s, one per raw file", o.Run,
			model.Amount(len(m.Runs), "run", "runs"))
	}
	j := &jsonObject{w: bufio.NewWriterSize(w, 1<<16)}
	switch {
	case o.Run > 0:
		writeMIPRun(j, m, &m.Runs[o.Run-1])
	case m.Form == mip.FormatRaw:
		writeMIPRun(j, m, &m.Runs[0])
	case m.Form == mip.FormatMap:
		writeMIPMap(j, m)
	default:
		writeMIPProfile(j, m)
	}
	return j.end()
}

func writeMIPProfile(j *jsonObject, m *mip.Profile) {
	j.add("format", "mip")
	j.add("file", path.Base(m.MapFile))
	j.add("ok", true)
	j.add("header", mipHeader(profileHeader(m)))
	j.add("layout", m.Layout)
	totals := mipTotals{Functions: len(m.Functions)}
	timed := m.HasTimestamps()
	j.list("functions", len(m.Functions), func(i int) any {
		f := &m.Functions[i]
		totals.add(f)
		o := mipFunctionJSON{
			Index: i, mipName: mipNameOf(f.Name), NameSource: f.NameSource, Signature: hex64(f.Signature),
			RawOffset:      f.RawOffset,
			FunctionOffset: f.Offset, Size: f.Size, CFGSignature: hex32(f.CFGSignature),
			MergeCount: f.MergeCount, CallCount: f.CallCount, TimestampSum: f.TimestampSum, Covered: f.Executed(),
			Blocks: make([]mipBlockJSON, len(f.Blocks)),
		}
		if timed && f.MergeCount > 0 {
			average, _ := new(big.Rat).SetFrac(new(big.Int).SetUint64(f.TimestampSum),
				new(big.Int).SetUint64(f.MergeCount)).Float64()
			o.AvgTimestamp = &average
		}
		for b, block := range f.Blocks {
			o.Blocks[b] = mipBlockJSON(block)
		}
		return o
	})
	var order []int
	if timed {
		if order = analyze.MIPOrder(m.Functions); order == nil {
			order = []int{}
		}
	}
	j.add("order", order)
	j.add("totals", totals)
	j.add("warnings", warnings(m.Warnings))
}

// mipTotals count entry blocks, and removed ones too.
type mipTotals struct {
	Functions        int         `json:"functions"`
	CoveredFunctions int         `json:"covered_functions"`
	Bytes            uint64      `json:"bytes"`
	CoveredBytes     uint64      `json:"covered_bytes"`
	RunsAtLeast      uint64      `json:"runs_at_least"`
	CallCount        analyze.Sum `json:"call_count"`
	Blocks           int         `json:"blocks"`
	CoveredBlocks    int         `json:"covered_blocks"`
	CallEdges        int         `json:"call_edges"`
}

func (t *mipTotals) add(f *mip.Function) {
	t.Bytes += uint64(f.Size)
	t.Blocks += 1 + len(f.Blocks)
	t.RunsAtLeast = max(t.RunsAtLeast, f.MergeCount)
	t.CallCount.Add(f.CallCount)
	if f.Executed() {
		t.CoveredFunctions++
		t.CoveredBytes += uint64(f.Size)
		t.CoveredBlocks++
	}
	for _, b := range f.Blocks {
		if b.Covered {
			t.CoveredBlocks++
		}
	}
}

func writeMIPMap(j *jsonObject, m *mip.Profile) {
	j.add("format", "mipmap")
	j.add("file", path.Base(m.MapFile))
	j.add("ok", true)
	j.add("header", mipHeader(m.Header))
	j.add("record_width", m.RecordWidth)
	var bytes uint64
	j.list("functions", len(m.Functions), func(i int) any {
		f := &m.Functions[i]
		bytes += uint64(f.Size)
		o := mipMapFunctionJSON{
			Index: i, RecordOffset: f.RecordOffset, mipName: mipNameOf(f.Name), Signature: hex64(f.Signature),
			RawPCOffset: f.RawPCOffset, FunctionPCOffset: f.FunctionPCOffset, RawOffset: f.RawOffset, FunctionOffset: f.Offset,
			Size: f.Size, CFGSignature: hex32(f.CFGSignature), BlockOffsets: make([]uint32, len(f.Blocks)),
		}
		for b, block := range f.Blocks {
			o.BlockOffsets[b] = block.Offset
		}
		return o
	})
	j.add("totals", map[string]uint64{
		"functions": uint64(len(m.Functions)), "bytes": bytes, "blocks": uint64(len(m.Functions) + m.Blocks),
	})
	j.add("warnings", warnings(m.Warnings))
}

func writeMIPRun(j *jsonObject, m *mip.Profile, run *mip.Run) {
	j.add("format", "mipraw")
	j.add("file", path.Base(run.File))
	if m.MapFile != "" {
		j.add("map", path.Base(m.MapFile))
	} else {
		j.add("map", nil)
	}
	j.add("ok", true)
	j.add("header", mipHeader(run.Header))
	j.add("data_bytes", run.DataBytes)
	covered := 0
	j.list("functions", len(m.Functions), func(i int) any {
		f := &m.Functions[i]
		o := mipRunFunctionJSON{
			Index: i, mipName: mipNameOf(f.Name), RawOffset: f.RawOffset, Covered: run.Executed.Has(i), Blocks: []bool{},
		}
		if o.Covered {
			covered++
		}
		if run.Calls != nil {
			o.CallCount = &run.Calls[i]
		}
		if run.First != nil && o.Covered {
			o.Timestamp = &run.First[i]
		}
		if run.Blocks != nil {
			for b := range f.Blocks {
				o.Blocks = append(o.Blocks, run.Blocks.Has(f.FirstBlock+b))
			}
		}
		return o
	})
	j.add("totals", map[string]int{"functions": len(m.Functions), "covered_functions": covered})
	if m.MapFile == "" {
		j.add("warnings", warnings(m.Warnings))
	} else {
		j.add("warnings", warnings(run.Warnings))
	}
}

func warnings(list []mip.Warning) []mip.Warning {
	if list == nil {
		return []mip.Warning{}
	}
	return list
}

// jsonObject writes an object key by key, so that a long list in it needs no
// memory. The first error stays.
type jsonObject struct {
	w   *bufio.Writer
	n   int
	err error
}

func (j *jsonObject) add(key string, v any) {
	j.key(key)
	j.value(v)
}

func (j *jsonObject) key(key string) {
	before := ","
	if j.n == 0 {
		before = "{"
	}
	j.n++
	fmt.Fprintf(j.w, "%s\n%q: ", before, key)
}

func (j *jsonObject) value(v any) {
	if j.err != nil {
		return
	}
	b, err := json.Marshal(v)
	if err == nil {
		_, err = j.w.Write(b)
	}
	j.err = err
}

func (j *jsonObject) list(key string, n int, item func(i int) any) {
	j.key(key)
	j.w.WriteByte('[')
	for i := range n {
		if i > 0 {
			j.w.WriteByte(',')
		}
		j.w.WriteByte('\n')
		j.value(item(i))
		if j.err != nil {
			return
		}
	}
	j.w.WriteByte(']')
}

func (j *jsonObject) end() error {
	j.w.WriteString("\n}\n")
	if j.err != nil {
		return j.err
	}
	return j.w.Flush()
}
