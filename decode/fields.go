package decode

import (
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/decode/wire"
)

// Fields reads what stands in one section of a file from field number from on,
// as many as an anatomy lists of a section: the records and counters that
// [Inspect] leaves out. A name that several sections have is that of each; from
// counts in each. A file without the section gives none, or the error that ended
// the reading before it.
//
// The file is looked at only as far as finding the section needs.
func Fields(f File, section string, from uint64) ([]model.Section, error) {
	rec := wire.NewWindow(section, from)
	is := Recognise(f.Name, f.Data)
	var err error
	switch {
	case is.Err != nil:
		return nil, is.Err
	case is.Empty:
	case is.Format == model.LLVMRaw:
		err = instrprof.OutlineRaw(f.Data, rec)
	default:
		_, err = openFormat(is.Format, f.Data, nil, rec, false)
	}
	var found []model.Section
	for _, s := range rec.Sections() {
		if s.Name == section {
			found = append(found, s)
		}
	}
	if len(found) == 0 && err != nil {
		return nil, inFile(f.Name, is.Format, err)
	}
	return found, nil
}
