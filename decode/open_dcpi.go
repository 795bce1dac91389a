package decode

import (
	"context"
	"fmt"
	"strings"

	"proflens/decode/dcpi"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/decode/wire"
)

// recogniseDCPI tells files of DCPI. A file of no known kind whose name ends in
// .prof is taken for a damaged one, so that its fault is told by the reader
// that knows the format.
func recogniseDCPI(name string, data []byte) (Recognised, bool) {
	switch {
	case dcpi.IsCat(data):
		return Recognised{Format: model.DCPICat, Families: []model.Family{model.DCPIFam}, Describe: "dcpicat text"}, true
	case dcpi.Is(data):
		h, _ := dcpi.Peek(data)
		return Recognised{Format: model.DCPISamples, Families: []model.Family{model.DCPIFam}, Describe: describeDCPI(&h)}, true
	}
	return Recognised{}, false
}

// namedDCPI is the last resort: what else could a .prof be.
func namedDCPI(name string) bool { return strings.HasSuffix(name, ".prof") }

func describeDCPI(h *model.DCPIHeader) string {
	s := "DCPI profile"
	if h.Version != "" {
		s += " " + strings.TrimPrefix(h.Version, "pdb-")
	}
	for _, what := range []string{h.Event, h.Platform, h.Start} {
		if what != "" {
			s += ", " + what
		}
	}
	return s
}

// openDCPI opens a database: profiles of any images, events, epochs and hosts,
// and the executables and listings that name their procedures (dcpi.md §3, §4).
func openDCPI(ctx context.Context, files []File, o Options) (*Profile, error) {
	db := &model.DCPIDatabase{}
	p := &Profile{DCPI: db}
	var done, total uint64
	for _, f := range files {
		total += uint64(len(f.Data))
	}
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var rec *wire.Recorder
		if o.Record {
			rec = &wire.Recorder{}
		}
		info, err := addDCPI(db, f, rec)
		if err != nil {
			return nil, err
		}
		in := Input{Name: f.Name, Size: uint64(len(f.Data)), Info: info}
		if rec != nil {
			in.Sections = rec.Sections()
		}
		p.Inputs = append(p.Inputs, in)
		if done += in.Size; o.Progress != nil {
			o.Progress(done, total)
		}
	}
	for i := range db.Files {
		p.findings = append(p.findings, db.Files[i].Findings...)
	}
	findImages(db)
	p.findings = append(p.findings, nameProcedures(db)...)
	p.Source = headerOnly{info: infoDCPI(db)}
	return p, nil
}

// addDCPI reads one file into the database.
func addDCPI(db *model.DCPIDatabase, f File, rec *wire.Recorder) (*model.Info, error) {
	is := Recognise(f.Name, f.Data)
	info := &model.Info{Format: is.Format}
	var err error
	switch {
	case is.Format == model.DCPISamples || is.Format == model.DCPICat:
		var file *model.DCPIFile
		if file, err = openDCPIFile(is.Format, f, rec); err == nil {
			db.Files = append(db.Files, *file)
			info.Families, info.Version = is.Families, file.Profiles[0].Minor
		}
	case is.Format == model.NMListing, symbol.IsELF(f.Data):
		var listing *model.Listing
		if listing, info, err = openListing(f, is.Format); err == nil {
			db.Listings = append(db.Listings, *listing)
		}
	case is.Empty:
		info = emptyInfo()
	case is.Err != nil:
		return nil, is.Err
	default:
		return nil, &fileError{is.Format, &model.FormatError{
			Kind: model.KindIncompatible, File: f.Name, Section: "header",
			Msg: fmt.Sprintf("%s (%s) cannot form one profile with samples of DCPI", f.Name, is.Describe),
		}}
	}
	if err != nil {
		return nil, inFile(f.Name, is.Format, err)
	}
	return info, nil
}

func openDCPIFile(format model.Format, f File, rec *wire.Recorder) (*model.DCPIFile, error) {
	if format == model.DCPICat {
		return dcpi.OpenCat(f.Name, f.Data, rec)
	}
	return dcpi.Open(f.Name, f.Data, rec)
}

// infoDCPI is what is known of the first profile.
func infoDCPI(db *model.DCPIDatabase) *model.Info {
	info := &model.Info{Format: model.DCPISamples, Families: []model.Family{model.DCPIFam}, Profiles: len(db.Files)}
	for p := range db.Profiles() {
		if p.Terminator == nil {
			info.Format = model.DCPICat
		}
		info.Version = p.Minor
		break
	}
	return info
}

func inspectDCPI(a *model.Anatomy, format model.Format, f File, rec *wire.Recorder) error {
	file, err := openDCPIFile(format, f, rec)
	if err == nil {
		a.Findings = append(a.Findings, file.Findings...)
	}
	return err
}
