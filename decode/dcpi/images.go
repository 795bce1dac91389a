package dcpi

import (
	"path"
	"strings"
)

// findImages tells the images of a database apart.
func findImages(db *Database) {
	type key struct {
		id          string
		start, size uint64
		hasStart    bool
	}
	known := map[key]int{}
	for p := range db.Profiles() {
		k := key{strings.ToLower(p.Image), p.TextStart, p.TextSize, p.HasTextStart}
		i, ok := known[k]
		if !ok {
			i = len(db.Images)
			known[k] = i
			db.Images = append(db.Images, Image{
				ID: p.Image, TextStart: p.TextStart, HasTextStart: p.HasTextStart, TextSize: p.TextSize, Base: p.TextStart,
				Listing: -1,
			})
		}
		p.ImageIndex = i
		db.Images[i].AddPaths(p.Paths)
	}
	labelImages(db)
}

// labelImages gives images a name for people, the best that some profile of
// them has: a path, then what dcpicat says, then the name of a file.
func labelImages(db *Database) {
	for _, labelOf := range []func(*Profile) string{
		func(p *Profile) string {
			if len(p.Paths) == 0 {
				return ""
			}
			return lastElement(p.Paths[0])
		},
		func(p *Profile) string { return lastElement(p.Name) },
		labelOfFile,
		func(p *Profile) string { return p.Image },
	} {
		for p := range db.Profiles() {
			if image := &db.Images[p.ImageIndex]; image.Label == "" {
				image.Label = labelOf(p)
			}
		}
	}
}

// lastElement is the last part of a path of Unix or of Windows NT.
func lastElement(name string) string {
	name = strings.TrimRight(name, `/\`)
	return name[strings.LastIndexAny(name, `/\`)+1:]
}

// labelOfFile takes the image's name out of that of a file, whose form no
// edition of the tools describes: NAME_ID_EVENT, NAME.ID_LENGTH, NAME.prof.
func labelOfFile(p *Profile) string {
	name := lastElement(p.File)
	if p.Terminator == nil {
		return "" // a file of dcpicat text may hold many images
	}
	name = strings.TrimSuffix(name, ".prof")
	for {
		i := strings.LastIndexAny(name, "_.")
		if i <= 0 {
			return name
		}
		group := strings.ToLower(name[i+1:])
		isID := strings.Trim(group, "0123456789abcdef") == "" && strings.ContainsAny(group, "0123456789")
		if !isID && group != strings.ToLower(p.Event) && group != strings.ToLower(p.Image) &&
			group != strings.ToLower(p.Platform) {
			return name
		}
		name = name[:i]
	}
}

// labelOfListing is the name of the image that a listing is of, by the listing's
// own name.
func labelOfListing(l *Listing) string {
	name := path.Base(strings.ReplaceAll(l.File, `\`, "/"))
	for _, ending := range []string{".nm", ".nmS", ".sym", ".map", ".nms"} {
		if label, ok := strings.CutSuffix(name, ending); ok {
			return label
		}
	}
	return name
}
