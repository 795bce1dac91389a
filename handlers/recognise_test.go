package handlers_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/handlers/webtest"
	"proflens/ingest/tasks"
)

const recognisePath = "/api/v1/recognise"

// headOf is the head of a file.
func headOf(name string, data []byte) decode.Head {
	return decode.Head{Name: name, Size: uint64(len(data)), Bytes: data[:min(len(data), decode.HeadBytes)]}
}

// What files are is said by their first 4 KiB, in the order given, and nothing is kept.
func TestFilesAreRecognisedBeforeTheyAreSent(t *testing.T) {
	l := webtest.Start(t, nil)
	doc := webtest.Document(t)
	files := webtest.Files(t, "../decode/instrprof/testdata/correlate", "clang-22_bin.profraw", "clang-22_bin.elf")
	bare, program := files[1].([]byte), files[3].([]byte)
	text := []byte(":ir\nmain\n1\n1\n5\n")
	raw := webtest.Files(t, "examples", "cxx-ir.profraw")[1].([]byte)
	for _, test := range []struct {
		files  []decode.Head
		is     []string
		groups [][]int
	}{
		{
			[]decode.Head{headOf("a.json", []byte("{}")), headOf("b.proftext", text), headOf("c.profraw", raw),
				headOf("d.profraw", raw), headOf("cut.profraw", raw[:5000])},
			[]string{"foreign", "profile", "profile", "profile", "profile, doubted"}, [][]int{{1, 0}, {2, 3}, {4}},
		},
		{
			[]decode.Head{headOf("README", []byte("main\nx\n1\n")), headOf("a.profraw", bare), headOf("a", program)},
			[]string{"foreign", "profile, wants a program", "companion of [1]"}, [][]int{{1, 2, 0}},
		},
		{
			[]decode.Head{
				headOf("a.json", []byte("{}")), headOf("a.gz", heapSample(t, "clang-22_mem_pie.memprofraw.gz")),
				headOf("b.profraw", nil),
			},
			[]string{"foreign", "packed", "empty"}, [][]int{{1, 0}, {2}},
		},
	} {
		body, err := json.Marshal(tasks.Recognise{Files: test.files})
		if err != nil {
			t.Fatal(err)
		}
		r := l.Do(http.MethodPost, recognisePath, bytes.NewReader(body))
		webtest.Validate(t, doc, recognisePath, r)
		var got tasks.Recognition
		if err := json.Unmarshal(r.Bytes, &got); err != nil || len(got.Files) != len(test.files) {
			t.Fatalf("%v: %s", err, r.Text())
		}
		var is []string
		for _, f := range got.Files {
			word := string(f.Is)
			switch of, _ := json.Marshal(f.ClaimedBy); {
			case f.Is == decode.IsCompanion:
				word += " of " + string(of)
			case !f.Whole:
				word += ", wants a program"
			case f.Is == decode.IsProfile && f.Finding != nil:
				word += ", doubted"
			}
			is = append(is, word)
		}
		if diff := cmp.Diff(test.is, is); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(test.groups, got.Groups); diff != "" {
			t.Error(diff, is)
		}
	}
	if list := l.OK("/api/v1/profiles").Object(t)["items"].([]any); len(list) > 0 {
		t.Errorf("%d profiles were stored", len(list))
	}
}

// No question is larger than it need be, and of every file there is what is looked at.
func TestWhatIsAskedIsBounded(t *testing.T) {
	l := webtest.Start(t, nil)
	one := `{"name":"a","size":1,"bytes":"YQ=="}`
	for _, body := range []string{
		``, `{}`, `{"files":[]}`, `{"files":[{"name":"a","size":5,"bytes":"YQ=="}]}`,
		`{"files":[{"name":"a","size":0,"bytes":"YQ=="}]}`, `{"files":[` + one + `],"more":1}`,
		`{"files":[` + strings.Join(slices.Repeat([]string{one}, 1001), ",") + `]}`,
	} {
		webtest.Problem(t, l.Do(http.MethodPost, recognisePath, strings.NewReader(body)), http.StatusBadRequest,
			"bad_parameter")
	}
	long := l.Do(http.MethodPost, recognisePath, strings.NewReader(strings.Repeat(" ", 9<<20)))
	webtest.Problem(t, long, http.StatusRequestEntityTooLarge, "too_large")
}
