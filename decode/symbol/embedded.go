package symbol

import (
	"bytes"

	"proflens/decode/model"
)

// What a program may hold of sources: files, bytes of one, and of all.
const (
	maxEmbedded      = 1 << 17
	maxEmbeddedText  = 16 << 20
	maxEmbeddedTexts = 512 << 20
)

// Embedded is the sources whose text the line tables of DWARF 5 hold, as clang writes it
// with -gembed-source, each once. The text is part of the image's data, or inflated. What is
// at fault is left out: a program says all else without it.
func (i *Image) Embedded() (list []model.SourceText) {
	d := &DWARF{image: i}
	if d.load("", []wantedSection{{"line_str", &d.lineStr}}) != nil || len(d.lineStr.data) == 0 {
		return nil
	}
	if d.load("", []wantedSection{{"line", &d.line}, {"str", &d.str}}) != nil {
		return nil
	}
	known, left := map[string]bool{}, uint64(maxEmbeddedTexts)
	u := &unit{d: d}
	for whole := d.cursor(&d.line); whole.Remaining() > 0 && whole.Err() == nil; {
		t, _, err := openLines(whole, u)
		if err != nil || t.version < 5 {
			continue
		}
		for _, f := range t.files {
			if f.text == 0 {
				continue
			}
			name := t.path(u, f)
			if name == "" || known[name] {
				continue
			}
			if len(list) == maxEmbedded || !i.Allowance().Take(uint64(len(name))) {
				return list
			}
			known[name] = true
			text, _ := from(d.lineStr.data, f.text-1)
			text = text[:min(uint64(len(text)), maxEmbeddedText+1, left)]
			end := bytes.IndexByte(text, 0)
			if end < 0 { // too long, or cut short: looking took as long
				left -= uint64(len(text))
				continue
			}
			if left -= uint64(end); end > 0 {
				list = append(list, model.SourceText{Name: name, Text: text[:end:end]})
			}
		}
	}
	return list
}

// path is the path of a file of version 5, whose directory 0 is that of the compilation.
func (t *lineTable) path(u *unit, f fileEntry) string {
	text := func(v value) string {
		b, _ := u.text(v)
		b, _ = cString(b)
		return string(b)
	}
	name := text(f.name)
	for _, dir := range []uint64{f.dir, 0} {
		if name != "" && !isAbsolute(name) && dir < uint64(len(t.dirs)) {
			name = join(text(t.dirs[dir]), name)
		}
		if f.dir == 0 {
			break
		}
	}
	return name
}
