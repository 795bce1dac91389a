package covmap_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"proflens/decode/covmap"
)

// member is a member of a built archive; name as its header has it.
type member struct {
	name string
	data []byte
	size int // instead of that of data, as in a thin archive
}

func archive(magic string, members ...member) []byte {
	b := []byte(magic)
	for _, m := range members {
		b = fmt.Appendf(b, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, 0, 0, 0, "644", max(m.size, len(m.data)))
		if b = append(b, m.data...); len(b)&1 == 1 {
			b = append(b, '\n')
		}
	}
	return b
}

func namesOf(list []*covmap.Object) string {
	var names []string
	for _, o := range list {
		names = append(names, fmt.Sprintf("%s:%d", o.Name, len(o.Functions)))
	}
	return strings.Join(names, " ")
}

func TestArchivesOfEveryKind(t *testing.T) {
	one := built{version: 6, files: []string{"", "t.c"}, records: []record{{"f", 1, line(1)}}}.bytes()
	two := built{version: 6, files: []string{"", "u.c"}, records: []record{{"g", 1, line(1)}, {"h", 1, line(1)}}}.bytes()
	long := []byte("a/very/long/name.o/\nanother/long/name.o/\n")
	bsd := func(name string, data []byte) []byte { return append([]byte(name), data...) }
	files := func(path string) ([]byte, error) {
		if data, ok := map[string][]byte{"lib/x/one.o": one, "/two.o": two}[path]; ok {
			return data, nil
		}
		return nil, fs.ErrNotExist
	}
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"GNU":      {archive("!<arch>\n", member{"/", []byte("index"), 0}, member{"//", long, 0}, member{"one.o/", one, 0}, member{"/20", two, 0}), "lib/a(one.o):1 lib/a(another/long/name.o):2"},
		"BSD":      {archive("!<arch>\n", member{"#1/20", bsd("__.SYMDEF SORTED\x00\x00\x00\x00", []byte("x")), 0}, member{"#1/12", bsd("a long.o\x00\x00\x00\x00", one), 0}, member{"two.o", two, 0}), "lib/a(a long.o):1 lib/a(two.o):2"},
		"Windows":  {archive("!<arch>\n", member{"/", []byte("i"), 0}, member{"/", []byte("j"), 0}, member{"/<ECSYMBOLS>/", []byte("k"), 0}, member{"one.o/", one, 0}), "lib/a(one.o):1"},
		"thin":     {archive("!<thin>\n", member{"//", []byte("x/one.o/\n/two.o/\n"), 0}, member{"/0", nil, len(one)}, member{"/9", nil, len(two)}), "lib/a(x/one.o):1 lib/a(/two.o):2"},
		"in a row": {archive("!<arch>\n", member{"one.o/", one, 0}, member{"b.a/", archive("!<arch>\n", member{"two.o/", two, 0}), 0}), "lib/a(one.o):1 lib/a(b.a)(two.o):2"},
	} {
		list, err := covmap.Open("lib/a", test.data, covmap.Options{Member: files})
		if err != nil || namesOf(list) != test.want {
			t.Errorf("%s: %s, %v; want %s", name, namesOf(list), err, test.want)
		}
	}
}

func TestMembersWithoutAMapping(t *testing.T) {
	one := built{version: 6, files: []string{"", "t.c"}, records: []record{{"f", 1, line(1)}}}.bytes()
	without := real(t, "clang-22/stripped/stripped.exe")
	damaged := real(t, "malformed/kind/kind.covmapping")
	data := archive("!<arch>\n", member{"no.o/", without, 0}, member{"one.o/", one, 0}, member{"text/", []byte("text"), 0}, member{"bad.o/", damaged, 0})
	if _, err := covmap.Open("a", data, covmap.Options{}); fault(t, err).Kind != "no_data_found" || !strings.Contains(fault(t, err).File, "no.o") {
		t.Error(err)
	}
	list, err := covmap.Open("a", data, covmap.Options{Lenient: true})
	if err != nil || namesOf(list) != "a(one.o):1 a(text):0 a(bad.o):0" || len(list[1].Faults) != 1 || len(list[2].Faults) != 1 {
		t.Errorf("%v %s", err, namesOf(list))
	}
	for _, none := range [][]byte{archive("!<arch>\n"), archive("!<arch>\n", member{"no.o/", without, 0})} {
		if _, err := covmap.Open("a", none, covmap.Options{Lenient: true}); fault(t, err).Kind != "no_data_found" {
			t.Error(err)
		}
	}
}

func TestArchivesThatAreRefused(t *testing.T) {
	one := built{version: 6, files: []string{"", "t.c"}, records: []record{{"f", 1, line(1)}}}.bytes()
	deep := one
	for range 12 {
		deep = archive("!<arch>\n", member{"a.a/", deep, 0})
	}
	self := archive("!<thin>\n", member{"self.a/", nil, 1})
	whole := archive("!<arch>\n", member{"one.o/", one, 0})
	for name, test := range map[string]struct {
		data []byte
		want string
	}{
		"thin":       {archive("!<thin>\n", member{"gone.o/", nil, 5}), "cannot be read"},
		"deep":       {deep, "too deep"},
		"itself":     {self, "too deep"},
		"cut":        {whole[:len(whole)-2], "passes the end"},
		"cut header": {whole[:40], "ends inside the header"},
		"no size":    {[]byte(strings.Replace(string(whole), "`\n", "x\n", 1)), "no header"},
	} {
		_, err := covmap.Open("self.a", test.data, covmap.Options{Member: func(path string) ([]byte, error) {
			if path == "self.a" {
				return self, nil
			}
			return nil, errors.New("gone")
		}})
		if f := fault(t, err); !strings.Contains(f.Msg, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := covmap.Open("a", self, covmap.Options{}); !strings.Contains(fault(t, err).Msg, "thin") {
		t.Error(err)
	}
}
