package dcpi

import (
	"cmp"
	"fmt"
	"slices"

	"proflens/decode/model"
)

// nameProcedures finds for each image the listing that names its procedures: the
// one that has its name, else the one that lies in its text and in no other's,
// else the only one of an only image. It says which listings are of no use, and
// which stand elsewhere than the text.
func nameProcedures(db *Database) []model.Finding {
	var findings []model.Finding
	for n := range db.Listings {
		for _, i := range imagesOf(db, n) {
			offerListing(db, &db.Images[i], n)
		}
	}
	used := make([]bool, len(db.Listings))
	for i := range db.Images {
		if image := &db.Images[i]; image.Listing >= 0 {
			used[image.Listing] = true
			findings = append(findings, placeListing(image, &db.Listings[image.Listing])...)
		}
	}
	for n := range db.Listings {
		if !used[n] {
			findings = append(findings, unusedListing(db, n))
		}
	}
	return findings
}

// imagesOf are the images that listing n is of, as far as can be told.
func imagesOf(db *Database, n int) []int {
	l := &db.Listings[n]
	var named, overlapped []int
	for i := range db.Images {
		if db.Images[i].Label == labelOfListing(l) {
			named = append(named, i)
		}
		if overlaps(&db.Images[i], l) {
			overlapped = append(overlapped, i)
		}
	}
	switch {
	case len(named) > 0:
		return named
	case len(overlapped) == 1:
		return overlapped
	case len(db.Images) == 1 && len(db.Listings) == 1:
		return []int{0}
	}
	return nil
}

// offerListing gives an image listing n unless it has a better one: an
// executable is better than a listing with sizes, and that than one without.
func offerListing(db *Database, image *Image, n int) {
	if len(db.Listings[n].Procedures) == 0 {
		return
	}
	if image.Listing < 0 || worth(&db.Listings[n]) > worth(&db.Listings[image.Listing]) {
		image.Listing = n
	}
}

func worth(l *Listing) int {
	switch {
	case l.TextSize > 0:
		return 2
	case slices.ContainsFunc(l.Procedures, func(p Procedure) bool { return p.Size > 0 }):
		return 1
	}
	return 0
}

// overlaps reports whether a procedure begins in an image's text.
func overlaps(image *Image, l *Listing) bool {
	if !image.HasTextStart {
		return false
	}
	i, _ := slices.BinarySearchFunc(l.Procedures, image.TextStart, func(p Procedure, a uint64) int {
		return cmp.Compare(p.Address, a)
	})
	return i < len(l.Procedures) && (image.TextSize == 0 || l.Procedures[i].Address-image.TextStart < image.TextSize)
}

// placeListing sets the base of an image whose header does not say it, and tells
// of a listing that stands elsewhere or is of another size.
func placeListing(image *Image, l *Listing) []model.Finding {
	lowest := l.Procedures[0].Address
	start := lowest
	if l.TextSize > 0 {
		start = l.TextStart
	}
	var findings []model.Finding
	if !image.HasTextStart {
		image.Base = start
	} else if !overlaps(image, l) {
		findings = append(findings, model.Finding{
			Severity: model.Warning, Code: "dcpi.symbols_elsewhere", File: l.File,
			Expected: fmt.Sprintf("symbols from 0x%x on", image.TextStart), Found: fmt.Sprintf("0x%x, the lowest", lowest),
			Message: fmt.Sprintf("no symbol lies in the text of %s, which starts at 0x%x; the lowest symbol is at 0x%x",
				image.Label, image.TextStart, lowest),
			Cause:  "the listing comes from another build of the image, or from another image",
			Remedy: "if it belongs to this image, shift the symbols: shift=" + shiftBetween(start, image.TextStart),
		})
	}
	if l.TextSize > 0 && image.TextSize > 0 && l.TextSize != image.TextSize {
		findings = append(findings, model.Finding{
			Severity: model.Warning, Code: "dcpi.text_size_differs", File: l.File,
			Expected: fmt.Sprintf("a text of %d bytes", image.TextSize), Found: fmt.Sprint(l.TextSize),
			Message: fmt.Sprintf("the executable's text has %d bytes, that of %s in the profile %d", l.TextSize, image.Label,
				image.TextSize),
			Cause: "the executable was rebuilt, or belongs to another image", Remedy: "give the executable that ran",
		})
	}
	return findings
}

// shiftBetween is what must be added to one address to get the other, in
// hexadecimal with its sign.
func shiftBetween(from, to uint64) string {
	if to >= from {
		return fmt.Sprintf("0x%x", to-from)
	}
	return fmt.Sprintf("-0x%x", from-to)
}

func unusedListing(db *Database, n int) model.Finding {
	l := &db.Listings[n]
	f := model.Finding{Severity: model.Warning, Code: "dcpi.listing_unmatched", File: l.File,
		Message: "the procedures of " + labelOfListing(l) + " belong to no image of the database",
		Cause:   "a listing is matched to an image by its name or by the addresses of its symbols",
		Remedy:  "name the listing after the image: IMAGE.nm"}
	switch images := imagesOf(db, n); {
	case len(l.Procedures) == 0:
		f.Message, f.Cause, f.Remedy = "it has no code symbols",
			"the executable is stripped, or the listing has only data symbols", "give the unstripped executable"
	case len(images) > 0:
		f.Severity = model.Note
		f.Message = "the procedures of " + db.Images[images[0]].Label + " are named by " +
			db.Listings[db.Images[images[0]].Listing].File + ", which says more"
		f.Cause, f.Remedy = "an image takes its names from one file", "nothing"
	}
	return f
}
