package profile

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"proflens/analyze/sources"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/decode/symbol"
	"proflens/migrations"
	"proflens/profile/stored"
)

// Input is what a profile's file is made of.
type Input struct {
	Profile *format.Profile
	Files   []stored.Input // those that it was decoded from
	// Preview is where to write, as soon as they are known, the overview and
	// the first rows of a profile with many records, for those who wait for the
	// rest. Empty: no preview. The caller removes it.
	Preview string
	// Previewed is called when the preview is written; it may be nil.
	Previewed func()
}

// Write reads a profile's parts to their end and writes their tables to path:
// under a temporary name beside it, made durable, then renamed, so that path
// is whole or is not there. The records of a merged profile are gone afterwards:
// they are in the file, and need not be held twice. progress is called now and then with what is
// being done, how far that is and how far it goes, 0 when unknown; it may be nil.
//
// Errors are the parts' own, the context's, or of the disk.
func Write(ctx context.Context, path string, in Input,
	progress func(stage stored.Stage, done, total uint64)) (stored.Figures, error) {
	if progress == nil {
		progress = func(stored.Stage, uint64, uint64) {}
	}
	w := &writing{
		Input: in, progress: progress,
		families: kept(func(f model.Family) bool { return slices.Contains(in.Profile.Families(), f) }),
	}
	parts := make([]stored.Prepared, len(w.families))
	var ready []stored.Prepared
	for _, i := range w.order() {
		family := w.families[i]
		if i == 0 { // what is told goes one way, also where there are two parts
			progress(stored.Reading, 0, 0)
		}
		preparing := &stored.Preparing{Profile: in.Profile, Others: ready, Progress: progress}
		for _, part := range in.Profile.Parts {
			if part.Family == family.Name {
				preparing.Records = part.Records
			}
		}
		if in.Preview != "" {
			preparing.Preview = func(p stored.Prepared) error {
				err := w.write(ctx, in.Preview, w.overview([]stored.Prepared{p}, true), []stored.Prepared{p})
				if err == nil && in.Previewed != nil {
					in.Previewed()
				}
				return err
			}
		}
		p, err := family.Prepare(ctx, preparing)
		if err != nil {
			return stored.Figures{}, err
		}
		parts[i], ready = p, append(ready, p)
	}
	if len(in.Profile.Others) > 0 {
		in.Profile.Place(isSource(parts))
	}
	counts := stored.Counts{Total: "0"}
	if len(parts) > 0 {
		counts = parts[0].Figures()
	}
	for _, p := range parts {
		if c := p.Figures(); c.HeadWhole > 0 {
			counts.HeadPart, counts.HeadWhole = c.HeadPart, c.HeadWhole
		}
	}
	if counts.Title == "" {
		counts.Title = w.title()
	}
	o := w.overview(parts, false)
	return stored.FiguresOf(o, counts), w.write(ctx, path, o, parts)
}

// cargoHash is what cargo puts behind the names of tests.
var cargoHash = regexp.MustCompile(`-[0-9a-f]{16}(\.exe)?$`)

// title names a profile by the programs among its files, how many runs there are and what was
// recorded: "regrep, 2 runs, IR", "db_test and log_test, 2 runs, source coverage", "db_test and 9
// more, 10 runs, IR". The hash of one of cargo's stands only where it tells two apart. It is empty
// where there is no program.
func (w *writing) title() string {
	var programs, plain []string
	runs := 0
	for _, in := range w.Profile.Inputs {
		switch in.Info.Format {
		case symbol.FormatELF, symbol.FormatMachO, symbol.FormatPE:
			programs = append(programs, path.Base(strings.ReplaceAll(in.Name, "\\", "/")))
			plain = append(plain, cargoHash.ReplaceAllString(programs[len(programs)-1], "$1"))
		default:
			runs++
		}
	}
	if len(programs) == 0 || runs == 0 || len(w.families) == 0 {
		return ""
	}
	if sorted := slices.Sorted(slices.Values(plain)); len(slices.Compact(sorted)) == len(plain) {
		programs = plain
	}
	if more := len(programs) - 1; more > 1 {
		programs = []string{programs[0], fmt.Sprint(more, " more")}
	}
	kind := w.families[len(w.families)-1].Called
	if words := w.Profile.Info.Words; len(w.families) == 1 && len(words) > 0 {
		kind = words[0]
	}
	return strings.Join(programs, " and ") + ", " + model.Amount(runs, "run", "runs") + ", " + kind
}

// isSource reports of the names of files whether they are of sources that the parts name.
func isSource(parts []stored.Prepared) func(name string) bool {
	var files []string
	for _, p := range parts {
		if p, ok := p.(stored.Sourced); ok {
			files = append(files, p.SourceFiles()...)
		}
	}
	for i := range files {
		files[i] = sources.Clean(files[i])
	}
	slices.Sort(files)
	named := sources.NewNames(slices.Compact(files))
	return func(name string) bool { return named.FindIn(name) >= 0 }
}

// writing is a profile on its way into files.
type writing struct {
	Input
	progress func(stage stored.Stage, done, total uint64)
	families []*stored.Family // of its parts
}

// order is that in which parts are prepared.
func (w *writing) order() []int {
	var early, others []int
	for i, f := range w.families {
		if f.Early {
			early = append(early, i)
		} else {
			others = append(others, i)
		}
	}
	return append(early, others...)
}

// overview is what the tables that every profile has hold.
func (w *writing) overview(parts []stored.Prepared, preview bool) *stored.Overview {
	o := &stored.Overview{Info: w.Profile.Info, Inputs: w.Files, Findings: w.Profile.Findings(), Storing: preview}
	for _, p := range parts {
		o.Findings = append(o.Findings, p.Findings()...)
	}
	return o
}

// write writes a file; a preview need not outlive the machine.
func (w *writing) write(ctx context.Context, path string, o *stored.Overview, parts []stored.Prepared) error {
	families := w.families[:len(parts)]
	image, err := empty(kindOfFile{strings.Join(namesOf(families), " "), w.pages()})
	if err != nil {
		return err
	}
	return stored.WriteFile(ctx, path, image, !o.Storing, func(out *stored.Writer) error {
		if err := out.Meta(func(m *stored.MetaWriter) { writeMeta(m, o, families, parts) }); err != nil {
			return err
		}
		if err := writeShared(out, o); err != nil {
			return err
		}
		var embedded []model.SourceText
		if !o.Storing && w.Profile.Embedded != nil {
			embedded = w.Profile.Embedded()
		}
		if err := out.WriteEmbedded(embedded); err != nil {
			return err
		}
		if !o.Storing {
			if total := size(parts); total > 0 {
				out.Written = func(bytes uint64) { w.progress(stored.Writing, min(bytes, total), total) }
			}
			w.progress(stored.Writing, 0, 0)
			defer w.progress(stored.Writing, 0, 0) // the disk says nothing of how far it is
		}
		for _, p := range parts {
			if err := p.Write(ctx, out); err != nil {
				return err
			}
		}
		return nil
	})
}

// size is about how many bytes the tables of parts take, 0 when one does not know.
func size(parts []stored.Prepared) (total uint64) {
	for _, p := range parts {
		sized, ok := p.(stored.Sized)
		if !ok {
			return 0
		}
		total += sized.Size()
	}
	return total
}

// smallProfile is how many bytes the files of a profile have at most for which small pages
// do, and largeProfile from how many on there are large ones: its tables take about as many.
const (
	smallProfile = 64 << 10
	largeProfile = 128 << 20
)

// pages is the size of the pages of the profile's file.
func (w *writing) pages() int {
	var all int64
	for _, f := range w.Files {
		all += f.Size
	}
	switch {
	case all <= smallProfile:
		return stored.SmallPages
	case all < largeProfile:
		return stored.Pages
	}
	return stored.LargePages
}

// kindOfFile is what files have in common before they have rows.
type kindOfFile struct {
	families string // whose tables it has, with blanks between
	pageSize int
}

// images are files without rows by their kind: few.
var images sync.Map

// empty is a file without rows.
func empty(kind kindOfFile) ([]byte, error) {
	if image, ok := images.Load(kind); ok {
		return image.([]byte), nil
	}
	image, err := stored.Image(migrations.Schema(strings.Fields(kind.families)), kind.pageSize)
	if err == nil {
		images.Store(kind, image)
	}
	return image, err
}

func writeMeta(m *stored.MetaWriter, o *stored.Overview, families []*stored.Family, parts []stored.Prepared) {
	info := &o.Info
	m.Number("schema", stored.SchemaVersion)
	m.Word("file_id", rand.Text())
	m.Yes("storing", o.Storing)
	for _, name := range namesOf(families) {
		m.Word("part", name)
	}
	m.Word("describe", info.Describe)
	m.Word("format", string(info.Format))
	for _, family := range info.Families {
		m.Word("family", string(family))
	}
	for _, flag := range info.Words {
		m.Word("flag", flag)
	}
	m.Number("version", info.Version)
	m.Number("pointer_size", uint64(info.PointerSize))
	m.Yes("big_endian", info.BigEndian)
	m.Number("profiles", uint64(info.Profiles))
	for _, partial := range info.Partial {
		text, err := json.Marshal(partial)
		if err != nil {
			panic(err) // strings and numbers only
		}
		m.Word("partial", string(text))
	}
	for _, p := range parts {
		p.Meta(m)
	}
}

// writeShared writes the tables that every profile has.
func writeShared(w *stored.Writer, o *stored.Overview) error {
	if err := stored.PutRows(w, "file", o.Inputs, (*stored.Input).Columns); err != nil {
		return err
	}
	var sections []stored.Section
	for i := range o.Inputs {
		for _, s := range o.Inputs[i].Sections {
			sections = append(sections, stored.Section{File: i + 1, Section: s})
		}
	}
	if err := stored.PutRows(w, "section", sections, (*stored.Section).Columns); err != nil {
		return err
	}
	if err := stored.PutRows(w, "finding", o.Findings, stored.FindingColumns); err != nil {
		return err
	}
	return w.Rows("binary_id", len(o.Info.BinaryIDs), func(r *stored.Record, i int) { r.Blob(o.Info.BinaryIDs[i]) })
}
