package stored

import (
	"math"

	"proflens/profile/btree"
)

// Meta is the meta table: facts about the whole by key, some of them several
// times.
type Meta struct {
	numbers map[string]uint64
	words   map[string][]string
}

func readMeta(p *Profile) (*Meta, error) {
	m := &Meta{map[string]uint64{}, map[string][]string{}}
	return m, p.Walk("meta", func(row *Row) {
		key := row.String(0)
		m.numbers[key] = row.Uint(1)
		m.words[key] = append(m.words[key], row.String(1))
	})
}

// Number is a number, 0 where there is none.
func (m *Meta) Number(key string) uint64 { return m.numbers[key] }

// Int is a number that is a count of things in memory; -1 when it cannot be.
func (m *Meta) Int(key string) int {
	if n := m.numbers[key]; n <= math.MaxInt32 {
		return int(n)
	}
	return -1
}

// Word is the first word of a key.
func (m *Meta) Word(key string) string {
	if w := m.words[key]; len(w) > 0 {
		return w[0]
	}
	return ""
}

// Words are all words of a key.
func (m *Meta) Words(key string) []string { return m.words[key] }

// MetaWriter fills the meta table.
type MetaWriter struct {
	t   *btree.TableWriter
	r   Record
	id  int64
	err error
}

func (m *MetaWriter) put(key string, value func(r *Record)) {
	m.r.Reset()
	m.r.Texts(key)
	value(&m.r)
	m.id++
	if err := m.t.Insert(m.id, &m.r.Record); m.err == nil {
		m.err = err
	}
}

// Number writes a number.
func (m *MetaWriter) Number(key string, v uint64) { m.put(key, func(r *Record) { r.Uint(v) }) }

// Word writes a word.
func (m *MetaWriter) Word(key, v string) { m.put(key, func(r *Record) { r.Texts(v) }) }

// Yes writes 1 or 0.
func (m *MetaWriter) Yes(key string, v bool) { m.put(key, func(r *Record) { r.Flag(v) }) }
