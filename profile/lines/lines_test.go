package lines_test

import (
	"fmt"
	"testing"

	"proflens/profile/lines"
)

// A path begins where all files of a table share no more.
func TestBelow(t *testing.T) {
	for _, tt := range [][]string{
		{"/src/lib/x.c", "x.c"}, {"x.c", "x.c"}, {"/src/x.c", "x.c", "/src/lib/y.c", "lib/y.c"},
		{"/src/x.c", "src/x.c", "/srcs/y.c", "srcs/y.c"},
		{`C:\src\x.c`, "x.c", `C:\src\lib\y.c`, `lib\y.c`}, {"a/x.c", "a/x.c", "b/x.c", "b/x.c"},
	} {
		b := lines.New(lines.Column{Key: "a"})
		for i := 0; i < len(tt); i += 2 {
			b.Add(tt[i], 1, 0, 1)
		}
		table := b.Table()
		for i := 0; i < len(tt); i += 2 {
			if got := table.Below(table.Find(tt[i])); got != tt[i+1] {
				t.Errorf("%s is %s, want %s", tt[i], got, tt[i+1])
			}
		}
	}
}

// Two spellings of a file are one, tables stand side by side, and sums do not turn over.
func TestTables(t *testing.T) {
	a := lines.New(lines.Column{Key: "a"}, lines.Column{Key: "b"})
	a.Add("/src/x.c", 7, 0, 3)
	a.Add("/src/./lib/../x.c", 7, 0, 1)
	a.Add("/src/x.c", 2, 1, 1<<64-1)
	a.Add("/src/x.c", 2, 1, 5)
	a.AddFile("/src/x.c", 0, 10)
	b := lines.New(lines.Column{Key: "c"})
	b.Add("/src/y.c", 1, 0, 9)
	b.Add("/src/x.c", 7, 0, 8)
	joined := lines.Join(a.Table(), b.Table())
	x := joined.Find("/src//x.c")
	if x == nil || fmt.Sprint(x.Lines, x.Sums, x.At(0),
		x.At(1)) != "[2 7] [14 18446744073709551615 8] [0 18446744073709551615 0] [4 0 8]" {
		t.Fatalf("%+v", x)
	}
	if y := joined.Find("/src/y.c"); y == nil || fmt.Sprint(y.At(0)) != "[0 0 9]" || joined.Find("z.c") != nil ||
		len(joined.Columns) != 3 {
		t.Errorf("%+v", joined)
	}
}
