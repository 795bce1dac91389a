package dcpi

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// Limits of a header. Real ones have a few hundred bytes.
const (
	maxLine   = 64 << 10
	maxHeader = 1 << 20
)

// How a keyword counts.
const (
	Required = "required"
	Optional = "optional"
	Unknown  = "unknown"
)

// required are the lines without which a profile is refused. The NT edition
// requires version and tstart too, which the others do not list.
var required = []string{"image", "epoch", "platform", "event", "period", "tsize", "cpuspeed"}

var keywords = map[string]string{
	"image": Required, "epoch": Required, "platform": Required, "event": Required, "period": Required,
	"tsize": Required, "cpuspeed": Required, "version": Required, "tstart": Required,
	"cpuamask": Optional, "cpuimplv": Optional, "cpucount": Optional, "path": Optional,
}

// KindOfLine says whether a header's keyword is required, optional or unknown.
func KindOfLine(key string) string {
	if kind, ok := keywords[key]; ok {
		return kind
	}
	return Unknown
}

// readLines reads the header's lines and its terminator, which ends it.
func readLines(c *wire.Cursor, h *Header) error {
	if c.Remaining() == 0 {
		return c.Fail(model.KindTruncated, "", "the file is empty", "a header", "0 bytes")
	}
	crlf, lf := false, false
	for {
		at := c.Offset()
		rest := c.Peek()
		end := bytes.IndexByte(rest[:min(len(rest), maxLine)], '\n')
		if end < 0 {
			return noTerminator(c, h)
		}
		raw := rest[:end+1]
		line, isCR := bytes.CutSuffix(raw[:end], []byte("\r"))
		crlf, lf = crlf || isCR, lf || !isCR
		key, value, ok := splitLine(line)
		switch {
		case isTerminator(line):
			h.Terminator, h.CRLF = raw, crlf
			c.Text("samples", uint64(len(line)))
			c.Note("ends the header; blanks may pad it")
			c.Skip("", uint64(len(raw)-len(line)))
			h.Bytes = c.Offset()
			c.Describe(h.Alignment())
			if crlf && lf {
				return c.FailAt(0, KindHeaderSyntax, "", "line endings are mixed", "one kind of line ending", "LF and CR LF")
			}
			return nil
		case !ok || bytes.IndexByte(line, 0) >= 0:
			return badLine(c, h, line)
		}
		h.Lines = append(h.Lines, Line{
			Key: text(key), Value: text(value), Kind: KindOfLine(string(key)), Raw: raw, Offset: at,
		})
		c.Skip("", uint64(len(key)+bytes.Index(raw[len(key):], value)))
		c.Text(string(key), uint64(len(value)))
		c.Note(meaningOf(string(key), text(value)))
		c.Skip("", at+uint64(len(raw))-c.Offset())
	}
}

// headerSize is where the first line "samples" ends, or how much of the file
// could be a header when there is none.
func headerSize(data []byte) int {
	limit := data[:min(len(data), maxHeader)]
	for at := 0; ; {
		end := bytes.IndexByte(limit[at:], '\n')
		if end < 0 {
			return len(limit)
		}
		line := limit[at : at+end]
		if at += end + 1; isTerminator(bytes.TrimSuffix(line, []byte("\r"))) {
			return at
		}
	}
}

func isTerminator(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("samples"))
	return ok && len(bytes.Trim(rest, " \t")) == 0
}

// splitLine takes "keyword blanks value" apart; the value is without the
// blanks after it.
func splitLine(line []byte) (key, value []byte, ok bool) {
	i := bytes.IndexAny(line, " \t")
	if i <= 0 {
		return nil, nil, false
	}
	value = bytes.Trim(line[i:], " \t")
	return line[:i], value, len(value) > 0
}

// text is a line's text as UTF-8.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

func noTerminator(c *wire.Cursor, h *Header) error {
	if len(h.Lines) == 0 {
		return c.Fail(KindNotDCPI, "", "the file does not begin with a header line", "a keyword, blanks and a value", "")
	}
	return c.Fail(KindMissingTerminator, "samples", "the header does not end", `a line "samples"`,
		model.Amount(len(h.Lines), "line", "lines")+" without one")
}

// badLine says what is wrong with a line that is no keyword with a value.
func badLine(c *wire.Cursor, h *Header, line []byte) error {
	const want = "a keyword, blanks and a value"
	found := fmt.Sprintf("%q", line[:min(len(line), 40)])
	switch {
	case len(h.Lines) == 0:
		return c.Fail(KindNotDCPI, "", "the first line is not a header line", want, found)
	case isBinary(line):
		return c.Fail(KindMissingTerminator, "samples", "binary data begin before the header ends", `a line "samples"`, found)
	}
	return c.Fail(KindHeaderSyntax, "", fmt.Sprintf("line %d is not a header line", len(h.Lines)+1), want, found)
}

func isBinary(line []byte) bool {
	if bytes.IndexByte(line, 0) >= 0 {
		return true
	}
	for _, b := range line[:min(len(line), 16)] {
		if b > 126 || b < 9 {
			return true
		}
	}
	return false
}
