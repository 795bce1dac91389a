// Package ranks is functions with the figures by which profiles of different families can
// be compared: how their functions rank, whatever was counted.
package ranks

import (
	"proflens/analyze"
	"proflens/decode/model"
)

// Heat is how hot a function is, by the thresholds of its own profile.
type Heat string

// The heats; empty where the profile does not say.
const (
	Hot   Heat = "hot"
	Warm  Heat = "warm"
	Cold  Heat = "cold"
	Never Heat = "never" // it did not run
)

// hotter orders them.
var hotter = map[Heat]int{Never: 1, Cold: 2, Warm: 3, Hot: 4}

// Function is what a profile has under one linkage name.
type Function struct {
	Linkage []byte // without what compilers put behind it; nil where only its hash is known
	GUID    uint64 // the hash of that
	// ID is the function's below the addresses of its profile; of several functions of one
	// name, that of the one with the largest total.
	ID    uint64
	Total analyze.Sum // what ran in it, wherever its code is: in the unit of the profile
	Entry analyze.Sum // times it was entered
	Heat  Heat

	largest analyze.Sum // total of what is at ID
}

// Profile is functions, each name once.
type Profile struct {
	Functions []Function
	Unit      string // of totals: "samples"
	Entered   bool   // Entry is known
	// Sampled is set where a function that is not there was not seen to run; else it was not
	// looked at.
	Sampled bool

	at map[uint64]int
}

// Add takes a function in. Its name may be any that the compiler gave it; without one, GUID
// is the hash of its name.
func (p *Profile) Add(f Function) {
	if len(f.Linkage) > 0 {
		f.Linkage = []byte(model.CanonicalName(string(f.Linkage)))
		f.GUID = model.GUID(string(f.Linkage))
	}
	if p.at == nil {
		p.at = map[uint64]int{}
	}
	f.largest = f.Total
	i, ok := p.at[f.GUID]
	if !ok {
		p.at[f.GUID] = len(p.Functions)
		p.Functions = append(p.Functions, f)
		return
	}
	g := &p.Functions[i]
	if len(g.Linkage) == 0 {
		g.Linkage = f.Linkage
	}
	if f.Total.Compare(g.largest) > 0 {
		g.ID, g.largest = f.ID, f.Total
	}
	if hotter[f.Heat] > hotter[g.Heat] {
		g.Heat = f.Heat
	}
	g.Total.AddSum(f.Total)
	g.Entry.AddSum(f.Entry)
}

// find is the function of a hash; nil where there is none.
func (p *Profile) find(guid uint64) *Function {
	if i, ok := p.at[guid]; ok {
		return &p.Functions[i]
	}
	return nil
}

// Bytes is what it takes in memory, about.
func (p *Profile) Bytes() int64 { return int64(len(p.Functions)) * 256 }
