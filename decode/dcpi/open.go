package dcpi

import (
	"context"
	"fmt"

	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// open opens a database: profiles of any images, events, epochs and hosts, and
// the executables and listings that name their procedures (dcpi.md §3, §4).
func open(ctx context.Context, files []format.File, o format.Options) (*format.Profile, error) {
	db := &Database{}
	p := &format.Profile{}
	var done, total uint64
	for _, f := range files {
		total += uint64(len(f.Data))
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rec := o.Recorder()
		in, err := add(p, db, f, rec)
		if err != nil {
			return nil, err
		}
		in.Keep(rec)
		p.Inputs = append(p.Inputs, in)
		if done += in.Size; o.Progress != nil {
			o.Progress(done, total)
		}
	}
	for i := range db.Files {
		p.Find(db.Files[i].Findings...)
	}
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
			in.Info.Families, in.Info.Version = f.Is.Families, file.Profiles[0].Minor
			in.Info.Describe = describeFile(&in.Info)
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
		return in, f.Is.Format.Refuse(f.Name, fmt.Sprintf("%s (%s) cannot form one profile with samples of DCPI", f.Name, f.Is.Describe), nil)
	}
	if err != nil {
		return in, f.Is.Format.InFile(f.Name, err)
	}
	return in, nil
}

// infoOf is what is known of the first profile.
func infoOf(db *Database) model.Info {
	info := model.Info{Format: FormatProfile, Families: []model.Family{Family}, Profiles: len(db.Files)}
	for p := range db.Profiles() {
		if p.Terminator == nil {
			info.Format = FormatCat
		}
		info.Version = p.Minor
		break
	}
	info.Describe = describeFile(&info)
	return info
}

// describeFile says what a file is once it was read.
func describeFile(info *model.Info) string {
	if info.Format == FormatCat {
		return "dcpicat text"
	}
	return fmt.Sprintf("DCPI samples 0.%02d", info.Version)
}
