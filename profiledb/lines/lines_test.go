package lines_test

import (
	"fmt"
	"testing"

	"proflens/profiledb/lines"
)

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
	if x == nil || fmt.Sprint(x.Lines, x.Sums, x.At(0), x.At(1)) != "[2 7] [14 18446744073709551615 8] [0 18446744073709551615 0] [4 0 8]" {
		t.Fatalf("%+v", x)
	}
	if y := joined.Find("/src/y.c"); y == nil || fmt.Sprint(y.At(0)) != "[0 0 9]" || joined.Find("z.c") != nil || len(joined.Columns) != 3 {
		t.Errorf("%+v", joined)
	}
}
