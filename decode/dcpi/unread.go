package dcpi

import (
	"fmt"
	"slices"
	"strings"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// unread records where the samples of a profile stand whose version nobody
// outside the original tools reads: as bytes, without fields.
func unread(rec *wire.Recorder, data []byte, h *Header) {
	if !rec.Records() {
		return
	}
	c := wire.New("samples", data[h.Bytes:], h.Bytes)
	c.Record(rec)
	c.Describe("not read: the layout was never published; " + aligned(h.Bytes))
}

// aligned says whether an offset is one of 32-bit words.
func aligned(offset uint64) string {
	if past := offset % wordSize; past > 0 {
		return wire.Plural(past, "byte") + " past a 32-bit boundary"
	}
	return "at a 32-bit boundary"
}

// knowable says what can be known of a profile whose samples cannot be read, and
// what cannot.
func knowable(file string, data []byte) []model.Finding {
	h, _ := Peek(data)
	size := uint64(len(data)) - h.Bytes
	return []model.Finding{
		{Severity: model.Note, Code: "dcpi.header_read", File: file, Section: "header",
			Message: "known from the header: " + sampledBy(&h)},
		{Severity: model.Note, Code: "dcpi.samples_unread", File: file, Section: "samples", Offset: h.Bytes,
			Message: fmt.Sprintf("unknown: how many samples there are, and at which addresses; they are the %s from offset "+
				"0x%x, %s, in a layout that was never published",
				wire.Plural(size, "byte"), h.Bytes, aligned(h.Bytes))},
	}
}

// sampledBy says in one line what was sampled, in the words of the header, and
// which of the lines that a profile needs it lacks.
func sampledBy(h *Header) string {
	var said, lacks []string
	for _, line := range []struct{ key, form string }{
		{"event", "event %s"}, {"period", "a sample every %s events"}, {"image", "image %s"}, {"path", "path %s"},
		{"platform", "host %s"},
		{"epoch", "epoch from %s"}, {"tstart", "text from 0x%s"}, {"tsize", "tsize %s"}, {"cpuspeed", "cpuspeed %s"},
	} {
		i := slices.IndexFunc(h.Lines, func(l Line) bool { return l.Key == line.key })
		switch {
		case i >= 0 && line.key == "epoch" && h.Start != "":
			said = append(said, fmt.Sprintf(line.form, h.Start))
		case i >= 0:
			said = append(said, fmt.Sprintf(line.form, h.Lines[i].Value[:min(len(h.Lines[i].Value), maxSaid)]))
		case KindOfLine(line.key) == Required:
			lacks = append(lacks, line.key)
		}
	}
	text := strings.Join(said, ", ")
	if len(lacks) > 0 {
		text += "; it has no line " + strings.Join(lacks, ", ")
	}
	return text
}

// maxSaid bounds the bytes of a value in a finding.
const maxSaid = 200

// leftOut is what is said of a profile of a database whose samples cannot be read;
// err says why.
func leftOut(f format.File, err error) []model.Finding {
	warning := format.FindingOf(f.Name, err)
	warning.Severity, warning.Message = model.Warning, "left out: "+warning.Message
	return append([]model.Finding{warning}, knowable(f.Name, f.Data)[:1]...)
}
