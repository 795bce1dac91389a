package memprof

import (
	"bytes"
	"fmt"
	"strings"

	"proflens/decode/model"
)

// yamlReader reads the YAML that heap profiles are written in: block and flow
// collections, plain and quoted scalars of one line, comments, documents. There
// are no anchors, aliases or tags, so nothing in a file stands for more than
// its own bytes; values are slices of the file.
type yamlReader struct {
	data []byte
	pos  int
	line int // begins here
	// mapColumn is where the keys stand of the block map that a value is read of.
	mapColumn int
	err       *model.FormatError
}

// maxYAMLDepth is more than the schema has.
const maxYAMLDepth = 16

type yamlKind uint8

const (
	yamlScalar yamlKind = iota
	yamlList
	yamlMap
)

// yamlNode is a value: a scalar, a list of items, or a map of keys and items.
type yamlNode struct {
	kind  yamlKind
	at    int // offset in the file
	text  string
	plain bool // a scalar that is not quoted
	keys  []string
	items []yamlNode
}

// fail latches the first fault.
func (y *yamlReader) fail(at int, msg string, expected, found any) {
	y.failAs(model.KindMalformed, at, msg, expected, found)
}

func (y *yamlReader) failAs(kind model.Kind, at int, msg string, expected, found any) {
	if y.err == nil {
		y.err = &model.FormatError{
			Kind: kind, Section: fmt.Sprintf("line %d", 1+bytes.Count(y.data[:min(at, len(y.data))], []byte("\n"))),
			Offset: uint64(at), Msg: msg, Expected: fmt.Sprint(expected), Found: fmt.Sprint(found),
		}
	}
}

// peek is the byte at the position, 0 at the end.
func (y *yamlReader) peek() byte {
	if y.pos < len(y.data) {
		return y.data[y.pos]
	}
	return 0
}

// column is how far the position is from the start of its line.
func (y *yamlReader) column() int { return y.pos - y.line }

// skip moves to the next byte of content, past spaces, comments and line ends.
func (y *yamlReader) skip() {
	for y.pos < len(y.data) {
		switch c := y.data[y.pos]; {
		case c == '\n':
			y.pos++
			y.line = y.pos
		case c == ' ' || c == '\r' || c == '\t' && y.pos > y.line && y.onlyAfterContent():
			y.pos++
		case c == '#' && (y.pos == 0 || isBlank(y.data[y.pos-1])):
			if end := bytes.IndexByte(y.data[y.pos:], '\n'); end >= 0 {
				y.pos += end
			} else {
				y.pos = len(y.data)
			}
		default:
			return
		}
	}
}

// onlyAfterContent reports whether a tab stands behind something on its line;
// in an indentation YAML has none.
func (y *yamlReader) onlyAfterContent() bool {
	return len(bytes.Trim(y.data[y.line:y.pos], " ")) > 0
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// marker reports whether a line of the given three bytes, "---" or "...", is next.
func (y *yamlReader) marker(mark string) bool {
	rest := y.data[y.pos:]
	return y.column() == 0 && bytes.HasPrefix(rest, []byte(mark)) && (len(rest) == 3 || isBlank(rest[3]))
}

// ended reports whether the document has no more content.
func (y *yamlReader) ended() bool {
	y.skip()
	return y.err != nil || y.pos >= len(y.data) || y.marker("---") || y.marker("...")
}

// dash reports whether an entry of a block list is next.
func (y *yamlReader) dash() bool {
	return y.peek() == '-' && (y.pos+1 == len(y.data) || isBlank(y.data[y.pos+1]))
}

// node reads the value that is next; its lines are indented by at least indent.
func (y *yamlReader) node(indent, depth int) yamlNode {
	n := yamlNode{at: y.pos}
	switch {
	case y.err != nil:
	case depth > maxYAMLDepth:
		y.fail(y.pos, "the values are nested too deeply", fmt.Sprintf("at most %d", maxYAMLDepth), "")
	case y.peek() == '{' || y.peek() == '[':
		return y.flow(depth)
	case y.dash():
		n.kind = yamlList
		y.list(y.column(), func() { n.items = append(n.items, y.entry(depth+1)) })
	default:
		if y.isKey() {
			n.kind = yamlMap
			y.blockMap(y.column(), &n, func(int) { n.items = append(n.items, y.value(depth+1)) })
			return n
		}
		return y.scalar("")
	}
	return n
}

// list reads the entries of a block list that starts in a column, each with
// read, at its dash.
func (y *yamlReader) list(column int, read func()) {
	for !y.ended() && y.dash() && y.column() == column {
		read()
	}
	if !y.ended() && y.column() > column {
		y.fail(y.pos, "a line is indented deeper than its list", fmt.Sprintf("column %d", column), y.column())
	}
}

// entry reads one entry of a block list.
func (y *yamlReader) entry(depth int) yamlNode {
	column := y.column()
	y.pos++
	if y.ended() || y.column() <= column {
		return yamlNode{at: y.pos, plain: true}
	}
	return y.node(column+1, depth)
}

// blockMap reads the keys of a block map that starts in a column, and each
// value with read, which is told where the key stands.
func (y *yamlReader) blockMap(column int, n *yamlNode, read func(at int)) {
	for !y.ended() && y.column() == column && !y.dash() {
		at := y.pos
		key := y.scalar(":")
		if y.err == nil && y.peek() != ':' {
			y.fail(at, "a line has no key", "KEY: VALUE", "")
		}
		if y.err != nil {
			return
		}
		y.pos++
		y.keyOnce(at, n, key.text)
		y.mapColumn = column
		read(at)
	}
	if !y.ended() && y.column() > column {
		y.fail(y.pos, "a line is indented deeper than the keys beside it", fmt.Sprintf("column %d", column),
			y.column())
	}
}

// keyOnce adds a key to a map, which must not have it.
func (y *yamlReader) keyOnce(at int, n *yamlNode, key string) {
	for _, k := range n.keys {
		if k == key {
			y.fail(at, "a key appears twice in one map", "", fmt.Sprintf("%q", key))
		}
	}
	if len(n.keys) >= maxYAMLKeys {
		y.fail(at, "a map has too many keys", fmt.Sprintf("at most %d", maxYAMLKeys), "")
	}
	n.keys = append(n.keys, key)
}

// maxYAMLKeys is more than the largest map of the schema has.
const maxYAMLKeys = 64

// value reads what stands behind the colon of a key of a block map: on its
// line, or on lines below that are indented deeper, or a list that is not.
func (y *yamlReader) value(depth int) yamlNode {
	column, line := y.mapColumn, y.line
	if y.ended() || y.line != line && (y.column() < column || y.column() == column && !y.dash()) {
		return yamlNode{at: y.pos, plain: true}
	}
	if y.line == line {
		if c := y.peek(); c == '{' || c == '[' {
			return y.flow(depth)
		}
		return y.scalar("")
	}
	return y.node(column, depth)
}

// isKey reports whether the line goes on with a key.
func (y *yamlReader) isKey() bool {
	back := *y
	back.scalar(":")
	return back.err == nil && back.peek() == ':'
}

// scalar reads a scalar on one line. stop has the bytes that end a plain one:
// a colon does only before a blank.
func (y *yamlReader) scalar(stop string) yamlNode {
	n := yamlNode{at: y.pos, plain: true}
	if c := y.peek(); c == '"' || c == '\'' {
		n.plain = false
		n.text = y.quoted(c)
		y.blanks()
		return n
	}
	start := y.pos
	if c := y.peek(); strings.IndexByte("&*!|>%@`", c) >= 0 && c != 0 {
		y.fail(y.pos, "heap profiles do not use this kind of YAML", "a plain or quoted value", fmt.Sprintf("%q", c))
		return n
	}
	for ; y.pos < len(y.data) && y.data[y.pos] != '\n'; y.pos++ {
		c := y.data[y.pos]
		if c == '#' && y.pos > start && isBlank(y.data[y.pos-1]) {
			break
		}
		if strings.IndexByte(stop, c) >= 0 && (c != ':' || y.pos+1 == len(y.data) || isBlank(y.data[y.pos+1])) {
			break
		}
	}
	if text := bytes.TrimRight(y.data[start:y.pos], " \t\r"); y.short(start, len(text)) {
		n.text = string(text)
	}
	return n
}

// short refuses a scalar that is longer than any name.
func (y *yamlReader) short(at, size int) bool {
	if size > model.MaxName {
		y.failAs(model.KindTooLarge, at, "a value is too long", model.NameBound, fmt.Sprintf("%d bytes or more", size))
	}
	return size <= model.MaxName
}

func (y *yamlReader) blanks() {
	for c := y.peek(); c == ' ' || c == '\t' || c == '\r'; c = y.peek() {
		y.pos++
	}
}

// quoted reads a quoted scalar.
func (y *yamlReader) quoted(quote byte) string {
	start := y.pos
	y.pos++
	var b strings.Builder
	for ; y.pos < len(y.data) && y.data[y.pos] != '\n'; y.pos++ {
		c := y.data[y.pos]
		switch {
		case c == quote && quote == '\'' && y.pos+1 < len(y.data) && y.data[y.pos+1] == '\'':
			y.pos++
		case c == quote:
			y.pos++
			return b.String()
		case c == '\\' && quote == '"':
			y.pos++
			b.Write(y.escape())
			continue
		}
		if b.WriteByte(c); !y.short(start, b.Len()) {
			return ""
		}
	}
	y.fail(start, "a quoted value does not end on its line", string(quote), "")
	return ""
}

// escape is what an escape sequence in double quotes stands for, at its last byte.
func (y *yamlReader) escape() []byte {
	const plain = "0\x00a\x07b\x08t\tn\nv\x0bf\x0cr\re\x1b \x20\"\"//\\\\"
	c := y.peek()
	for i := 0; i < len(plain); i += 2 {
		if plain[i] == c {
			return []byte{plain[i+1]}
		}
	}
	if c == 'x' && y.pos+2 < len(y.data) {
		var v byte
		if _, err := fmt.Sscanf(string(y.data[y.pos+1:y.pos+3]), "%02x", &v); err == nil {
			y.pos += 2
			return []byte{v}
		}
	}
	y.fail(y.pos, "an escape sequence is not known", "", fmt.Sprintf("\\%c", c))
	return nil
}

// flow reads a collection in braces or brackets, which may go over lines.
func (y *yamlReader) flow(depth int) yamlNode {
	n := yamlNode{kind: yamlList, at: y.pos}
	end := byte(']')
	if y.peek() == '{' {
		n.kind, end = yamlMap, '}'
	}
	if depth > maxYAMLDepth {
		y.fail(y.pos, "the values are nested too deeply", fmt.Sprintf("at most %d", maxYAMLDepth), "")
	}
	y.pos++
	for y.err == nil {
		y.skip()
		if y.peek() == end && y.pos < len(y.data) {
			y.pos++
			return n
		}
		if n.kind == yamlMap {
			at := y.pos
			key := y.scalar(":,]}")
			if y.peek() != ':' {
				y.fail(at, "a flow map holds something other than KEY: VALUE", "", "")
				return n
			}
			y.pos++
			y.keyOnce(at, &n, key.text)
			y.skip()
		}
		if c := y.peek(); c == '{' || c == '[' {
			n.items = append(n.items, y.flow(depth+1))
		} else {
			n.items = append(n.items, y.scalar(",]}"))
		}
		y.skip()
		if y.peek() == ',' {
			y.pos++
		} else if y.peek() != end {
			y.fail(y.pos, "a flow collection is not closed", string(end), "")
		}
	}
	return n
}
