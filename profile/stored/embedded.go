package stored

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/flate"

	"proflens/decode/model"
)

const embeddedTable = "embedded_source"

// WriteEmbedded writes the text of sources that programs hold.
func (w *Writer) WriteEmbedded(list []model.SourceText) error {
	var packed bytes.Buffer
	to, err := flate.NewWriter(&packed, flate.DefaultCompression)
	if err != nil {
		return err
	}
	return w.Rows(embeddedTable, len(list), func(r *Record, i int) {
		packed.Reset()
		to.Reset(&packed)
		to.Write(list[i].Text) // into memory, which has no errors
		to.Close()
		r.Name([]byte(list[i].Name))
		r.Blob(packed.Bytes())
	})
}

// EmbeddedNames are the names of the sources whose text the programs hold.
func (p *Profile) EmbeddedNames() (names []string, err error) {
	return names, p.Walk(embeddedTable, func(row *Row) { names = append(names, row.String(1)) })
}

// Embedded is the text of one of these, by its index; of a longer one the first most bytes.
func (p *Profile) Embedded(index int, most int64) ([]byte, error) {
	row, err := p.RowOf(embeddedTable, index+1)
	if err != nil {
		return nil, err
	}
	packed := row.Bytes(2)
	if err := row.Err(); err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), most))
	if err != nil {
		return nil, Damaged("the text of a source: %v", err)
	}
	return text, nil
}
