package dcpi

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"proflens/decode/model"
	"proflens/decode/wire"
)

// parseLines fills the header from its lines and returns warnings. Of several
// faults it tells that of a line that stands twice, then of the version, then of a
// line that is missing, then of a value.
func parseLines(c *wire.Cursor, h *Header) (warnings []string, err error) {
	if h.CRLF {
		warnings = append(warnings, "crlf_header")
	}
	known := map[string]*Line{}
	for i := range h.Lines {
		l := &h.Lines[i]
		switch first := known[l.Key]; {
		case KindOfLine(l.Key) == Unknown:
		case first == nil:
			known[l.Key] = l
		case KindOfLine(l.Key) == Optional: // as many as there are: the first is the value
		case l.Key == "period": // listed as required and as optional: the first counts
			warnings = append(warnings, "repeated_period")
		default:
			return nil, c.FailAt(l.Offset, KindDuplicateLine, l.Key, "the line appears twice", "one",
				fmt.Sprintf("another at 0x%x", first.Offset))
		}
	}
	if len(known) == 0 {
		return nil, c.FailAt(0, KindNotDCPI, "", "no line starts with a known keyword", "image, epoch, platform, event …", "")
	}
	p := lineParser{c: c, known: known}
	warnings = append(warnings, p.version(h)...)
	for _, key := range required {
		if known[key] == nil && c.Err() == nil {
			c.FailAt(0, KindMissingRequired, key, "the header lacks this line", "one", "none")
		}
	}
	h.Period = p.decimal("period")
	h.TextSize = p.decimal("tsize")
	h.CPUSpeed = p.decimal("cpuspeed")
	h.CPUImplVer = p.optional("cpuimplv", p.decimal)
	h.CPUCount = p.optional("cpucount", p.decimal)
	h.Image = p.digits("image")
	h.HasTextStart = known["tstart"] != nil
	h.TextStart = p.hexadecimal("tstart")
	h.CPUAMask = p.optional("cpuamask", p.hexadecimal)
	h.Epoch, h.Start = p.epoch()
	h.Platform, h.Event, h.Fraction = p.value("platform"), p.value("event"), wholeFraction
	for i := range h.Lines {
		if l := &h.Lines[i]; l.Key == "path" && !slices.Contains(h.Paths, l.Value) {
			h.Paths = append(h.Paths, l.Value)
		}
	}
	if !h.HasTextStart {
		warnings = append(warnings, "no_tstart_line")
	}
	return warnings, c.Err()
}

// wholeFraction is the Fraction of an event that was counted all the time.
const wholeFraction = 10_000

// lineParser reads values; the cursor keeps the first fault.
type lineParser struct {
	c     *wire.Cursor
	known map[string]*Line
}

func (p *lineParser) value(key string) string {
	if l := p.known[key]; l != nil {
		return l.Value
	}
	return ""
}

func (p *lineParser) bad(key, what, want string) {
	l := p.known[key]
	p.c.FailAt(l.Offset, KindBadValue, key, what, want, strconv.Quote(l.Value[:min(len(l.Value), 40)]))
}

var versionForm = regexp.MustCompile(`^(?:pdb-)?([0-9]+)\.([0-9]+)$`)

func (p *lineParser) version(h *Header) (warnings []string) {
	l := p.known["version"]
	if l == nil {
		return []string{"no_version_line"}
	}
	h.Version = l.Value
	m := versionForm.FindStringSubmatch(l.Value)
	if m == nil {
		p.bad("version", "the version cannot be read", "pdb-0.06 or pdb-0.07")
		return nil
	}
	major, err := strconv.ParseUint(m[1], 10, 64)
	if h.Major = major; err != nil || major > 0 {
		p.c.FailAt(l.Offset, model.KindUnsupportedVersion, "version",
			fmt.Sprintf("the samples of version %s cannot be read: their layout was never published",
				m[1][:min(len(m[1]), 20)]), "0.06 or 0.07", l.Value)
		return nil
	}
	if h.Minor, err = strconv.ParseUint(m[2], 10, 64); err != nil {
		p.bad("version", "the version cannot be read", "pdb-0.06 or pdb-0.07")
	}
	if h.Minor != 6 && h.Minor != 7 {
		return []string{"unlisted_minor_version"}
	}
	return nil
}

func (p *lineParser) optional(key string, read func(string) uint64) *uint64 {
	if p.known[key] == nil {
		return nil
	}
	n := read(key)
	return &n
}

func (p *lineParser) decimal(key string) uint64 {
	return p.number(key, 10, "0123456789", "a decimal number")
}

func (p *lineParser) hexadecimal(key string) uint64 {
	return p.number(key, 16, hexDigits, "a hexadecimal number")
}

const hexDigits = "0123456789abcdefABCDEF"

func (p *lineParser) number(key string, base int, digits, want string) uint64 {
	text := p.value(key)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, base, 64)
	if err != nil || strings.Trim(text, digits) != "" {
		p.bad(key, "the value is not a possible number", want+" below 2^64")
		return 0
	}
	return n
}

// digits is an id: hexadecimal digits, as many as they are.
func (p *lineParser) digits(key string) string {
	text := p.value(key)
	if strings.Trim(text, hexDigits) != "" {
		p.bad(key, "the id is not hexadecimal", "hexadecimal digits")
	}
	return text
}

func (p *lineParser) epoch() (text, start string) {
	if text = p.value("epoch"); text == "" {
		return "", ""
	}
	start, ok := epochTime(text)
	if !ok {
		p.bad("epoch", "this is not a valid time", "YYMMDDHHMM, YYYYMMDDHHMM or YYYYMMDDHHMMSS")
	}
	return text, start
}

// epochTime gives an epoch in RFC 3339. It has 10, 12 or 14 digits, is in UTC,
// and two digits of a year from 70 on are of the 1900s.
func epochTime(text string) (rfc3339 string, ok bool) {
	if strings.Trim(text, "0123456789") != "" {
		return "", false
	}
	switch len(text) {
	case 10:
		century := "19"
		if text < "70" {
			century = "20"
		}
		text = century + text + "00"
	case 12:
		text += "00"
	case 14:
	default:
		return "", false
	}
	month, day, hour, minute, second := text[4:6], text[6:8], text[8:10], text[10:12], text[12:]
	if month < "01" || month > "12" || day < "01" || day > "31" || hour > "23" || minute > "59" || second > "60" {
		return "", false
	}
	return fmt.Sprintf("%s-%s-%sT%s:%s:%sZ", text[:4], month, day, hour, minute, second), true
}
