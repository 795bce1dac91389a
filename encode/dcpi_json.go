package encode

import (
	"bufio"
	"cmp"
	"encoding/json"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"proflens/decode/dcpi"
	"proflens/decode/model"
)

// DCPIJSON writes one file of a database as JSON: the header, every line of it,
// totals, the ten hottest addresses and all chunks; or, of the text of dcpicat,
// its events and rows. More than one file is [model.KindIncompatible].
func DCPIJSON(w io.Writer, db *dcpi.Database) error {
	if err := OneDCPIFile(db); err != nil {
		return err
	}
	f := &db.Files[0]
	out := &jsonWriter{w: bufio.NewWriter(w)}
	switch f.Dumps {
	case 0:
		out.profile(f)
	case 1:
		out.dump(f, f.Profiles)
	default:
		out.dumps(f)
	}
	out.text("\n")
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

// OneDCPIFile is the error for a database that [DCPIJSON] cannot write.
func OneDCPIFile(db *dcpi.Database) error {
	if len(db.Files) == 1 {
		return nil
	}
	return model.Faultf(model.KindIncompatible, "dcpi-json writes one file; this profile has %d", len(db.Files))
}

// jsonWriter writes a large object piece by piece.
type jsonWriter struct {
	w   *bufio.Writer
	b   []byte
	err error
}

func (j *jsonWriter) text(s string) {
	if j.err == nil {
		_, j.err = j.w.WriteString(s)
	}
}

func (j *jsonWriter) value(v any) {
	b, err := json.Marshal(v)
	if j.err == nil {
		j.err = err
	}
	j.text(string(b))
}

// members writes a list of keys and values; keys are plain words.
func (j *jsonWriter) members(pairs ...any) {
	for i := 0; i < len(pairs); i += 2 {
		if i > 0 {
			j.text(",")
		}
		j.text(`"` + pairs[i].(string) + `":`)
		j.value(pairs[i+1])
	}
}

func (j *jsonWriter) profile(f *dcpi.File) {
	p := &f.Profiles[0]
	ending := "lf"
	if p.CRLF {
		ending = "crlf"
	}
	lines, unknown := []any{}, [][2]string{}
	for _, l := range p.Lines {
		kind := dcpi.KindOfLine(l.Key)
		lines = append(lines, map[string]string{"key": l.Key, "value": l.Value, "kind": kind})
		if kind == dcpi.Unknown {
			unknown = append(unknown, [2]string{l.Key, l.Value})
		}
	}
	warnings := []string{}
	for _, w := range f.Findings {
		warnings = append(warnings, strings.TrimPrefix(w.Code, "dcpi."))
	}
	j.text("{")
	j.members("format", "dcpi", "file", f.Name, "ok", true, "header", headerJSON(p), "header_bytes", p.Bytes,
		"line_ending", ending, "lines", lines, "unknown", unknown, "stride", p.Stride, "base", hex(p.TextStart),
		"totals", map[string]any{
			"chunks": p.Chunks, "addresses": p.Addresses, "nonzero": p.Nonzero, "samples": p.Samples,
			"events_estimate": eventsOf(p),
		},
		"footer", map[string]uint32{"total_offsets": uint32(p.Nonzero), "total_samples": uint32(p.Samples)},
		"top", topOf(p), "warnings", warnings)
	j.text(`,"chunks":[`)
	first := true
	for chunk := range p.Each {
		j.chunk(chunk, first)
		first = false
	}
	j.text("]}")
}

func (j *jsonWriter) chunk(chunk dcpi.Chunk, first bool) {
	b := j.b[:0]
	if !first {
		b = append(b, ',')
	}
	b = append(b, `{"offset":`...)
	b = strconv.AppendUint(b, chunk.Offset, 10)
	b = append(b, `,"counts":[`...)
	for i, n := range chunk.Counts {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendUint(b, uint64(n), 10)
	}
	j.b = append(b, "]}"...)
	if j.err == nil {
		_, j.err = j.w.Write(j.b)
	}
}

func headerJSON(p *dcpi.Profile) map[string]any {
	h := map[string]any{
		"version": nil, "tstart": nil, "image": p.Image,
		"epoch":    map[string]string{"text": p.Epoch, "iso": p.Start},
		"platform": p.Platform, "event": p.Event, "period": p.Period, "tsize": p.TextSize, "cpuspeed": p.CPUSpeed,
		"cpuamask": nil, "cpuimplv": p.CPUImplVer, "cpucount": p.CPUCount, "path": nil,
	}
	if p.Version != "" {
		h["version"] = map[string]any{"text": p.Version, "major": p.Major, "minor": p.Minor}
	}
	if p.HasTextStart {
		h["tstart"] = hex(p.TextStart)
	}
	if p.CPUAMask != nil {
		h["cpuamask"] = hex(*p.CPUAMask)
	}
	if len(p.Paths) > 0 {
		h["path"] = p.Paths[0]
	}
	return h
}

func hex(n uint64) string { return "0x" + strconv.FormatUint(n, 16) }

// eventsOf is about how many events the samples stand for: samples times the
// period, which may pass 64 bits.
func eventsOf(p *dcpi.Profile) *big.Int {
	n := new(big.Int).SetUint64(p.Samples)
	return n.Mul(n, new(big.Int).SetUint64(p.Period))
}

// addressCount is an address and its samples; in JSON a pair.
type addressCount struct {
	address uint64
	count   uint32
}

func (a addressCount) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]any{hex(a.address), a.count})
}

// topOf is the ten addresses with the most samples, the lower one first where
// they are equal.
func topOf(p *dcpi.Profile) []addressCount {
	const n = 10
	top := make([]addressCount, 0, n+1)
	for chunk := range p.Each {
		for i, count := range chunk.Counts {
			if count == 0 || len(top) == n && count <= top[n-1].count {
				continue
			}
			a := addressCount{p.TextStart + chunk.Offset + p.Stride*uint64(i), count}
			at, _ := slices.BinarySearchFunc(top, a, func(x, y addressCount) int {
				return cmp.Or(cmp.Compare(y.count, x.count), cmp.Compare(x.address, y.address))
			})
			top = slices.Insert(top, at, a)
			top = top[:min(len(top), n)]
		}
	}
	return top
}

// dumps writes several dumps of dcpicat as a list.
func (j *jsonWriter) dumps(f *dcpi.File) {
	j.text("{")
	j.members("format", "dcpicat", "file", f.Name, "ok", true)
	j.text(`,"dumps":[`)
	for i := range f.Dumps {
		if i > 0 {
			j.text(",")
		}
		first := slices.IndexFunc(f.Profiles, func(p dcpi.Profile) bool { return p.Dump == i })
		last := first
		for last < len(f.Profiles) && f.Profiles[last].Dump == i {
			last++
		}
		j.dump(f, f.Profiles[first:last])
	}
	j.text("]}")
}

// dump writes the events of one dump and its rows: an address, then a count for
// each event.
func (j *jsonWriter) dump(f *dcpi.File, events []dcpi.Profile) {
	h := &events[0].Header
	list := []any{}
	for _, p := range events {
		list = append(list, map[string]any{"name": p.Event, "period": p.Period, "fraction": p.Fraction, "total": p.Samples})
	}
	var label any
	if h.Label != "" {
		label = h.Label
	}
	paths := h.Paths
	if paths == nil {
		paths = []string{}
	}
	j.text("{")
	j.members("format", "dcpicat", "file", f.Name, "ok", true, "name", h.Name, "image", h.Image, "label", label, "path",
		paths,
		"epoch", h.Start, "platform", h.Platform, "text_start", hex(h.TextStart), "text_size", h.TextSize, "events", list)
	j.text(`,"rows":[`)
	first := true
	for row := range catRows(events) {
		if !first {
			j.text(",")
		}
		first = false
		j.text(`["` + hex(row.address) + `"`)
		for _, n := range row.counts {
			j.text("," + strconv.FormatUint(n, 10))
		}
		j.text("]")
	}
	j.text("]}")
}
