package dcpiweb

import (
	"slices"
	"strconv"
	"strings"

	"proflens/handlers/site"
	"proflens/profile/dcpidb"
)

// selectionKeys are the parameters of tables of DCPI's samples that select profiles.
var selectionKeys = strings.Fields("image event epoch platform by unit shift")

// The sizes of ranges and cells, in bytes.
const (
	minHeatCell      = 4
	cacheLine        = 64
	alphaPage        = 8192 // of Alpha
	defaultHeatCells = 1024
	maxRangeBytes    = 1 << 30
)

// params is a request for a table of samples, as text that is checked
// against the database once it is open.
type params struct {
	Images, Events, Epochs, Platforms []string
	By                                dcpidb.Dimension
	Unit                              dcpidb.Unit
	Shift                             int64
	Text                              string
	Range                             uint64
	From, To                          uint64 // addresses
	A, B                              string
	Normalise                         bool
	Cell                              uint64
	Cells                             int
}

// readParams reads a request but for what all lists have.
func readParams(v *site.Values) params {
	p := params{
		Images: v.List("image"), Events: v.List("event"), Epochs: v.List("epoch"), Platforms: v.List("platform"),
		By: site.Choice(v, "by", dcpidb.Dimensions...), Unit: site.Choice(v, "unit", dcpidb.Units...),
		Shift: readShift(v, "shift"),
		Range: readSize(v, "range", 1, 0), From: readAddress(v, "from"), To: readAddress(v, "to"),
		A: v.One("a"), B: v.One("b"), Normalise: v.Yes("normalise"),
		Cell: readSize(v, "cell", 1, 0), Cells: v.Number("cells", 1, dcpidb.MaxHeatCells, defaultHeatCells),
	}
	if p.By != dcpidb.ByEvent && len(p.Events) > 1 {
		v.Fail("event", "by=%s shows one event; give one", p.By)
	}
	if (p.A == "") != (p.B == "") {
		v.Fail(map[bool]string{true: "b", false: "a"}[p.A == ""], "give both a and b, or neither to compare all")
	}
	return p
}

// readShift reads a signed number of bytes, in hexadecimal after 0x.
func readShift(v *site.Values, key string) int64 {
	text := v.One(key)
	if text == "" {
		return 0
	}
	digits, minus := strings.CutPrefix(text, "-")
	n, err := strconv.ParseUint(digits, 0, 64)
	if err != nil {
		v.Fail(key, "%q is not a number of bytes such as 4096, 0x1000 or -0x1000", text)
	}
	if minus {
		return -int64(n)
	}
	return int64(n) // addresses wrap: so does what is added to them
}

// readAddress reads an address or an offset, in hexadecimal after 0x.
func readAddress(v *site.Values, key string) uint64 {
	text := v.One(key)
	if text == "" {
		return 0
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil {
		v.Fail(key, "%q is not an address such as 0x120001000", text)
	}
	return n
}

// readSize reads a size from low on.
func readSize(v *site.Values, key string, low, absent uint64) uint64 {
	text := v.One(key)
	if text == "" {
		return absent
	}
	n, err := strconv.ParseUint(text, 0, 64)
	if err != nil || n < low || n > maxRangeBytes {
		v.Fail(key, "%q is not a size in bytes from %d to %d", text, low, maxRangeBytes)
		return absent
	}
	return n
}

// selection finds what a request names in the database. Errors are *site.ParamError.
func (p *params) selection(o *dcpidb.Overview) (dcpidb.Selection, error) {
	s := dcpidb.Selection{By: p.By, Unit: p.Unit, Shift: p.Shift}
	for _, word := range p.Images {
		found := o.FindImages(word)
		if len(found) == 0 {
			return s, unknownValue("image", word, imageWords(o))
		}
		s.Images = append(s.Images, found...)
	}
	for _, word := range p.Epochs {
		start, ok := o.FindEpoch(word)
		if !ok {
			return s, unknownValue("epoch", word, o.Epochs)
		}
		s.Epochs = append(s.Epochs, start)
	}
	for _, list := range []struct {
		key          string
		given, known []string
		to           *[]string
	}{{"event", p.Events, o.Events, &s.Events}, {"platform", p.Platforms, o.Platforms, &s.Platforms}} {
		for _, word := range list.given {
			if !slices.Contains(list.known, word) {
				return s, unknownValue(list.key, word, list.known)
			}
		}
		*list.to = list.given
	}
	return s, nil
}

func imageWords(o *dcpidb.Overview) []string {
	var words []string
	for i := range o.Images {
		words = append(words, o.Images[i].Label+" ("+o.ImageKey(i)+")")
	}
	return words
}

// knownShown is how many right values an error lists.
const knownShown = 20

func unknownValue(key, word string, known []string) error {
	list := strings.Join(known[:min(len(known), knownShown)], ", ")
	if len(known) > knownShown {
		list += ", …"
	}
	return &site.ParamError{Param: key, Msg: strconv.Quote(word) + " is not in this profile, which has " + list}
}

// sets are the two sets of a difference, by their names in the database.
func (p *params) sets(o *dcpidb.Overview, by dcpidb.Dimension) (a, b string, err error) {
	sets := [2]string{p.A, p.B}
	for i, word := range sets {
		key := []string{"a", "b"}[i]
		switch {
		case word == "":
		case by == dcpidb.ByPlatform:
			if !slices.Contains(o.Platforms, word) {
				return "", "", unknownValue(key, word, o.Platforms)
			}
		default:
			start, ok := o.FindEpoch(word)
			if !ok {
				return "", "", unknownValue(key, word, o.Epochs)
			}
			sets[i] = start
		}
	}
	return sets[0], sets[1], nil
}

// paramsSay is what the family's parameters are.
const paramsSay = `
	?image: DCPI images by ID or label, comma-separated or repeated. Default: all.
	?event: DCPI events, such as cycles. Only one if the columns are not events.
	?epoch: Epochs, in RFC 3339 or as in a file header.
	?platform: Hosts.
	?by event|epoch|platform: What the columns are; for a difference, what the sets are.
	?unit samples|events|seconds: Unit of the figures. events: samples × period; replaces samples wherever periods
	differ. seconds: CPU time, cycles ÷ the processor's speed. Both are estimates.
	?shift: Bytes to shift symbols by: 4096, 0x1000 or -0x1000.
	?from: First address.
	?to: Last address.
	?range integer 1..: Bytes per row in images without known procedures. Default 1024.
	?sort: Comma-separated columns, with - for descending: samples (the first column), the name of another column,
	name, image, address. Images also have address, size, symbols and profiles; epochs and hosts have images and
	profiles; a difference has range, delta, before, after, sum, range_share, sets, mean, deviation, name, image.
	?a: Epoch or host before. Needs b.
	?b: Epoch or host after. Needs a.
	?normalise boolean: Scale every set to the total of the first.
	?cell integer 1..: Bytes per cell. Default 64.
	?cells integer 1..4096: Number of cells.`
