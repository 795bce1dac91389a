package dcpi

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// open opens a database: profiles of any images, events, epochs and hosts, and
// the executables and listings that name their procedures. A profile of version 1
// is left out, with a finding that tells its header, when there are others; so is what came
// along and is damaged.
func open(ctx context.Context, files []format.File, o format.Options) (*format.Profile, error) {
	db := &Database{}
	p := &format.Profile{}
	var unread error // the first of a profile whose samples nobody can read
	var done, total uint64
	for _, f := range files {
		total += uint64(len(f.Data))
	}
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rec := o.Recorder()
		in, err := add(p, db, f, rec)
		switch {
		case err != nil && f.Is.Is(FormatProfile) && model.KindOf(err) == model.KindUnsupportedVersion:
			unread = cmp.Or(unread, err)
			p.Find(leftOut(f, err)...)
		case err != nil:
			if err := p.Spare(files, i, err); err != nil {
				return nil, err
			}
		}
		in.Keep(rec)
		p.Inputs = append(p.Inputs, in)
		if done += in.Size; o.Progress != nil {
			o.Progress(done, total)
		}
	}
	if err := cmp.Or(unread, p.Spared()); err != nil && len(db.Files) == 0 {
		return nil, err
	}
	for i := range db.Files {
		p.Find(db.Files[i].Findings...)
	}
	p.Find(unaligned(db)...)
	findImages(db)
	p.Find(nameProcedures(db)...)
	p.Add(Family, db)
	p.Info = infoOf(db)
	return p, nil
}

// add reads one file into the database.
func add(p *format.Profile, db *Database, f format.File, rec *wire.Recorder) (format.Input, error) {
	in := format.NewInput(f)
	var err error
	switch {
	case f.Is.Is(FormatProfile, FormatCat):
		var file *File
		if file, err = openFile(f, rec); err == nil {
			db.Files = append(db.Files, *file)
			in.Info.Families, in.Info.Version = f.Is.Families, file.Profiles[0].Major
			in.Info.Describe = describeSamples([]File{*file})
		}
	case f.Is.Is(symbol.FormatNM, symbol.FormatELF):
		var listing *Listing
		if listing, err = openListing(f, &in.Info); err == nil {
			db.Listings = append(db.Listings, *listing)
		}
	case f.Is.Empty:
		in = p.AddNothing(f)
	case f.Optional && f.Is.Foreign():
		in = p.LeaveOut(f)
	case f.Is.Err != nil:
		return in, f.Is.Err
	default:
		return in, f.Is.Format.Refuse(f.Name,
			fmt.Sprintf("%s (%s) cannot form one profile with DCPI samples", f.Name, f.Is.Describe), nil)
	}
	return in, f.Is.Format.InFile(f.Name, err)
}

// infoOf is what is known of the whole. The version is the major one, on which the
// layout depends; the minor one is said in words.
func infoOf(db *Database) model.Info {
	info := model.Info{Format: FormatProfile, Families: []model.Family{Family}, Profiles: len(db.Files)}
	if db.Files[0].Dumps > 0 {
		info.Format = FormatCat
	}
	info.Version = db.Files[0].Profiles[0].Major
	info.Describe = describeSamples(db.Files)
	return info
}

// describeSamples says what files are once they were read: text of dcpicat where
// the first is, else profiles of which versions.
func describeSamples(files []File) string {
	if files[0].Dumps > 0 {
		return "dcpicat text"
	}
	var versions []string
	unversioned := false
	for i := range files {
		if files[i].Dumps > 0 {
			continue
		}
		h := &files[i].Profiles[0].Header
		if unversioned = unversioned || h.Version == ""; h.Version == "" {
			continue
		}
		if version := fmt.Sprintf("0.%02d", h.Minor); !slices.Contains(versions, version) && len(versions) < mostVersions {
			versions = append(versions, version)
		}
	}
	switch said := "DCPI samples " + strings.Join(versions, " and "); {
	case len(versions) == 0:
		return "DCPI samples, no version line"
	case unversioned:
		return said + ", some without a version line"
	default:
		return said
	}
}

// mostVersions bounds the versions that are named. Two are known.
const mostVersions = 4
