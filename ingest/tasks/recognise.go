package tasks

import (
	"context"
	"slices"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/ingest/unpack"
)

// Recognise looks at the first bytes of files that are not here yet.
type Recognise struct {
	Files []decode.Head `json:"files" is:"list 1..1000"`
}

// maxHeads is how many files one task looks at.
const maxHeads = 1000

// Valid reports whether there are files, not too many, and of each what is looked at.
func (t *Recognise) Valid() bool {
	return 0 < len(t.Files) && len(t.Files) <= maxHeads &&
		!slices.ContainsFunc(t.Files, func(h decode.Head) bool { return !h.Valid() })
}

// Recognition is the answer: what files are, and which form one profile.
type Recognition struct {
	Files  []RecognisedFile `json:"files" doc:"In the order given."`
	Groups [][]int          `json:"groups" is:"list" doc:"Files that form one profile each, by index."`
}

// RecognisedFile is what one of the files is.
type RecognisedFile struct {
	Is        decode.Is      `json:"is" is:"profile|companion|foreign|unread|unknown|empty|packed"`
	Describe  string         `json:"describe" doc:"What it is, in one line."`
	Format    model.Format   `json:"format,omitempty"`
	Whole     bool           `json:"whole" doc:"False for a profile that lacks a program."`
	ClaimedBy []int          `json:"claimed_by" is:"list" doc:"Profiles that a companion may complete, by index."`
	Finding   *model.Finding `json:"finding" doc:"Why the file may not be decoded; null if nothing is known."`
}

// isPacked is what is unpacked before anybody asks what it is.
const isPacked decode.Is = "packed"

func (t *Recognise) do(ctx context.Context, _ Out) (any, error) {
	files := make([]format.Recognised, len(t.Files))
	a := &Recognition{Files: make([]RecognisedFile, len(files))}
	var unpacked []*format.Recognised
	for i := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if packed := unpack.Describe(t.Files[i].Bytes); packed != "" {
			files[i].Describe = packed + ", unpacked on the server"
			a.Files[i].Is = isPacked
			continue
		}
		files[i] = t.Files[i].Recognise()
		unpacked = append(unpacked, &files[i])
	}
	format.Settle(unpacked)
	for i := range files {
		r, is := &files[i], &a.Files[i]
		is.Describe, is.Whole, is.ClaimedBy = r.Describe, r.Claim == nil || r.Complete, claims(files, r)
		if r.Format != nil {
			is.Format = r.Format.Name
		}
		if is.Is == "" {
			is.Is, is.Finding = decode.IsOf(r), decode.Doubt(t.Files[i].Name, r)
		}
	}
	a.Groups = format.Group(files)
	return a, nil
}

// claims are the profiles that want a companion.
func claims(files []format.Recognised, companion *format.Recognised) []int {
	by := []int{}
	for i := range files {
		f := &files[i]
		if companion.Companion != nil && f.IsProfile() && f.Claim != nil && f.Claim(companion) > format.NoClaim {
			by = append(by, i)
		}
	}
	return by
}
