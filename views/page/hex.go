package page

import (
	"encoding/hex"

	"proflens/internal/humanize"
)

// HexWidth is how many bytes a row of a hex view has.
const HexWidth = 16

// HexView is a page of a file's bytes.
type HexView struct {
	Rows      []HexRow
	Range     string   // "0x0 to 0x1ff"
	Sections  []string // that begin or go on here, with where they begin
	Selection string   // what is marked; empty when nothing is
	Past      string   // said when an offset after the end was asked for
	Empty     string   // said in the place of rows when there is no byte
	Pager     Pager
}

// HexRow is sixteen bytes, fewer at the end of the file.
type HexRow struct {
	Offset string
	Cells  [HexWidth]HexCell
	Text   []HexText
}

// HexCell is one byte; empty after the end of the file.
type HexCell struct {
	Text  string
	Class string
	Title string // the section that begins here, or the finding
}

// HexText is a run of characters that look alike.
type HexText struct{ Text, Class string }

// HexMarks are what is to be seen among bytes.
type HexMarks struct {
	From, To uint64 // the selection, without its end; equal when nothing is selected
	Begins   map[uint64]string
	Faults   map[uint64]string
}

// NewHexRows writes bytes that begin at an offset in their file.
func NewHexRows(data []byte, base uint64, m HexMarks) []HexRow {
	var rows []HexRow
	for first := 0; first < len(data); first += HexWidth {
		line := data[first:min(first+HexWidth, len(data))]
		row := HexRow{Offset: hexOffset(base + uint64(first))}
		for i, b := range line {
			at := base + uint64(first+i)
			row.Cells[i] = m.cell(b, at)
			row.addText(b, m.selected(at))
		}
		rows = append(rows, row)
	}
	return rows
}

func (m *HexMarks) selected(at uint64) bool { return m.From <= at && at < m.To }

func (m *HexMarks) cell(b byte, at uint64) HexCell {
	c := HexCell{Text: hex.EncodeToString([]byte{b})}
	add := func(class, title string) {
		if c.Class != "" {
			c.Class += " "
		}
		c.Class += class
		if title != "" {
			c.Title = title
		}
	}
	if b == 0 {
		add("hex-zero", "")
	}
	if name, ok := m.Begins[at]; ok {
		add("hex-begins", name+" begins")
	}
	if m.selected(at) {
		add("hex-selected", "")
	}
	if code, ok := m.Faults[at]; ok {
		add("hex-fault", code)
	}
	return c
}

// addText appends a byte as a character, a dot when it is not one of ASCII's
// printable ones.
func (r *HexRow) addText(b byte, selected bool) {
	text, class := string(rune(b)), ""
	if b < 0x20 || b > 0x7e {
		text, class = ".", "hex-zero"
	}
	if selected {
		class = "hex-selected"
	}
	if last := len(r.Text) - 1; last >= 0 && r.Text[last].Class == class {
		r.Text[last].Text += text
		return
	}
	r.Text = append(r.Text, HexText{text, class})
}

// hexOffset writes an offset with eight digits or more, as hex views do.
func hexOffset(v uint64) string {
	text := humanize.Hex64(v)[2:]
	for len(text) > 8 && text[0] == '0' {
		text = text[1:]
	}
	return text
}
