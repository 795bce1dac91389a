package encode_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"proflens/decode/instrprof"
	"proflens/decode/model"
	"proflens/encode"
)

// A text of a partial profile says so, has the records with a name, and is read
// back; an order file says so too.
func TestPartialTextsSayWhatTheyAre(t *testing.T) {
	for _, file := range []string{"clang-22_ir_nocompress", "clang-22_ir_temporal"} {
		data, err := os.ReadFile("../decode/instrprof/testdata/raw/" + file + ".profraw")
		if err != nil {
			t.Fatal(err)
		}
		written := map[int]int{}
		for n := len(data) / 4; n < len(data); n += len(data) / 50 {
			src, err := instrprof.SalvageRaw(data[:n:n], nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			if err := encode.Proftext(&text, src); err != nil {
				t.Fatal(err)
			}
			if len(src.Info().Partial) == 0 ||
				!strings.HasPrefix(text.String(), "# partial: \"\": "+src.Info().Partial[0].String()+"\n") {
				t.Fatalf("%s of %d bytes: %.200s", file, n, text.String())
			}
			back, err := instrprof.OpenText(text.Bytes(), nil)
			if err != nil {
				t.Fatal(err)
			}
			named := 0
			for f := range src.Functions() {
				if len(f.Name) > 0 {
					named++
				}
			}
			read := 0
			for range back.Functions() {
				read++
			}
			if read != named {
				t.Errorf("%s of %d bytes: %d records are read back, %d have a name", file, n, read, named)
			}
			written[named]++
			if src.Info().Variant.Has(instrprof.TemporalProf) && src.Info().Partial[0].Records > 0 {
				var order bytes.Buffer
				if _, err := encode.Order(&order, src, encode.OrderOptions{}); err != nil &&
					model.KindOf(err) != model.KindNoTraces {
					t.Fatal(err)
				}
				if order.Len() > 0 && !strings.HasPrefix(order.String(), "# partial: ") {
					t.Errorf("%s of %d bytes: %.100s", file, n, order.String())
				}
			}
		}
		if len(written) < 2 {
			t.Errorf("%s: texts of %v records: none was cut in its names", file, written)
		}
	}
}
