package handlers_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/handlers/webtest"
	"proflens/internal/humanize"
)

// shownBytes are the bytes of a page's hex view, and those that are marked.
func shownBytes(t *testing.T, doc *html.Node) (shown, marked []byte) {
	t.Helper()
	for _, row := range webtest.All(webtest.ByTestID(t, doc, "hex"), webtest.Tag("tr"))[1:] {
		for _, cell := range webtest.All(row, webtest.Tag("td"))[:16] {
			b, err := hex.DecodeString(webtest.Text(cell))
			if err != nil {
				t.Fatal(err)
			}
			shown = append(shown, b...)
			if strings.Contains(webtest.Attr(cell, "class"), "hex-selected") {
				marked = append(marked, b...)
			}
		}
	}
	return shown, marked
}

// rowLinks are the links of a table's rows.
func rowLinks(t *testing.T, doc *html.Node, table string) []*html.Node {
	t.Helper()
	return webtest.All(webtest.ByTestID(t, doc, table), func(n *html.Node) bool { return n.Data == "a" })
}

// numbersIn are the numbers of a worked sum on a page, by their line.
func numbersIn(t *testing.T, doc *html.Node, of string) map[string]uint64 {
	t.Helper()
	numbers := map[string]uint64{}
	for _, row := range webtest.All(webtest.ByTestID(t, doc, "sum-"+of), webtest.Tag("tr"))[1:] {
		name := webtest.Text(webtest.All(row, webtest.Tag("th"))[0])
		if v, err := strconv.ParseUint(webtest.Text(webtest.All(row, webtest.Tag("td"))[1]), 0, 64); err == nil {
			numbers[name] = v
		}
	}
	return numbers
}

// The page of a function leads to where it stands: the sums add up, their numbers
// lead to their bytes, and what is marked are the counters. The API has the same.
func TestWhereAFunctionStands(t *testing.T) {
	l := webtest.Start(t, nil)
	data := webtest.File(t, "ir_c.profraw")
	p := l.Upload("ir_c.profraw", data)
	src, err := instrprof.OpenCorrelated(data, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for f, err := range src.Functions() {
		if err != nil || n == 4 {
			break
		}
		n++
		fid := fmt.Sprintf("%016x", f.NameRef)
		function := l.Page(webtest.Page(p)+"/functions/"+fid, http.StatusOK)
		var href string
		for _, a := range webtest.All(function, webtest.Tag("a")) {
			if webtest.Text(a) == "Show in the file" {
				href = webtest.Attr(a, "href")
			}
		}
		doc := l.Page(href, http.StatusOK)
		sum := numbersIn(t, doc, "Counters")
		if got := sum["CounterPtr"] - sum["CountersDelta"] + sum["i × record size"]; got != sum["offset in counters"] ||
			sum["offset in counters"]/8 != sum["first counter"] {
			t.Errorf("%s: %v", f.Name, sum)
		}
		_, marked := shownBytes(t, doc)
		want := binary.LittleEndian.AppendUint64(nil, f.Counters[0])
		if !bytes.HasPrefix(marked, want[:min(8, len(marked))]) || len(marked) == 0 {
			t.Errorf("%s: % x is marked, not the counters %d", f.Name, marked, f.Counters)
		}
		var values []string
		for _, li := range webtest.All(webtest.ByTestID(t, doc, "sum-Counters"), webtest.Tag("li")) {
			values = append(values, webtest.Text(li))
		}
		if !strings.HasPrefix(fmt.Sprint(values),
			strings.TrimSuffix(fmt.Sprint(f.Counters[:min(len(f.Counters), 32)]), "]")) {
			t.Errorf("%s: %v, want %v", f.Name, values, f.Counters)
		}
		for _, query := range []string{
			"function=" + fid, "function=" + url.QueryEscape(string(f.Name)), fmt.Sprintf("record=%d", n-1),
		} {
			var list struct {
				Items []struct {
					Location *model.Location
					Matches  []model.Match
				}
			}
			if err := json.Unmarshal(l.OK(webtest.API(p)+"/anatomy?"+query).Bytes, &list); err != nil {
				t.Fatal(err)
			}
			if got := list.Items[0].Location; got == nil || got.Function != string(f.Name) || len(got.Sums) < 3 ||
				got.Sums[2].Of != "counters" || got.Sums[2].Size != 8*uint64(len(f.Counters)) {
				t.Errorf("%s: %+v", query, got)
			}
		}
	}
	page := webtest.Page(p) + "/raw?"
	for query, says := range map[string]string{
		"function=no+such+thing": "no function with this name", "record=999": "no record 999",
		"function=i": "These contain it", "record=0": "record 0 of",
	} {
		said := webtest.Text(webtest.ByTestID(t, l.Page(page+query, http.StatusOK), "raw-function"))
		if !strings.Contains(said, says) {
			t.Errorf("%s: %q", query, said)
		}
	}
	for _, query := range []string{"record=-1", "hash=1", "function=f&hash=xyz"} {
		l.Page(page+query, http.StatusBadRequest)
	}
}

// TestRawPage: sections and values are those of the anatomy, each leads to its
// bytes, and the pages of the hex view are the file.
func TestRawPage(t *testing.T) {
	l := webtest.Start(t, nil)
	data := webtest.File(t, "ir_c.profraw")
	path := webtest.Page(l.Upload("ir_c.profraw", data)) + "/raw"
	doc := l.Page(path, http.StatusOK)

	want := decode.Inspect(format.File{Name: "ir_c.profraw", Data: data})
	sections := rowLinks(t, doc, "sections")
	if len(sections) != len(want.Sections) {
		t.Fatalf("%d sections, want %d", len(sections), len(want.Sections))
	}
	for i, a := range sections {
		s := want.Sections[i]
		if webtest.Text(a) != s.Name {
			t.Errorf("section %d is %q, want %q", i, webtest.Text(a), s.Name)
		}
		opened := l.Page(webtest.Attr(a, "href"), http.StatusOK)
		if _, marked := shownBytes(t, opened); s.Size > 0 && !bytes.HasPrefix(data[s.Offset:s.Offset+s.Size], marked) ||
			len(marked) == 0 && s.Size > 0 {
			t.Errorf("%s marks % x", s.Name, marked)
		}
		if len(s.Fields) == 0 {
			continue
		}
		values := rowLinks(t, opened, "values")
		if len(values) != len(s.Fields) {
			t.Fatalf("%s: %d values, want %d", s.Name, len(values), len(s.Fields))
		}
		for k, f := range s.Fields[:min(len(s.Fields), 12)] {
			value := l.Page(webtest.Attr(values[k], "href"), http.StatusOK)
			_, marked := shownBytes(t, value)
			if !bytes.Equal(marked, data[f.Offset:f.Offset+f.Size]) {
				t.Errorf("%s, %s marks % x, want % x", s.Name, f.Name, marked, data[f.Offset:f.Offset+f.Size])
			}
			if said := webtest.Text(webtest.ByTestID(t, value, "selection")); !strings.Contains(said, f.Name) {
				t.Errorf("%s, %s: marked is %q", s.Name, f.Name, said)
			}
		}
	}
	// A version with flags is read in hexadecimal; the decimal stands behind it.
	version, err := strconv.ParseUint(want.Sections[0].Fields[1].Value, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	inHex := humanize.Hex(version)
	row := webtest.All(webtest.ByTestID(t, doc, "values"), webtest.Tag("tr"))[2]
	for _, said := range []string{"Version", "0x8", "8", inHex, want.Sections[0].Fields[1].Meaning} {
		if !strings.Contains(webtest.Text(row), said) {
			t.Errorf("the row of Version is %q, without %q", webtest.Text(row), said)
		}
	}

	var whole []byte
	for next := path; next != ""; {
		doc := l.Page(next, http.StatusOK)
		shown, marked := shownBytes(t, doc)
		if len(shown) == 0 || len(shown) > 512 || len(marked) > 0 {
			t.Fatalf("%s shows %d bytes, %d marked", next, len(shown), len(marked))
		}
		whole = append(whole, shown...)
		next = ""
		for _, a := range webtest.All(doc, webtest.Tag("a")) {
			if webtest.Attr(a, "data-key") == "n" {
				next = webtest.Attr(a, "href")
			}
		}
	}
	if !bytes.Equal(whole, data) {
		t.Errorf("the pages have %d bytes, the file %d, or others", len(whole), len(data))
	}
	if original := l.OK(webtest.LinkTo(t, doc, "Original"), "Accept", "*/*"); !bytes.Equal(original.Bytes, data) {
		t.Error("the original is not what was uploaded")
	}
}

// TestRawPageOfDamagedFile: what could be read, then the finding with the way
// to its bytes.
func TestRawPageOfDamagedFile(t *testing.T) {
	l := webtest.Start(t, nil)
	data := webtest.File(t, "ir_c.profraw")[:900]
	id := l.Upload("cut.profraw", data)
	failure := l.Page(webtest.Page(id), http.StatusOK)
	doc := l.Page(webtest.LinkTo(t, failure, "Every byte"), http.StatusOK)
	anatomy := decode.Inspect(format.File{Name: "cut.profraw", Data: data})
	fault := anatomy.Findings[len(anatomy.Findings)-1]
	if links := rowLinks(t, doc, "sections"); len(links) < len(anatomy.Sections) ||
		webtest.Text(links[len(links)-1]) != fault.Section {
		t.Errorf("the last of %d sections is not the one that the file ends in", len(links))
	}
	if said := webtest.Text(webtest.ByTestID(t, doc, "sections")); !strings.Contains(
		said, "the file ends in it: 740 of 2880 bytes") {
		t.Errorf("the sections: %s", said)
	}
	said := webtest.Text(webtest.ByTestID(t, doc, "finding"))
	for _, want := range []string{
		string(fault.Severity), fault.Code, fault.Section, fault.Field, fault.Expected, fault.Found,
		fmt.Sprintf("0x%x", fault.Offset), "Likely cause", "What to do",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the finding says %q, without %q", said, want)
		}
	}
	there := l.Page(webtest.LinkTo(t, webtest.ByTestID(t, doc, "finding"), "Show the bytes"), http.StatusOK)
	_, marked := shownBytes(t, there)
	if !bytes.HasPrefix(data[fault.Offset:], marked) || len(marked) == 0 {
		t.Errorf("the finding leads to % x", marked)
	}
	if at := webtest.All(there, func(n *html.Node) bool {
		return strings.Contains(webtest.Attr(n, "class"),
			"hex-fault")
	}); len(at) != 1 || webtest.Attr(at[0], "title") != fault.Code {
		t.Errorf("%d bytes stand for the fault", len(at))
	}
	if strip := webtest.ByTestID(t, doc, "section-strip"); len(webtest.All(strip, webtest.Tag("line"))) != 1 {
		t.Error("the strip does not show where the fault is")
	}

	for name, content := range map[string][]byte{
		"empty.profraw": {},
		"other.bin":     []byte("\x7fELF and nothing more"),
		"broken.zip":    []byte("PK\x03\x04 and nothing more"),
	} {
		doc := l.Page(webtest.Page(l.Upload(name, content))+"/raw", http.StatusOK)
		if shown, _ := shownBytesOf(t, doc, len(content)); !bytes.Equal(shown, content) {
			t.Errorf("%s: the page shows %q", name, shown)
		}
	}
}

// shownBytesOf is shownBytes where there may be none.
func shownBytesOf(t *testing.T, doc *html.Node, size int) (shown, marked []byte) {
	t.Helper()
	if size == 0 {
		if said := webtest.Text(webtest.ByTestID(t, doc, "hex")); !strings.Contains(said, "The file is empty") {
			t.Errorf("an empty file's bytes: %q", said)
		}
		return []byte{}, nil
	}
	return shownBytes(t, doc)
}

// TestRawPageInjection: names and values of files are text wherever they stand.
func TestRawPageInjection(t *testing.T) {
	l := webtest.Start(t, nil)
	for _, name := range webtest.HostileNames {
		content := name
		name = strings.NewReplacer("\x00", "", "\x1b", "").Replace(name) // which no form can send
		body, ct := webtest.Form(t, "group", "one", "file:"+name, "main\n"+content+"\n1\n1\n", "file:x"+name,
			string(webtest.File(t, "ir_c.profraw")))
		a := l.Do("POST", "/api/v1/profiles", body, "Content-Type", ct)
		id, ok := a.Object(t)["id"].(string)
		if !ok {
			t.Fatalf("%q: %s", name, a.Bytes)
		}
		for _, view := range []string{"/raw", "/raw?file=1&at=8", "/diagnostics"} {
			doc := l.Page(webtest.Page(id)+view, http.StatusOK)
			if found := webtest.All(doc, func(n *html.Node) bool { return n.Data == "img" || n.Data == "b" }); len(found) > 0 {
				t.Errorf("%s of %q has a <%s>", view, name, found[0].Data)
			}
		}
	}
}

func TestRawParameters(t *testing.T) {
	l := webtest.Start(t, nil)
	data := webtest.File(t, "ir_c.profraw")
	path := webtest.Page(l.Upload("ir_c.profraw", data)) + "/raw"
	for query, status := range map[string]int{
		"?at=x": 400, "?at=0x": 400, "?at=-1": 400, "?at=0x10000000000000000": 400, "?at=1&at=2": 400, "?length=3": 400,
		"?at=0&length=-1": 400, "?page=-1": 400, "?format=csv": 400, "?colour=red": 400, "?file=other": 404, "?file=1": 404,
	} {
		l.Page(path+query, status)
	}
	size := len(data)
	for query, want := range map[string]string{
		fmt.Sprintf("?at=%d", size):        "is past the end",
		"?at=0xffffffffffffffff":           "is past the end",
		"?at=0xffffffffffffffff&length=99": "is past the end",
		"?at=0&length=0xffffffffffffffff":  fmt.Sprintf("0x0 to 0x%x", size-1),
		"?page=9999999":                    fmt.Sprintf("to 0x%x", size-1),
		"?file=0&at=18":                    "0x10 to 0x17, 8 bytes",
		"?file=ir_c.profraw&at=0X12":       "0x10 to 0x17, 8 bytes",
	} {
		if said := webtest.Text(webtest.ByTestID(t, l.Page(path+query, http.StatusOK), "hex")); !strings.Contains(
			said, want) {
			t.Errorf("%s: %.300q, without %q", query, said, want)
		}
	}
	api := strings.Replace(strings.TrimSuffix(path, "/raw"), "/p/", "/api/v1/profiles/", 1)
	text := l.OK(path+"?at=0x10&length=8&format=json&page=2", "Accept", "text/html").Text()
	if text != l.OK(api+"/anatomy?at=0x10&length=8").Text() {
		t.Errorf("format=json gives %.300s", text)
	}
	first := l.OK(path, "Accept", "text/html")
	if again := l.Get(path, "Accept", "text/html", "If-None-Match",
		first.Header.Get("Etag")); again.StatusCode != http.StatusNotModified {
		t.Errorf("the page again: %s", again.Status)
	}
}

// TestAnatomyBytes: at and length add bytes to the anatomy, file picks one.
func TestAnatomyBytes(t *testing.T) {
	l := webtest.Start(t, nil)
	data := webtest.File(t, "ir_c.profraw")
	body, ct := webtest.Form(t, "group", "one", "file:a.profraw", string(data), "file:b.profraw", string(data))
	call := webtest.API(l.Do("POST", "/api/v1/profiles", body, "Content-Type", ct).Object(t)["id"].(string)) + "/anatomy"
	doc := webtest.Document(t)
	size := len(data)
	for query, want := range map[string]struct {
		items, from, to int
	}{
		"":                               {2, -1, -1},
		"?file=b.profraw":                {1, -1, -1},
		"?at=0x8&length=8":               {2, 8, 16},
		"?file=1&at=100":                 {1, 100, min(612, size)},
		fmt.Sprintf("?at=%d", size-3):    {2, size - 3, size},
		fmt.Sprintf("?at=%d", size):      {2, size, size},
		"?at=0&length=65536":             {2, 0, size},
		"?at=0xffffffffffffffff":         {2, size, size},
		"?at=0x7fffffffffffffff&file=0":  {1, size, size},
		"?file=a.profraw&at=1&length=01": {1, 1, 2},
	} {
		a := l.OK(call + query)
		webtest.Validate(t, doc, "/api/v1/profiles/{id}/anatomy", a)
		items := a.Object(t)["items"].([]any)
		if len(items) != want.items {
			t.Errorf("%s: %d items, want %d", query, len(items), want.items)
		}
		for _, item := range items {
			b, has := item.(map[string]any)["bytes"].(map[string]any)
			if has != (want.from >= 0) {
				t.Errorf("%s: bytes: %t", query, has)
			}
			if has && (b["hex"] != hex.EncodeToString(data[want.from:want.to]) ||
				fmt.Sprint(b["length"]) != fmt.Sprint(want.to-want.from)) {
				t.Errorf("%s: bytes %v", query, b)
			}
		}
	}
	webtest.Problem(t, l.Get(call+"?at=0&length=65537"), http.StatusBadRequest, "bad_parameter")
	webtest.Problem(t, l.Get(call+"?at=x"), http.StatusBadRequest, "bad_parameter")
	webtest.Problem(t, l.Get(call+"?page=2"), http.StatusBadRequest, "bad_parameter")
	webtest.Problem(t, l.Get(call+"?file=c"), http.StatusNotFound, "not_found")
}
