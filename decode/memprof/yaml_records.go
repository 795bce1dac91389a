package memprof

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"proflens/decode/model"
)

// The keys at the top of a heap profile in YAML.
const (
	yamlRecords = "HeapProfileRecords"
	yamlAccess  = "DataAccessProfiles"
)

// IsYAML reports whether data begin like a heap profile in YAML: a document
// mark, and one of the two keys at the start of a line not far below, or the
// comment that llvm-profdata begins with.
func IsYAML(data []byte) bool {
	head := data[:min(len(data), 1<<16)]
	if !bytes.HasPrefix(head, []byte("---")) && !startsWithKey(head) {
		return false
	}
	for line := range bytes.Lines(head) {
		if startsWithKey(line) || bytes.HasPrefix(line, []byte("# MemProf")) {
			return true
		}
	}
	return false
}

func startsWithKey(b []byte) bool {
	return bytes.HasPrefix(b, []byte(yamlRecords+":")) || bytes.HasPrefix(b, []byte(yamlAccess+":"))
}

// yamlProfile reads a heap profile in YAML (memprof.md §4.1).
type yamlProfile struct {
	*yamlReader
	*builder
	sites   *sites
	names   map[uint64]string // of functions that the file gives by name
	records map[uint64]bool   // GUIDs
	again   uint64            // records of a GUID that has one

	reading           Record
	hasGUID, leaveOut bool // of reading
}

// OpenYAML reads the text form of a heap profile, of LLVM 20 or newer
// (memprof.md §4.1). Blocks may have any of the fields of a MIB. The profile
// does not refer to data. Errors are malformed, with the line, or too_large.
func OpenYAML(data []byte) (*Profile, error) {
	p := &yamlProfile{
		yamlReader: &yamlReader{data: data}, builder: newBuilder(FormatYAML, 0, len(data)),
		sites: newSites(), names: map[uint64]string{}, records: map[uint64]bool{},
	}
	p.profile.Symbolized = true
	p.document()
	if p.err != nil {
		return nil, p.err
	}
	for i := range p.profile.Frames {
		f := &p.profile.Frames[i]
		f.Name = p.names[f.Function]
	}
	if p.again > 0 {
		p.find(model.Warning, "repeated_guid", p.again,
			"%s of a function that has one already and %s out, as llvm-profdata does",
			model.Amount(p.again, "record is", "records are"), model.Left(p.again))
	}
	return p.profile, nil
}

// document reads the documents, of which one may have content.
func (p *yamlProfile) document() {
	for seen := false; p.err == nil; {
		if !p.ended() {
			if seen {
				p.yamlReader.fail(p.pos, "the file has a second document", "one profile", "")
				return
			}
			seen = true
			p.top()
			if !p.ended() {
				p.yamlReader.fail(p.pos, "a line belongs to no key above it", "", "")
			}
			continue
		}
		if p.pos >= len(p.data) {
			return
		}
		p.pos += len("---")
	}
}

// top reads the content of a document, a record at a time.
func (p *yamlProfile) top() {
	n := yamlNode{at: p.pos}
	if p.peek() == '{' {
		if n = p.flow(0); len(n.items) > 0 {
			p.yamlReader.fail(n.at, "a heap profile's keys go on lines of their own", "", "")
		}
		return
	}
	p.blockMap(p.column(), &n, func(at int) {
		switch key := n.keys[len(n.keys)-1]; key {
		case yamlRecords:
			p.eachEntry(p.entryRecord, p.record)
		case yamlAccess:
			p.access(p.value(1))
		default:
			p.yamlReader.fail(at, "heap profiles have no such key", yamlRecords+" or "+yamlAccess, fmt.Sprintf("%q", key))
		}
	})
}

// each reads the value of a key, a list, entry by entry, so that a long one is
// never held as a whole.
func (p *yamlProfile) each(read func(yamlNode)) {
	p.eachEntry(func() { read(p.entry(1)) }, read)
}

// eachEntry is each with what reads an entry of a block list at its dash, and
// what takes one of a flow list.
func (p *yamlProfile) eachEntry(block func(), flow func(yamlNode)) {
	before := *p.yamlReader
	if !p.ended() && p.dash() && p.column() >= p.mapColumn {
		p.list(p.column(), block)
		return
	}
	*p.yamlReader = before
	p.items(p.value(1), flow)
}

// entryRecord reads the record that an entry of a block list is.
func (p *yamlProfile) entryRecord() {
	before := *p.yamlReader
	column := p.column()
	p.pos++
	if p.ended() || p.column() <= column || p.dash() || p.peek() == '{' || !p.isKey() {
		*p.yamlReader = before
		p.record(p.entry(1))
		return
	}
	n := yamlNode{at: before.pos}
	p.begin()
	p.blockMap(p.column(), &n, func(at int) {
		switch key := n.keys[len(n.keys)-1]; key {
		case "GUID":
			id := p.value(1)
			p.named(&id)
		case "AllocSites":
			p.each(p.allocSite)
		case "CallSites":
			p.each(p.callSite)
		default:
			p.yamlReader.fail(at, "records have no such key", "GUID, AllocSites, CallSites", fmt.Sprintf("%q", key))
		}
	})
	p.end(n.at)
}

// record reads a record that was read whole.
func (p *yamlProfile) record(n yamlNode) {
	m := p.fields(n, "a record", "GUID", "AllocSites", "CallSites")
	p.begin()
	if id := m["GUID"]; id != nil && p.err == nil {
		p.named(id)
	}
	if sites := m["AllocSites"]; sites != nil {
		p.items(*sites, p.allocSite)
	}
	if sites := m["CallSites"]; sites != nil {
		p.items(*sites, p.callSite)
	}
	p.end(n.at)
}

// begin, named and end are of the record that is being read. Sites of one that
// is not to be kept are left out as far as its GUID comes before them, as it
// does wherever it was written by a program.
func (p *yamlProfile) begin() { p.reading, p.hasGUID, p.leaveOut = Record{}, false, false }

func (p *yamlProfile) named(id *yamlNode) {
	p.reading.Function, p.hasGUID = p.guid(id), true
	p.leaveOut = p.records[p.reading.Function]
}

func (p *yamlProfile) end(at int) {
	switch {
	case !p.hasGUID:
		p.yamlReader.fail(at, "a record has no GUID", "GUID", "")
	case p.leaveOut:
		p.again++
	default:
		p.records[p.reading.Function] = true
		p.profile.Records = append(p.profile.Records, p.reading)
	}
}

// allocSite reads an allocation site.
func (p *yamlProfile) allocSite(n yamlNode) {
	m := p.fields(n, "an allocation site", "Callstack", "MemInfoBlock")
	stack, mib := p.frameList(n, m["Callstack"]), p.mib(n, m["MemInfoBlock"])
	if p.err == nil && !p.leaveOut {
		p.reading.AllocSites = append(p.reading.AllocSites, p.site(stack, mib))
	}
}

// site is the number of a context in the record that is being read.
func (p *yamlProfile) site(stack StackID, mib MIB) uint32 {
	key, number, ok := p.sites.find(len(p.profile.Records), stack, p.sites.hash(&mib))
	if ok {
		return number
	}
	return p.sites.add(key, p.context(stack, 0, mib))
}

// callSite reads a call site: a map or, as LLVM 20 has it, the list of frames.
func (p *yamlProfile) callSite(n yamlNode) {
	var site CallSite
	if n.kind == yamlList {
		site.Stack = p.frameList(n, &n)
	} else {
		m := p.fields(n, "a call site", "Frames", "CalleeGuids")
		site.Stack = p.frameList(n, m["Frames"])
		if callees := m["CalleeGuids"]; callees != nil {
			p.items(*callees, func(n yamlNode) { site.Callees = append(site.Callees, p.guid(&n)) })
		}
	}
	if p.err == nil && !p.leaveOut {
		p.reading.CallSites = append(p.reading.CallSites, site)
	}
}

// frameList reads the frames of a stack.
func (p *yamlProfile) frameList(of yamlNode, n *yamlNode) StackID {
	if n == nil {
		p.yamlReader.fail(of.at, "a site has no call stack", "Callstack or Frames", "")
		return NoStack
	}
	var frames []uint32
	p.items(*n, func(n yamlNode) {
		m := p.fields(n, "a frame", "Function", "LineOffset", "Column", "IsInlineFrame")
		if len(m) < 4 {
			p.yamlReader.fail(n.at, "a frame lacks a required key", "Function, LineOffset, Column and IsInlineFrame", "")
		}
		if p.err == nil {
			f := Frame{Function: p.guid(m["Function"]), Module: -1}
			f.LineOffset, f.Column = uint32(p.number(m["LineOffset"], 32)), uint32(p.number(m["Column"], 32))
			f.Inline = p.boolean(m["IsInlineFrame"])
			frames = append(frames, p.frame(f))
		}
	})
	if len(frames) == 0 {
		p.yamlReader.fail(n.at, "a call stack has no frame", "", "")
		return NoStack
	}
	return p.stack(frames)
}

// mib reads a memory info block.
func (p *yamlProfile) mib(of yamlNode, n *yamlNode) (mib MIB) {
	if n == nil || n.kind != yamlMap {
		p.yamlReader.fail(of.at, "an allocation site has no MemInfoBlock", "MemInfoBlock", "")
		return mib
	}
	var values [NumMIBFields + 1]uint64
	for i := range n.items {
		f, ok := MIBFieldOf(n.keys[i])
		if !ok {
			p.yamlReader.fail(n.items[i].at, "MemInfoBlocks have no such field", "", fmt.Sprintf("%q", n.keys[i]))
			return mib
		}
		values[f] = p.number(&n.items[i], 8*f.Size())
		mib.Schema |= 1 << f
	}
	mib.Values = make([]uint64, 0, mib.Schema.Len())
	for f := range mib.Schema.Fields() {
		mib.Values = append(mib.Values, values[f])
	}
	return mib
}

// fields is a map by key, empty after a fault, as keys are that are not known.
func (p *yamlProfile) fields(n yamlNode, what string, known ...string) map[string]*yamlNode {
	if n.kind != yamlMap {
		p.yamlReader.fail(n.at, what+" is not a map", strings.Join(known, ", "), "")
		return nil
	}
	m := make(map[string]*yamlNode, len(n.keys))
	for i := range n.items {
		key := n.keys[i]
		if !slices.Contains(known, key) {
			p.yamlReader.fail(n.items[i].at, what+" has no such key", strings.Join(known, ", "), fmt.Sprintf("%q", key))
		}
		m[key] = &n.items[i]
	}
	if p.err != nil {
		return nil
	}
	return m
}

// items calls read for each item of a list; nothing at all is an empty one.
func (p *yamlProfile) items(n yamlNode, read func(yamlNode)) {
	if n.kind == yamlScalar && n.plain && n.text == "" {
		return
	}
	if n.kind != yamlList {
		p.yamlReader.fail(n.at, "this is not a list", "a list", "")
		return
	}
	for _, item := range n.items {
		if p.err != nil {
			return
		}
		read(item)
	}
}

// guid reads a function: its GUID in hexadecimal, or its name. Decimal digits
// are neither, as for llvm-profdata.
func (p *yamlProfile) guid(n *yamlNode) uint64 {
	if n.kind != yamlScalar || n.text == "" {
		p.yamlReader.fail(n.at, "a function is missing", "a GUID as 0x…, or a name", "")
		return 0
	}
	if hex, ok := strings.CutPrefix(n.text, "0x"); ok {
		v, err := strconv.ParseUint(hex, 16, 64)
		if err != nil {
			p.yamlReader.fail(n.at, "a GUID is not a 64-bit number", "0x and up to 16 hexadecimal digits",
				fmt.Sprintf("%q", n.text))
		}
		return v
	}
	if strings.Trim(n.text, "0123456789") == "" {
		p.yamlReader.fail(n.at, "a GUID in decimal is not allowed", "0x…, or a name", n.text)
		return 0
	}
	name := model.CanonicalName(n.text)
	id := model.GUID(name)
	p.names[id] = name
	return id
}

// number reads an unsigned number of at most size bits, in decimal or as 0x….
func (p *yamlProfile) number(n *yamlNode, size int) uint64 {
	if n.kind != yamlScalar {
		p.yamlReader.fail(n.at, "a number is missing", "", "")
		return 0
	}
	v, err := strconv.ParseUint(n.text, 0, size)
	if err != nil || strings.Contains(n.text, "_") {
		p.yamlReader.fail(n.at, fmt.Sprintf("this is not an unsigned %d-bit number", size), "", fmt.Sprintf("%q", n.text))
	}
	return v
}

func (p *yamlProfile) boolean(n *yamlNode) bool {
	switch n.text {
	case "true", "True", "TRUE":
		return true
	case "false", "False", "FALSE":
		return false
	}
	p.yamlReader.fail(n.at, "this is neither true nor false", "true or false", fmt.Sprintf("%q", n.text))
	return false
}
