// Package ships reads lists of ships: text with a line for each, its name and its weight.
package ships

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// Family is what lists of ships measure.
const Family model.Family = "ships"

// magic begins a list.
const magic = "ships v1\n"

// Suite is lists of ships.
var Suite = &format.Suite{Formats: []*format.Format{list}, Reads: "ships", Recognise: recognise, Open: open}

var list = &format.Format{
	Name: "ships", Prefix: "ships",
	Inspect: func(_ *model.Anatomy, f format.File, rec *wire.Recorder) error {
		_, err := read(f.Data, rec)
		return err
	},
	Outline: func(f format.File, rec *wire.Recorder) error { _, err := read(f.Data, rec); return err },
	Advice: map[model.Kind]format.Advice{
		model.KindMalformed: {Cause: "the list was edited by hand", Remedy: "write NAME WEIGHT on each line"},
	},
}

const describe = "list of ships"

func recognise(_ string, data []byte) (format.Recognised, bool) {
	return format.Recognised{Format: list, Families: []model.Family{Family}, Describe: describe},
		bytes.HasPrefix(data, []byte(magic))
}

// Ship is a line.
type Ship struct {
	Name   []byte // in the file
	Weight uint64 // tons
}

// Profile is the ships of a list, in its order.
type Profile struct{ Ships []Ship }

// open opens one list; whatever came along with it is left out.
func open(ctx context.Context, files []format.File, o format.Options) (*format.Profile, error) {
	p := &format.Profile{Inputs: make([]format.Input, len(files))}
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		err := add(p, i, f, o)
		if err := p.Spare(files, i, err); err != nil {
			return nil, err
		}
	}
	if len(p.Parts) == 0 {
		return nil, p.Spared()
	}
	return p, nil
}

func add(p *format.Profile, i int, f format.File, o format.Options) error {
	in := &p.Inputs[i]
	*in = format.NewInput(f)
	switch {
	case f.Is.Empty:
		*in = p.AddNothing(f)
		return nil
	case f.Optional && f.Is.Foreign():
		*in = p.LeaveOut(f)
		return nil
	case f.Is.Err != nil:
		return f.Is.Err
	case !f.Is.Is(list.Name) || len(p.Parts) > 0:
		return f.Is.Format.Refuse(f.Name, fmt.Sprintf("%s cannot form one profile with another list of ships", f.Name), nil)
	}
	rec := o.Recorder()
	ships, err := read(f.Data, rec)
	if err != nil {
		return list.InFile(f.Name, err)
	}
	p.Info = model.Info{
		Format: list.Name, Families: []model.Family{Family}, Version: 1, Profiles: 1, Describe: describe,
	}
	in.Info = p.Info
	in.Keep(rec)
	p.Add(Family, ships)
	return nil
}

// read reads a list. A line is no shorter than four bytes: the file bounds their number.
func read(data []byte, rec *wire.Recorder) (*Profile, error) {
	c := wire.New("ships", data, 0)
	c.Record(rec)
	c.Text("Magic", uint64(len(magic)))
	p := &Profile{}
	for c.Err() == nil && c.Remaining() > 0 {
		at, rest := c.Offset(), c.Peek()
		line, _, _ := bytes.Cut(rest, []byte("\n"))
		c.Text("Ship", uint64(min(len(line)+1, len(rest))))
		end := bytes.LastIndexByte(line, ' ')
		weight, err := strconv.ParseUint(string(line[end+1:]), 10, 64)
		if end < 1 || end > model.MaxName || err != nil {
			return nil, c.FailAt(at, model.KindMalformed, "Ship", "the line is no ship", "NAME WEIGHT",
				fmt.Sprintf("%.100q", line))
		}
		p.Ships = append(p.Ships, Ship{line[:end], weight})
	}
	return p, c.Err()
}
