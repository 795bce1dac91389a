package sources_test

import (
	"slices"
	"strings"
	"testing"

	"proflens/analyze/sources"
)

func TestLinks(t *testing.T) {
	const usual = "https://host.example/{repo}/blob/{commit}/{path}#L{line}"
	labels := map[string]string{"repo": "sass/libsass", "commit": "v1.0 beta"}
	for _, c := range []struct {
		template   string
		labels     map[string]string
		name, path string
		line       string // 7
		whole      string
	}{
		{
			usual, labels, "/build/libsass/src/eval.cpp", "src/eval.cpp",
			"https://host.example/sass/libsass/blob/v1.0%20beta/src/eval.cpp#L7",
			"https://host.example/sass/libsass/blob/v1.0%20beta/src/eval.cpp",
		},
		// A directory of its own instead of that which all files share.
		{
			"http://h/{path}?l={line}&again={line}", map[string]string{"source_root": "/build/libsass/"},
			"/build/libsass/src/./eval.cpp", "eval.cpp", "http://h/src/eval.cpp?l=7&again=7",
			"http://h/src/eval.cpp?l=1&again=1",
		},
		{"http://h/{path}", map[string]string{"source_root": "/build"}, "/builder/a.c", "a.c", "", ""},
		{
			"http://h/{path}", map[string]string{"source_root": `C:\src`}, `C:\src\a b\x.c`, "x.c", "http://h/a%20b/x.c",
			"http://h/a%20b/x.c",
		},
		// Whatever a value has, it stays one part of the address.
		{
			"http://h/{x}/{path}#{line}", map[string]string{"x": `"><script>?a=b#c&d@e%2f+é`}, "", "a#?.c",
			"http://h/%22%3E%3Cscript%3E%3Fa%3Db%23c%26d%40e%252f%2B%C3%A9/a%23%3F.c#7",
			"http://h/%22%3E%3Cscript%3E%3Fa%3Db%23c%26d%40e%252f%2B%C3%A9/a%23%3F.c",
		},
		{"http://h/{path}", nil, "", "../../etc/passwd", "", ""},
		{"http://h/{path}", nil, "", "a/../b.c", "http://h/b.c", "http://h/b.c"},
	} {
		template, err := sources.ParseTemplate(c.template)
		if err != nil {
			t.Fatal(err)
		}
		link := template.Links(c.labels).File(c.name, c.path)
		if got := link.At(7); got != c.line {
			t.Errorf("%s: line 7 is %s, want %s", c.template, got, c.line)
		}
		if got := link.Whole(); got != c.whole {
			t.Errorf("%s: the file is %s, want %s", c.template, got, c.whole)
		}
	}
	template, _ := sources.ParseTemplate(usual)
	links := template.Links(map[string]string{"repo": "a/../b", "x": "y"})
	if want := []string{"commit", "repo"}; links.Host != "host.example" || !slices.Equal(links.Missing, want) ||
		links.File("/a.c", "a.c").At(1) != "" {
		t.Errorf("%+v, want %v missing", links, want)
	}
	var none *sources.Template
	if none.Links(labels).File("/a.c", "a.c").Whole() != "" {
		t.Error("no template has links")
	}
}

func TestTemplatesThatAreRefused(t *testing.T) {
	for _, text := range []string{
		"", "x", "{path}", "javascript:alert({path})", "ftp://h/{path}", "https:///{path}", "https://{repo}/{path}",
		"https://h{path}", "https://h@evil/{path}", "https://u:p@h/{path}",
		"{scheme}://h/{path}", "https://h/", "https://h/{path", "https://h/{}/{path}", "https://h/{{path}}",
		"https://h/{path}}", "https://h/ {path}", "https://h/\"{path}", "https://h/\n{path}",
		"//h/{path}", "https://h/{path}" + strings.Repeat("x", 1000),
	} {
		if _, err := sources.ParseTemplate(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}

func FuzzTemplate(f *testing.F) {
	f.Add("https://h/{repo}/{path}#L{line}", "repo", "a/b", "src/x.c")
	f.Fuzz(func(t *testing.T, text, label, value, file string) {
		template, err := sources.ParseTemplate(text)
		if err != nil {
			return
		}
		link := template.Links(map[string]string{label: value}).File("/"+file, file)
		for _, url := range []string{link.At(1), link.Whole()} {
			if url != "" && !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") ||
				strings.ContainsAny(url, "\"<> \n") {
				t.Fatalf("%q of %q", url, text)
			}
		}
	})
}
