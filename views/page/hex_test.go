package page

import (
	"strings"
	"testing"
)

// TestHexRows: every byte is written once, as digits and as a character, and
// the selection marks its bytes in both.
func TestHexRows(t *testing.T) {
	data := make([]byte, 37)
	for i := range data {
		data[i] = byte(i * 7)
	}
	rows := NewHexRows(data, 0x1f0, HexMarks{
		From: 0x1f5, To: 0x202, Begins: map[uint64]string{0x200: "data"}, Faults: map[uint64]string{0x201: "raw.truncated"},
	})
	if len(rows) != 3 || rows[0].Offset != "000001f0" || rows[2].Offset != "00000210" {
		t.Fatalf("%d rows: %+v", len(rows), rows)
	}
	const digits = "0123456789abcdef"
	for i, b := range data {
		cell := rows[i/16].Cells[i%16]
		if want := string([]byte{digits[b>>4], digits[b&15]}); cell.Text != want {
			t.Errorf("byte %d is %q, want %q", i, cell.Text, want)
		}
		if marked, want := strings.Contains(cell.Class, "hex-selected"), i >= 5 && i < 18; marked != want {
			t.Errorf("byte %d marked: %t", i, marked)
		}
	}
	for i := len(data); i < 48; i++ {
		if cell := rows[2].Cells[i%16]; cell != (HexCell{}) {
			t.Errorf("a byte after the end: %+v", cell)
		}
	}
	if c := rows[1].Cells[0]; c.Title != "data begins" || !strings.Contains(c.Class, "hex-begins") {
		t.Errorf("the first byte of a section: %+v", c)
	}
	if c := rows[1].Cells[1]; c.Title != "raw.truncated" || !strings.Contains(c.Class, "hex-fault") {
		t.Errorf("the byte of a finding: %+v", c)
	}
	marked := 0
	for _, r := range rows {
		line := ""
		for _, run := range r.Text {
			line += run.Text
			if run.Class == "hex-selected" {
				marked += len(run.Text)
			}
		}
		for _, c := range line {
			if c < 0x20 || c > 0x7e {
				t.Errorf("%q is not ASCII", line)
			}
		}
	}
	if marked != 13 {
		t.Errorf("%d characters are marked, want 13", marked)
	}
	if rows := NewHexRows(nil, 0, HexMarks{}); len(rows) != 0 {
		t.Error("rows of nothing")
	}
}
