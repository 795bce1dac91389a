package mip_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/decodetest"
	"proflens/decode/format"
	"proflens/decode/mip"
	"proflens/decode/model"
	"proflens/encode"
)

const fixtures = "testdata"

// mipFile is a fixture.
func file(t testing.TB, path string) format.File {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(fixtures, path))
	if err != nil {
		t.Fatal(err)
	}
	return format.File{Name: filepath.Base(path), Data: data}
}

// expectation is a JSON file beside a fixture, or of a set or pair of them.
type expectation struct {
	path  string // of the JSON file, in the fixtures
	ok    bool
	kinds []string // that are right when it is not
	all   map[string]any
}

// file is the fixture beside which the expectation stands.
func (e expectation) file() string { return strings.TrimSuffix(e.path, ".json") }

func (e expectation) string(key string) string { s, _ := e.all[key].(string); return s }

func (e expectation) beside(name string) string { return filepath.Join(filepath.Dir(e.path), name) }

// expectations are those of all fixtures whose JSON file ends so.
func expectations(t *testing.T, suffix string) []expectation {
	t.Helper()
	var list []expectation
	err := filepath.WalkDir(fixtures, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, suffix) {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		e := expectation{all: numbers(t, data)}
		e.path, _ = filepath.Rel(fixtures, path)
		e.ok, _ = e.all["ok"].(bool)
		if fault, has := e.all["error"].(map[string]any); has {
			for _, kind := range fault["kinds_ok"].([]any) {
				e.kinds = append(e.kinds, kind.(string))
			}
		}
		list = append(list, e)
		return nil
	})
	if err != nil || len(list) == 0 {
		t.Fatal(len(list), err)
	}
	return list
}

// numbers decodes JSON with its numbers as they are written, but for fractions.
func numbers(t *testing.T, data []byte) map[string]any {
	t.Helper()
	var v map[string]any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return plain(v).(map[string]any)
}

// plain makes 5.0 and 5 equal, and keeps integers of any size.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key := range v {
			v[key] = plain(v[key])
		}
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
	case json.Number:
		if strings.ContainsAny(v.String(), ".eE") {
			f, _ := v.Float64()
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
		return v.String()
	}
	return v
}

func mipJSON(t *testing.T, p *decodetest.Profile, o encode.MIPJSONOptions) map[string]any {
	t.Helper()
	var b bytes.Buffer
	if err := encode.MIPJSON(&b, p.MIP, o); err != nil {
		t.Fatal(err)
	}
	return numbers(t, b.Bytes())
}

func TestFixtures(t *testing.T) {
	list := slices.Concat(expectations(t, ".mip.json"), expectations(t, ".mipmap.json"))
	for _, want := range list {
		f := file(t, want.file())
		p, err := decodetest.Open(t.Context(), []format.File{f}, format.Options{Record: true})
		anatomy := decode.Inspect(f)
		if !want.ok {
			if kind := string(model.KindOf(err)); err == nil || !slices.Contains(want.kinds, kind) {
				t.Errorf("%s: %v; %v is right", want.path, err, want.kinds)
			}
			last := model.Finding{}
			if n := len(anatomy.Findings); n > 0 {
				last = anatomy.Findings[n-1]
			}
			if last.Kind != model.KindOf(err) || last.Severity != model.Error || last.Offset > uint64(len(f.Data)) ||
				last.Remedy == "" {
				t.Errorf("%s: the anatomy says %+v", want.path, last)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", want.path, err)
			continue
		}
		if diff := cmp.Diff(want.all, mipJSON(t, p, encode.MIPJSONOptions{})); diff != "" {
			t.Errorf("%s: %s", want.path, diff)
		}
		checkSections(t, want.path, f, anatomy.Sections)
		checkSections(t, want.path, f, p.Inputs[0].Sections)
	}
}

// checkSections checks that the sections of a file are all of it, in order.
func checkSections(t *testing.T, name string, f format.File, sections []model.Section) {
	t.Helper()
	at := uint64(0)
	for _, s := range sections {
		if s.Offset != at || s.Size > 0 && s.Name != "counters" && len(s.Fields) == 0 {
			t.Errorf("%s: section %s at %d, the one before ends at %d", name, s.Name, s.Offset, at)
		}
		at = s.Offset + s.Size
	}
	if at != uint64(len(f.Data)) {
		t.Errorf("%s: sections end at %d of %d", name, at, len(f.Data))
	}
}

// A raw file says what its JSON says once its map is there.
func TestRunFixtures(t *testing.T) {
	for _, want := range expectations(t, ".mipraw.json") {
		mapFile := file(t, want.beside(want.string("map")))
		p := open(t, mapFile, file(t, want.file()))
		if diff := cmp.Diff(want.all, mipJSON(t, p, encode.MIPJSONOptions{Run: 1})); diff != "" {
			t.Errorf("%s: %s", want.path, diff)
		}
	}
}

func sameFunctions(t *testing.T, name string, want, got map[string]any) {
	t.Helper()
	for _, key := range []string{"functions", "totals", "order"} {
		if diff := cmp.Diff(want[key], got[key]); diff != "" {
			t.Errorf("%s: %s: %s", name, key, diff)
		}
	}
}

func writeMIP(t *testing.T, p *decodetest.Profile, layout mip.Layout) []byte {
	t.Helper()
	b, err := written(p.MIP, layout)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func written(m *mip.Profile, layout mip.Layout) ([]byte, error) {
	plan, err := encode.PlanMIP(m, encode.MIPOptions{Layout: layout})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = plan.Write(&b)
	return b.Bytes(), err
}

// A map and its runs make the profile of the set, in both layouts, whatever
// comes first; the map alone makes the empty one.
func TestSets(t *testing.T) {
	for _, set := range expectations(t, ".set.json") {
		files := []format.File{file(t, set.beside(set.string("map")))}
		runs, ok := set.all["raw"].([]any)
		if !ok {
			runs = []any{set.all["raw"]}
		}
		for _, run := range runs {
			files = append(files, file(t, set.beside(run.(string))))
		}
		stem := strings.TrimSuffix(set.file(), ".set")
		data, err := os.ReadFile(filepath.Join(fixtures, stem+".mip.json"))
		if err != nil {
			t.Fatal(err)
		}
		want := numbers(t, data)
		for range files {
			files = append(files[1:], files[0])
			p := open(t, files...)
			sameFunctions(t, set.path, want, mipJSON(t, p, encode.MIPJSONOptions{}))
			if len(p.MIP.Runs) != len(runs) {
				t.Errorf("%s: %d runs", set.path, len(p.MIP.Runs))
			}
			for layout, name := range map[mip.Layout]string{mip.Documented: ".mip", mip.Tool64: ".tool.mip"} {
				if !bytes.Equal(writeMIP(t, p, layout), ended(file(t, stem+name))) {
					t.Errorf("%s is written otherwise", stem+name)
				}
			}
		}
		alone := open(t, file(t, set.beside(set.string("map"))))
		if !bytes.Equal(writeMIP(t, alone, mip.Documented), ended(file(t, stem+".empty.mip"))) {
			t.Errorf("%s.empty.mip is written otherwise", stem)
		}
		// A profile without runs takes them as the map does.
		again := open(t, append(slices.Clone(files[len(files):]),
			slices.Concat([]format.File{file(t, stem+".empty.mip")}, rawsOf(files))...)...)
		sameFunctions(t, set.path+" from the empty profile", want, mipJSON(t, again, encode.MIPJSONOptions{}))
	}
}

// ended is a .mip with a NUL behind its last name, as it is written, where the
// documented layout leaves that open.
func ended(f format.File) []byte {
	if n := len(f.Data); f.Data[n-1] != 0 {
		names := bytes.LastIndexByte(f.Data, 0) // the last name but one ends here
		for at := names; at >= 0; at-- {
			if size := uint64(n - at - 8); at+8 <= n && binary.LittleEndian.Uint64(f.Data[at:]) == size {
				data := append(bytes.Clone(f.Data), 0)
				binary.LittleEndian.PutUint64(data[at:], size+1)
				return data
			}
		}
	}
	return f.Data
}

func rawsOf(files []format.File) []format.File {
	return slices.DeleteFunc(slices.Clone(files), func(f format.File) bool {
		return !strings.HasSuffix(f.Name, ".mipraw")
	})
}

func TestWrittenBack(t *testing.T) {
	for _, want := range expectations(t, ".mip.json") {
		layout := mip.Layout(want.string("layout"))
		if !want.ok || !slices.Contains(encode.MIPLayouts, layout) {
			continue
		}
		f := file(t, want.file())
		if got := writeMIP(t, open(t, f), layout); !bytes.Equal(got, f.Data) {
			t.Errorf("%s is written otherwise", want.file())
		}
	}
	// Any layout can be made of any other, and read again to the same.
	for _, name := range []string{
		"documented", "documented-open", "documented-count", "tool64", "tool64-length", "tool64-length-open",
		"names_by_position", "no_names",
	} {
		p := open(t, file(t, "variants/"+name+".mip"))
		for _, layout := range encode.MIPLayouts {
			again := open(t, format.File{Name: "again.mip", Data: writeMIP(t, p, layout)})
			if again.MIP.Layout != layout {
				t.Errorf("%s as %s reads as %s", name, layout, again.MIP.Layout)
			}
			sameFunctions(t, name, mipJSON(t, p, encode.MIPJSONOptions{}), mipJSON(t, again, encode.MIPJSONOptions{}))
		}
	}
}

func TestMerge(t *testing.T) {
	for _, kind := range []string{"counts", "coverage"} {
		both := open(t, file(t, "merged/"+kind+"_a.mip"), file(t, "merged/"+kind+"_b.mip"))
		sum := open(t, file(t, "merged/"+kind+"_a_plus_b.mip"))
		sameFunctions(t, kind, mipJSON(t, sum, encode.MIPJSONOptions{}), mipJSON(t, both, encode.MIPJSONOptions{}))
		if !bytes.Equal(writeMIP(t, both, mip.Documented), file(t, "merged/"+kind+"_a_plus_b.mip").Data) {
			t.Errorf("%s: the sum is written otherwise", kind)
		}
	}
}

func TestMergeDropsBlocksThatDiffer(t *testing.T) {
	f := file(t, "hand/two_covblk.mip")
	other := f
	other.Name, other.Data = "other.mip", bytes.Clone(f.Data)
	other.Data[40+20]++ // ControlFlowGraphSignature of the first function
	p := open(t, f, other)
	functions := p.MIP.Functions
	if len(functions[0].Blocks) != 0 || len(functions[1].Blocks) == 0 || functions[0].MergeCount != 2 {
		t.Errorf("%+v", functions)
	}
	if found := p.Findings(); len(found) != 1 || found[0].Code != "mip.blocks_differ" || found[0].Count != 1 {
		t.Errorf("%+v", found)
	}
}

func TestPairs(t *testing.T) {
	for _, pair := range expectations(t, "pair.json") {
		files := []format.File{file(t, pair.beside(pair.string("map"))), file(t, pair.beside(pair.string("raw")))}
		_, err := decodetest.Open(t.Context(), files, format.Options{})
		if kind := string(model.KindOf(err)); err == nil || !slices.Contains(pair.kinds, kind) {
			t.Errorf("%s: %v; %v is right", pair.path, err, pair.kinds)
			continue
		}
		f := format.FindingOf("", err)
		if f.Kind == model.KindMismatch &&
			(!strings.Contains(f.Message+f.File, files[0].Name) || f.File != files[1].Name || f.Expected == f.Found) {
			t.Errorf("%s: it names not both files, or not what differs: %+v", pair.path, f)
		}
		if f.Remedy == "" || f.Cause == "" {
			t.Errorf("%s: %+v", pair.path, f)
		}
	}
}

func TestFilesThatDoNotBelongTogether(t *testing.T) {
	a, b := file(t, "merged/counts.mipmap"), file(t, "merged/coverage.mipmap")
	twin := a
	twin.Name = "twin.mipmap"
	ran, elsewhere := file(t, "merged/counts.0.mipraw"), file(t, "merged/coverage.0.mipraw")
	for _, test := range []struct {
		files []format.File
		kind  model.Kind
	}{
		{[]format.File{a, b}, model.KindMismatch},
		{[]format.File{a, twin}, model.KindMismatch},
		{[]format.File{a, elsewhere}, model.KindMismatch},
		{[]format.File{ran, elsewhere}, model.KindMismatch},
		{[]format.File{file(t, "merged/counts_a.mip"), file(t, "merged/coverage_a.mip")}, model.KindMismatch},
		{[]format.File{a, text("x.proftext", "main\n1\n1\n1\n")}, model.KindIncompatible},
		{[]format.File{text("x.proftext", "main\n1\n1\n1\n"), a}, model.KindIncompatible},
	} {
		_, err := decodetest.Open(t.Context(), test.files, format.Options{})
		f := format.FindingOf("", err)
		if f.Kind != test.kind || f.Remedy == "" {
			t.Errorf("%s, %s: %v", test.files[0].Name, test.files[1].Name, err)
		}
	}
}

// One damaged run among whole ones is left out and told; alone it is an error.
func TestDamagedRunIsLeftOut(t *testing.T) {
	mapFile := file(t, "merged/counts.mipmap")
	runs := []format.File{file(t, "merged/counts.0.mipraw"), file(t, "merged/counts.1.mipraw"), {Name: "cut.mipraw"}}
	whole := open(t, append([]format.File{mapFile}, runs[:2]...)...)
	for _, size := range []int{0, 20, 32, len(runs[0].Data) - 1} {
		runs[2].Data = file(t, "merged/counts.2.mipraw").Data[:size]
		p := open(t, append([]format.File{mapFile}, runs...)...)
		sameFunctions(t, "with a damaged run", mipJSON(t, whole, encode.MIPJSONOptions{}),
			mipJSON(t, p, encode.MIPJSONOptions{}))
		found := p.Findings()
		if len(found) != 1 || found[0].Code != "mipraw.raw_skipped" || found[0].File != "cut.mipraw" ||
			found[0].Severity != model.Warning {
			t.Errorf("%d bytes: %+v", size, found)
		}
		if _, err := decodetest.Open(t.Context(), []format.File{mapFile, runs[2]}, format.Options{}); err == nil {
			t.Errorf("%d bytes alone are a run", size)
		}
	}
}

func TestRunsWithoutMap(t *testing.T) {
	p := open(t, file(t, "merged/counts.0.mipraw"), file(t, "merged/counts.1.mipraw"))
	if len(p.MIP.Runs) != 2 || len(p.MIP.Functions) != 0 || p.Info().Format != mip.FormatRaw {
		t.Errorf("%+v", p.MIP)
	}
	if found := p.Findings(); len(found) != 1 || found[0].Code != "mip.map_missing" || found[0].Remedy == "" {
		t.Errorf("%+v", found)
	}
	_, err := encode.PlanMIP(p.MIP, encode.MIPOptions{})
	if fault, ok := errors.AsType[*model.FormatError](err); !ok || fault.Kind != model.KindIncompatible {
		t.Error(err)
	}
}

func TestOrder(t *testing.T) {
	lines := func(p *decodetest.Profile, o encode.OrderOptions) []string {
		plan, err := encode.PlanMIPOrder(p.MIP, o)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := plan.Write(&b); err != nil {
			t.Fatal(err)
		}
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	p := open(t, file(t, "merged/counts.mipmap"), file(t, "merged/counts.0.mipraw"), file(t, "merged/counts.1.mipraw"),
		file(t, "merged/counts.2.mipraw"))
	want := []string{}
	for _, i := range mipJSON(t, p, encode.MIPJSONOptions{})["order"].([]any) {
		var index int
		fmt.Sscan(i.(string), &index)
		want = append(want, string(p.MIP.Functions[index].Name))
	}
	if diff := cmp.Diff(want, lines(p, encode.OrderOptions{MachO: true})); diff != "" {
		t.Error(diff)
	}
	first := lines(p, encode.OrderOptions{Run: 1})
	alone := lines(open(t, file(t, "merged/counts.mipmap"), file(t, "merged/counts.0.mipraw")), encode.OrderOptions{})
	if diff := cmp.Diff(alone, first); diff != "" {
		t.Errorf("the first run: %s", diff)
	}
	often := lines(p, encode.OrderOptions{MinRuns: 3})
	if len(often) == 0 || len(often) >= len(want) {
		t.Errorf("%d of %d functions ran in every run", len(often), len(want))
	}
	_, err := encode.PlanMIPOrder(open(t, file(t, "merged/coverage.mip")).MIP, encode.OrderOptions{})
	if model.KindOf(err) != model.KindNoTraces {
		t.Error(err)
	}
}

func TestGroup(t *testing.T) {
	var files []format.Recognised
	for _, name := range []string{
		"merged/counts.0.mipraw", "merged/coverage.mipmap", "merged/counts.mip", "merged/counts.mipmap",
		"merged/coverage.1.mipraw", "merged/counts.1.mipraw", "bad/magic_0.mip",
	} {
		f := file(t, name)
		files = append(files, decode.Recognise(f.Name, f.Data))
	}
	if diff := cmp.Diff([][]int{{0, 3, 5}, {1, 4}, {2}, {6}}, format.Group(files)); diff != "" {
		t.Error(diff)
	}
}
