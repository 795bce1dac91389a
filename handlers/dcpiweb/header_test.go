package dcpiweb_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"proflens/handlers/webtest"
)

const header = "version pdb-%s\nimage 19970328081403c0c18b\nepoch 199805191724\nplatform walnut\nevent " +
	"cycles\nperiod 63488\n" +
	"tstart 120000000\ntsize 8192\ncpuspeed 500\ncpuamask 303\nlabel run 1\nsamples\n"

// headed is a profile of such a version without samples: eight bytes after the header.
func headed(version string) []byte {
	return append([]byte(strings.Replace(header, "%s", version, 1)), make([]byte, 8)...)
}

// A profile of version 1 is refused as before; its page has every line of the
// header, what can be known, what cannot, and where the samples stand.
func TestPageOfVersion1(t *testing.T) {
	l := webtest.Start(t, nil)
	sent := l.Do("PUT", "/api/v1/profiles/xapp_cycles", bytes.NewReader(headed("1.01")))
	object := sent.Object(t)
	if finding, _ := object["finding"].(map[string]any); sent.StatusCode != http.StatusUnprocessableEntity ||
		finding["kind"] != "unsupported_version" {
		t.Fatalf("%s: %v", sent.Status, object)
	}
	doc := l.Page("/p/"+object["id"].(string), http.StatusOK)
	webtest.CheckPage(t, doc)
	said := webtest.Said(webtest.ByTestID(t, doc, "anatomy"))
	for _, part := range []string{
		"Known from the header: event cycles, a sample every 63 488 events, image 19970328081403c0c18b, host walnut",
		"Unknown: how many samples there are, and at which addresses; they are the 8 bytes from offset 0x",
		"label", "run 1", "not a known keyword", "BWX: byte and word loads and stores", "1998-05-19T17:24:00Z",
		"not read: the layout was never published",
	} {
		if !strings.Contains(said, part) {
			t.Errorf("there is no %q in %s", part, said)
		}
	}
}

// The overview says how long the header is, and, in a note, when it is not as long
// as the format advises.
func TestHeaderLength(t *testing.T) {
	l := webtest.Start(t, nil)
	for name, test := range map[string]struct {
		pad        string
		fact, note string
	}{
		"short.prof": {
			"", "Header length 179 bytes, 1 byte short of a multiple of 4, which the format recommends for speed only",
			"1 short of a multiple of four: the samples are not aligned to 32 bits",
		},
		"padded.prof": {" ", "Header length 180 bytes, a multiple of 4, as the format recommends for speed", ""},
	} {
		data := bytes.Replace(headed("0.07"), []byte("samples\n"), []byte("samples"+test.pad+"\n"), 1)
		page := webtest.Said(l.Page("/p/"+l.Upload(name, data), http.StatusOK))
		if !strings.Contains(page, test.fact) || !strings.Contains(page, test.note) || test.note == "" &&
			strings.Contains(page, "not aligned") {
			t.Errorf("%s: %s", name, page)
		}
	}
}

// Profiles without samples have no picture, and say that they are empty.
func TestNoSamples(t *testing.T) {
	l := webtest.Start(t, nil)
	page := webtest.Page(l.Upload("none.prof", headed("0.07")))
	l.Says(page, "The profiles are empty: they have no samples.", "!Heat of", "Header length 179 bytes", "!the hottest")
	l.Says(page+"/procedures", "This selection has no samples.", "!Images without symbols",
		"Unit samples events seconds Filter: procedure",
		"!by epoch")
}
