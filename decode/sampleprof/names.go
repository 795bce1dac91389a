package sampleprof

import (
	"cmp"
	"crypto/md5"
	"encoding/binary"
	"strconv"
	"strings"
)

// Name is what a function, or a type, is called: by its linkage name or, where only the
// hash of that was kept, by that.
type Name struct {
	Text string
	MD5  uint64 // 0 where Text is the name
}

// String is the name, or the hash in decimal.
func (n Name) String() string {
	if n.MD5 != 0 {
		return strconv.FormatUint(n.MD5, 10)
	}
	return n.Text
}

// GUID is the hash by which names with and without text are the same.
func (n Name) GUID() uint64 {
	if hash, ok := n.Hashed(); ok {
		return hash
	}
	return Hash(n.Text)
}

// Hashed is the hash of a name of which only that is known: also one that was written
// as text, as digits and nothing else.
func (n Name) Hashed() (uint64, bool) {
	if n.MD5 != 0 {
		return n.MD5, true
	}
	if n.Text == "" || n.Text[0] == '0' || strings.Trim(n.Text, "0123456789") != "" {
		return 0, false
	}
	hash, err := strconv.ParseUint(n.Text, 10, 64)
	return hash, err == nil
}

// Hash is the number by which profiles without names call a function: the first eight
// bytes of the MD5 of its name.
func Hash(name string) uint64 {
	sum := md5.Sum([]byte(name))
	return binary.LittleEndian.Uint64(sum[:])
}

// Compare orders names as today's tools do: hashes first, as numbers, then text by its
// bytes.
func (n Name) Compare(m Name) int {
	switch {
	case n.MD5 != 0 && m.MD5 != 0:
		return cmp.Compare(n.MD5, m.MD5)
	case n.MD5 != 0:
		return -1
	case m.MD5 != 0:
		return 1
	}
	return strings.Compare(n.Text, m.Text)
}

// Name is the text of a name.
func (p *Profile) Name(id NameID) string { return p.Names[id].String() }

// compareNames orders names as the tools do that read the file.
func (p *Profile) compareNames(a, b NameID) int {
	switch {
	case a == b:
		return 0
	case p.Reader != 0:
		return strings.Compare(p.Name(a), p.Name(b))
	}
	return p.Names[a].Compare(p.Names[b])
}

// table gives each name its number.
type table struct {
	p  *Profile
	at map[Name]NameID
}

func newTable(p *Profile) *table { return &table{p, map[Name]NameID{}} }

// id is the number of a name, which may be a new one.
func (t *table) id(n Name) NameID {
	if id, ok := t.at[n]; ok {
		return id
	}
	id := NameID(len(t.p.Names))
	t.p.Names = append(t.p.Names, n)
	t.at[n] = id
	return id
}

// text is id for the bytes of a name; only a new one is copied.
func (t *table) text(b []byte) NameID {
	if id, ok := t.at[Name{Text: string(b)}]; ok {
		return id
	}
	return t.id(Name{Text: string(b)})
}
