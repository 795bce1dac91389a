package sums

import (
	"fmt"
	"slices"

	"proflens/decode/model"
)

// maxAlike is how many findings of one code are kept, each with its file. Of more
// inputs it is said how many they are.
const maxAlike = 100

// foundOnce is the findings of all inputs, in their order.
type foundOnce struct {
	list []model.Finding
	many map[string]*alike // by code
}

// alike is the findings of one code.
type alike struct {
	kept int
	last model.Finding // that was not kept
	more uint64        // that were not kept
}

func (o *foundOnce) add(f model.Finding) {
	if o.many == nil {
		o.many = map[string]*alike{}
	}
	a := o.many[f.Code]
	if a == nil {
		a = &alike{}
		o.many[f.Code] = a
	}
	if a.kept < maxAlike {
		a.kept++
		o.list = append(o.list, f)
		return
	}
	a.last = f
	a.more++
}

// all are the findings, behind them how many more there were of each code.
func (o *foundOnce) all() []model.Finding {
	out := slices.Clone(o.list)
	said := map[string]bool{}
	for _, f := range o.list {
		a := o.many[f.Code]
		if a.more == 0 || said[f.Code] {
			continue
		}
		said[f.Code] = true
		last := a.last
		last.Message += fmt.Sprintf("; this is the last of %d more", a.more)
		out = append(out, last)
	}
	return out
}

// addFindings takes over an input's findings and makes one of each kind of
// warning that merging it gave.
func (m *Merger) addFindings(name string, of []model.Finding, tally [numWarnings]uint64) {
	for _, f := range of {
		if f.File == "" {
			f.File = name
		}
		m.found.add(f)
	}
	if f, ok := m.alike.finding(name); ok {
		m.found.add(f)
	}
	for w, n := range tally {
		if n > 0 {
			f := mergeWarnings[w]
			f.File, f.Count = name, n
			m.found.add(f)
		}
	}
}
