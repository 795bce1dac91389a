package dcpi_test

import (
	"bytes"
	"encoding/binary"
	"strings"
	"testing"

	"proflens/decode/dcpi"
	"proflens/decode/model"
)

// A profile that was cut anywhere is refused, and told where it ends.
func TestCutProfilesAreRefused(t *testing.T) {
	for _, name := range []string{
		"adjacent_chunks", "all_lines", "crlf", "no_samples", "byte_stride_tight", "binary_looks_like_text",
	} {
		data := read(t, "testdata/hand/"+name+".prof")
		for n := range data {
			if f := refused(t, data[:n:n]); f.Expected == "" && f.Found == "" {
				t.Errorf("%s, %d bytes: what was expected, and what found: %+v", name, n, f)
			}
		}
	}
}

// A profile of which any bit is another is refused, or read as what it then says.
func TestDamagedProfilesHold(t *testing.T) {
	for _, name := range []string{"adjacent_chunks", "all_lines", "byte_stride_odd_offset"} {
		data := read(t, "testdata/hand/"+name+".prof")
		for n := range data {
			for bit := range 8 {
				broken := bytes.Clone(data)
				broken[n] ^= 1 << bit
				f, err := dcpi.Open("x", broken, nil)
				if err != nil {
					fault(t, broken, err)
					continue
				}
				holds(t, f)
			}
		}
	}
}

func number(n uint32) *uint32 { return &n }

// Each fault of the binary part says which rule was broken, where, and what stands
// there.
func TestFaultsOfTheSamples(t *testing.T) {
	head := uint64(len(built{lines: headLines}.head()))
	two := []builtChunk{{offset: 0, counts: []uint32{1, 2}}, {offset: 16, counts: []uint32{3}}}
	for _, test := range []struct {
		name                   string
		b                      built
		kind                   model.Kind
		section, field         string
		offset                 uint64
		expected, found, words string
	}{
		{
			"no counts", built{lines: headLines, chunks: []builtChunk{{offset: 8, number: number(0), counts: []uint32{7}}}},
			dcpi.KindBadChunk, "samples", "number", head, "1 or more", "0", "chunk 0 has no counts",
		},
		{
			"too many counts", built{lines: headLines, chunks: []builtChunk{{number: number(3), counts: []uint32{1, 2}}}},
			model.KindTruncated, "samples", "number", head, "at most 2 counts", "3", "chunk 0 runs past",
		},
		{
			"most counts", built{lines: headLines, chunks: []builtChunk{{number: number(1<<32 - 1), counts: []uint32{1, 2}}}},
			model.KindTruncated, "samples", "number", head, "at most 2 counts", "4294967295", "chunk 0 runs past",
		},
		{
			"half of the words", built{lines: headLines,
				chunks: []builtChunk{{number: number(1 << 31), counts: []uint32{1, 2}}}}, model.KindTruncated, "samples", "number",
			head, "at most 2 counts", "2147483648", "",
		},
		{
			"out of order", built{lines: headLines,
				chunks: []builtChunk{{offset: 64, counts: []uint32{1}}, {offset: 60, counts: []uint32{2}}}}, dcpi.KindUnsorted,
			"samples", "offset", head + 12, "an offset from 65 on", "60", "chunk 1 begins before",
		},
		{
			"overlap", built{lines: headLines,
				chunks: []builtChunk{{offset: 64, counts: []uint32{1, 1}}, {offset: 65, counts: []uint32{2}}}}, dcpi.KindOverlap,
			"samples", "offset", head + 16, "an offset from 66 on", "65", "chunk 1 begins inside",
		},
		{
			"the first fault", built{lines: headLines,
				chunks: []builtChunk{{offset: 8, counts: []uint32{1}}, {offset: 0, counts: []uint32{1}},
					{offset: 0, counts: []uint32{1}}}}, dcpi.KindUnsorted, "samples", "offset", head + 12, "an offset from 9 on", "0",
			"chunk 1",
		},
		{
			"one sample more", built{lines: headLines, chunks: two, footer: []uint32{3, 7}}, dcpi.KindFooterMismatch, "samples",
			"total_offsets", head + 28, "3 addresses with samples, 6 samples", "3 and 7", "",
		},
		{
			"one address less", built{lines: headLines, chunks: two, footer: []uint32{2, 6}}, dcpi.KindFooterMismatch,
			"samples", "total_offsets", head + 28, "3 addresses with samples, 6 samples", "2 and 6", "",
		},
		{
			"nothing, and samples", built{lines: headLines, footer: []uint32{0, 1}}, dcpi.KindFooterMismatch, "samples",
			"total_offsets", head, "0 addresses with samples, 0 samples", "0 and 1", "",
		},
		{
			"behind the footer", built{lines: headLines, chunks: two, footer: []uint32{3, 6, 0, 0, 0, 0}},
			model.KindTrailingData, "samples", "", head + 36, "the end of the file", "16 bytes", "bytes follow",
		},
	} {
		f := refused(t, test.b.bytes())
		if f.Kind != test.kind || f.Section != test.section || f.Field != test.field || f.Offset != test.offset ||
			f.Expected != test.expected || f.Found != test.found || !strings.Contains(f.Msg, test.words) {
			t.Errorf("%s: %+v", test.name, f)
		}
	}
}

// The words are little-endian whatever the machine; those of the other order are
// no samples.
func TestBigEndianSamplesAreRefused(t *testing.T) {
	b := built{lines: headLines, chunks: []builtChunk{{offset: 256, counts: []uint32{1, 2, 3}}}}
	data, head := b.bytes(), len(b.head())
	for at := head; at < len(data); at += 4 {
		word := binary.LittleEndian.Uint32(data[at:])
		binary.BigEndian.PutUint32(data[at:], word)
	}
	if f := refused(t, data); f.Kind != model.KindTruncated || f.Field != "number" {
		t.Errorf("%+v", f)
	}
}

// A sum past 32 bits wraps in the footer, and is exact beside it.
func TestTotalsPast32Bits(t *testing.T) {
	const most = 1<<32 - 1
	b := built{lines: headLines, chunks: []builtChunk{{counts: []uint32{most, most, most, 0}}}}
	f, err := dcpi.Open("x", b.bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if p := &f.Profiles[0]; p.Samples != 3*most || p.Nonzero != 3 || p.Addresses != 4 || len(f.Findings) != 1 ||
		f.Findings[0].Code != "dcpi.total_wrapped" {
		t.Errorf("%d samples at %d of %d addresses, %+v", p.Samples, p.Nonzero, p.Addresses, f.Findings)
	}
}

// Offsets are bytes, and counts stand one an instruction of four, unless only one a
// byte makes sense of the chunks.
func TestStrides(t *testing.T) {
	for _, test := range []struct {
		name   string
		size   string
		chunks []builtChunk
		stride uint64
		code   string
	}{
		{"instructions", "tsize 8192", []builtChunk{{counts: []uint32{1, 1}}, {offset: 8, counts: []uint32{1}}}, 4, ""},
		{"an odd offset", "tsize 8192", []builtChunk{{offset: 2, counts: []uint32{1}}}, 1, "stride_1"},
		{
			"too close for instructions", "tsize 8192",
			[]builtChunk{{counts: []uint32{1, 1}}, {offset: 4, counts: []uint32{1}}}, 1, "stride_1",
		},
		{"as long as the text in bytes", "tsize 8", []builtChunk{{counts: []uint32{1, 1, 1}}}, 1, "stride_1"},
		{"up to the end", "tsize 12", []builtChunk{{counts: []uint32{1, 1, 1}}}, 4, ""},
		{"beyond the text", "tsize 8", []builtChunk{{offset: 8, counts: []uint32{1}}}, 4, "beyond_tsize"},
		{"of a text whose size is not known", "tsize 0", []builtChunk{{offset: 1 << 31, counts: []uint32{1}}}, 4, ""},
	} {
		f, err := dcpi.Open("x", built{lines: with(headLines, test.size), chunks: test.chunks}.bytes(), nil)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		code := ""
		for _, finding := range f.Findings {
			code += strings.TrimPrefix(finding.Code, "dcpi.")
		}
		if f.Profiles[0].Stride != test.stride || code != test.code {
			t.Errorf("%s: stride %d, %q", test.name, f.Profiles[0].Stride, code)
		}
	}
}

// Chunks end with the loop that reads them.
func TestChunksStop(t *testing.T) {
	b := built{
		lines: headLines, chunks: []builtChunk{{counts: []uint32{1}}, {offset: 8, counts: []uint32{1}},
			{offset: 16, counts: []uint32{1}}},
	}
	f, err := dcpi.Open("x", b.bytes(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // and can be read again
		n := 0
		for c := range f.Profiles[0].Each {
			if n++; c.Offset == 8 {
				break
			}
		}
		if n != 2 {
			t.Errorf("%d chunks", n)
		}
	}
}
