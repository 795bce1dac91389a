package stacks

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"

	"proflens/analyze"
)

// Speedscope writes the JSON of https://www.speedscope.app: one profile of the
// kind "sampled" for each type of value. Samples stream; the frames, each once,
// and the weights of one type are held. The error is the source's or the
// writer's.
func Speedscope(w io.Writer, p *Profile, names Names) error {
	s := speedscope{w: bufio.NewWriterSize(w, 64<<10), index: map[speedscopeFrame]int{}, names: names}
	s.text(`{"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"proflens","name":`)
	s.value(valid(p.Name))
	s.text(`,"activeProfileIndex":0,"profiles":[`)
	for i, t := range p.Types {
		if i > 0 {
			s.text(",")
		}
		if err := s.profile(p, i, t); err != nil {
			return err
		}
	}
	s.text(`],"shared":{"frames":[`)
	for i, f := range s.frames {
		if i > 0 {
			s.text(",")
		}
		s.value(f)
	}
	s.text("]}}\n")
	return s.w.Flush()
}

// speedscope is a file in the making. An error of the writer stays in it and is
// that of Flush.
type speedscope struct {
	w      *bufio.Writer
	names  Names
	index  map[speedscopeFrame]int
	frames []speedscopeFrame
}

type speedscopeFrame struct {
	Name string `json:"name"`
	File string `json:"file,omitempty"`
	Line int64  `json:"line,omitempty"`
}

func (s *speedscope) text(text string) { s.w.WriteString(text) }

func (s *speedscope) value(v any) {
	b, _ := json.Marshal(v) // strings and numbers always can
	s.w.Write(b)
}

// profile writes the samples of one type.
func (s *speedscope) profile(p *Profile, value int, t Type) error {
	s.text(`{"type":"sampled","name":`)
	s.value(valid(t.Name))
	s.text(`,"unit":"` + speedscopeUnit(t.Unit) + `","samples":[`)
	var weights, stack []byte
	var total analyze.Sum
	for sample, err := range p.Samples {
		if err != nil {
			return err
		}
		weight := sample.Values[value]
		if weight == 0 || len(sample.Stack) == 0 {
			continue
		}
		stack = stack[:0]
		if len(weights) > 0 {
			stack = append(stack, ',')
			weights = append(weights, ',')
		}
		stack = append(stack, '[')
		for i := len(sample.Stack) - 1; i >= 0; i-- {
			stack = strconv.AppendInt(stack, int64(s.frame(&sample.Stack[i])), 10)
			if i > 0 {
				stack = append(stack, ',')
			}
		}
		if _, err := s.w.Write(append(stack, ']')); err != nil {
			return err
		}
		weights = strconv.AppendUint(weights, weight, 10)
		total.Add(weight)
	}
	s.text(`],"weights":[`)
	s.w.Write(weights)
	s.text(`],"startValue":0,"endValue":` + total.String() + "}")
	return nil
}

// frame is the index of a frame.
func (s *speedscope) frame(f *Frame) int {
	key := speedscopeFrame{Name: valid(s.names.of(f)), File: f.File, Line: f.Line}
	i, known := s.index[key]
	if !known {
		i = len(s.frames)
		s.index[key] = i
		s.frames = append(s.frames, key)
	}
	return i
}

// speedscopeUnit is a unit that the format knows.
func speedscopeUnit(unit string) string {
	switch unit {
	case "bytes", "nanoseconds", "microseconds", "milliseconds", "seconds":
		return unit
	}
	return "none"
}
