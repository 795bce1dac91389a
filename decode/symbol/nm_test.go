package symbol_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode/model"
	"proflens/decode/symbol"
)

// A list of nm as it stands has every symbol that may be of code, by address and
// name, with no size but those that are said.
func TestListNM(t *testing.T) {
	const listing = "0000000000001010 T second\n0000000000001000 0000000000000008 T main\n0000000000001000 t " +
		"alias\n0000000000001020 W weak\n" +
		"0000000000001030 i chosen\n0000000000001040 V object\n                 w undefined\n                 U " +
		"printf\n0000000000002000 D data\n0000000000003000 B bss\n0000000000001050 R constant\n"
	list, err := symbol.ListNM([]byte(listing))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range list {
		got = append(got, fmt.Sprintf("%s %x+%x", p.Name, p.Start, p.Size))
	}
	if diff := cmp.Diff([]string{"alias 1000+0", "main 1000+8", "second 1010+0", "weak 1020+0", "chosen 1030+0",
		"object 1040+0"}, got); diff != "" {
		t.Error(diff)
	}
}

// Of several symbols at one address a global one counts before a weak one, that
// before a local one, then the longest, then the first by name.
func TestTheBestSymbolOfAnAddress(t *testing.T) {
	for _, test := range []struct{ listing, want string }{
		{"t local\nT global\nW weak\n", "global"},
		{"t local\nW weak\n", "weak"},
		{"W weak\ni chosen\n", "chosen"},
		{"T b\nT a\n", "a"},
		{"D data\nt local\n", "local"},
	} {
		var text strings.Builder
		for line := range strings.Lines(test.listing) {
			text.WriteString("0000000000001000 " + line)
		}
		list, err := symbol.ParseNM([]byte(text.String()))
		if err != nil || len(list) != 1 || list[0].Name != test.want {
			t.Errorf("%q: %+v, %v", test.listing, list, err)
		}
	}
	list, err := symbol.ParseNM([]byte("0000000000001000 0000000000000004 T short\n0000000000001000 0000000000000010 T " +
		"long\n"))
	if err != nil || len(list) != 1 || list[0].Name != "long" || list[0].Size != 16 {
		t.Errorf("%+v, %v", list, err)
	}
}

// A line that nm does not print is told where it stands, with what it is.
func TestFaultsOfListings(t *testing.T) {
	const first = "0000000000001000 T main\n"
	for name, test := range map[string]struct {
		text   string
		offset uint64
		found  string
	}{
		"words":               {first + "what is this\n", uint64(len(first)), `"what is this"`},
		"no address":          {first + "main\n", uint64(len(first)), `"main"`},
		"a letter to come":    {first + "0000000000001000 Q main\n", uint64(len(first)), `"0000000000001000 Q main"`},
		"an address too long": {"10000000000000000 T main\n", 0, `"10000000000000000 T main"`},
		"a table of others":   {"a|zz|T|d|e|f|g\n", 0, `"a|zz|T|d|e|f|g"`},
		"bytes":               {"\x00\x01\x02\n", 0, `"\x00\x01\x02"`},
		"no symbols":          {"a.out:\n\n", 0, ""},
		"nothing":             {"", 0, ""},
	} {
		for _, read := range []func([]byte) ([]symbol.Procedure, error){symbol.ParseNM, symbol.ListNM} {
			list, err := read([]byte(test.text))
			if err == nil {
				t.Errorf("%s: %+v", name, list)
				continue
			}
			f, ok := err.(*model.FormatError)
			if !ok || f.Kind != model.KindUnrecognizedFormat || f.Section != "symbol listing" || f.Offset != test.offset ||
				f.Found != test.found {
				t.Errorf("%s: %+v", name, err)
			}
		}
	}
}

// A listing is one whatever its symbols are of; other text, also with single
// letters where nm has types, is none.
func TestIsNM(t *testing.T) {
	for text, want := range map[string]bool{
		"0000000000001000 T main\n": true, "0000000000004010 D data\n                 U printf\n": true,
		"                 U free\n": true, "data D 4010 8\n": true,
		"Plan B\nVitamin C\n": false, "0000000000001000 T main\nand so on\n": false, "main\n12\n1\n1\n": false,
		"a.out:\n": false, "": false,
	} {
		if got := symbol.IsNM([]byte(text)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
