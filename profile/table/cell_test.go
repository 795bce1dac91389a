package table

import (
	"math"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"
)

// Each kind of cell is what its format needs.
func TestCells(t *testing.T) {
	for _, test := range []struct {
		cell              Cell
		plain, json, text string
	}{
		{Null, "", "null", ""},
		{Hex(0x1f), "000000000000001f", `"000000000000001f"`, "000000000000001f"},
		{Text(`a"b`), `a"b`, `"a\"b"`, `a"b`},
		{Count(1<<64 - 1), "18446744073709551615", `"18446744073709551615"`, "18446744073709551615"},
		{BigCount("-12"), "-12", `"-12"`, "-12"},
		{Int(7), "7", "7", "7"},
		{Ratio(0.5), "0.5", "0.5", "50.00%"},
		{Ratio(1e-9), "1e-09", "1e-09", "0.00%"},
		{Change(-0.5), "-0.5", "-0.5", "-50.00%"},
		{Number(1.25), "1.25", "1.25", "1.25"},
		{Number(229. / 7), "32.714285714285715", "32.714285714285715", "32.71"},
		{Number(1000), "1000", "1000", "1000"},
		{Number(-2. / 3), "-0.6666666666666666", "-0.6666666666666666", "-0.667"},
		{Number(1e15), "1e+15", "1e+15", "1e+15"},
		{Bool(true), "true", "true", "true"},
		{Bool(false), "false", "false", "false"},
		{JSON([]byte(`[1,"x"]`)), `[1,"x"]`, `[1,"x"]`, `[1,"x"]`},
	} {
		if got := string(test.cell.append(nil)); got != test.plain {
			t.Errorf("%+v in CSV is %s", test.cell, got)
		}
		if got := string(AppendCell(nil, test.cell, true)); got != test.json {
			t.Errorf("%+v in JSON is %s", test.cell, got)
		}
		if got := whole(t, FormatText, Head{Names: []string{"x"}, Widths: []int{0}},
			[]Cell{test.cell}); got != "x\n"+test.text+"\n" {
			t.Errorf("%+v in text is %q", test.cell, got)
		}
	}
	if got := string(AppendCount(AppendCount(nil, 5, true), 6, false)); got != `"5"6` {
		t.Error(got)
	}
	if _, err := NewWriter(&strings.Builder{}, "xml", Head{}); err == nil {
		t.Error("a table is written as XML")
	}
}

// A name is cut without a copy, however long it is.
func TestANameIsCutWithoutACopy(t *testing.T) {
	n, o := Name{PGO: strings.Repeat("a", 200)}, Options{}
	if got := testing.AllocsPerRun(10, func() { n.Cell("path", &o) }); got > 0 {
		t.Errorf("%v allocations", got)
	}
}

// A number has the digits that strconv has for it, however it is come by.
func TestFloats(t *testing.T) {
	numbers := []float64{
		0, 1, 0.5, 0.1, 1e-4, 0.001, 2.849794312317492e-06, 0.30000000000000004, 1e21, 12.5, math.NaN(), math.Inf(1),
		math.Nextafter(1, 0), math.Nextafter(1e-4, 0), math.SmallestNonzeroFloat64,
	}
	for i := range 100 {
		numbers = append(numbers, 1/float64(3*i+3), float64(i)/1e4)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		short := float64(r.IntN(1e6)) / math.Pow10(3+r.IntN(4)) // next to which the shortest is hard to find
		few := 0.5 + math.Ldexp(float64(r.IntN(1<<20)), -21-r.IntN(20))
		numbers = append(numbers, r.Float64(), short, math.Nextafter(short, 1), math.Nextafter(short, 0), few)
	}
	for _, n := range numbers {
		for _, v := range []float64{n, -n} {
			if got, want := string(appendFloat(nil, v)), strconv.FormatFloat(v, 'g', -1, 64); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		}
	}
}

// calls has a name in it, and a column of its own.
type calls struct {
	Name `col:"name" head:"Function" is:"words"`

	Calls int
	_     Computed `col:"doubled" is:"number"`
}

func (c *calls) Cell(column string, o *Options) Cell {
	if column == "doubled" {
		return Int(uint64(2 * c.Calls))
	}
	return c.Name.Cell(column, o)
}

// A row that a name is embedded in keeps its own columns, where rows stand in one place too.
func TestANameInARow(t *testing.T) {
	d := Declare[calls](Declaration{Noun: "function"})
	row := reflect.ValueOf(&calls{Name: Name{PGO: "a.c;f"}, Calls: 3}).Elem()
	for column, want := range map[string]Cell{"linkage_name": Text("f"), "doubled": Int(6)} {
		f := d.Field(column)
		if here, of := f.inPlace(row, &Options{})(), f.Cell(row, &Options{}); here != want || of != want {
			t.Errorf("%s is %v in place and %v, want %v", column, here, of, want)
		}
	}
}
