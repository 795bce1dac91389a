package picture

import (
	"bytes"
	"compress/zlib"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"sync"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
)

// The faces of the pages, in the older packing that needs no more than zlib.
//
//go:embed fonts/*.woff
var fonts embed.FS

var (
	regular = sync.OnceValue(func() *sfnt.Font { return mustLoad("fonts/ibm-plex-sans-latin-400-normal.woff") })
	bold    = sync.OnceValue(func() *sfnt.Font { return mustLoad("fonts/ibm-plex-sans-latin-600-normal.woff") })
)

// mustLoad reads a font of the program itself.
func mustLoad(name string) *sfnt.Font {
	data, err := fonts.ReadFile(name)
	if err == nil {
		data, err = unpackWOFF(data)
	}
	var f *sfnt.Font
	if err == nil {
		f, err = opentype.Parse(data)
	}
	if err != nil {
		panic(fmt.Errorf("%s: %w", name, err))
	}
	return f
}

// faceOf is a font in a size, for one goroutine.
func faceOf(f *sfnt.Font, size float64) font.Face {
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingNone})
	if err != nil {
		panic(err) // never: NewFace has nothing that can fail
	}
	return face
}

// unpackWOFF makes the OpenType font of a WOFF 1.0 file: a header of 44 bytes, and 20
// for each table.
func unpackWOFF(woff []byte) ([]byte, error) {
	order := binary.BigEndian
	if len(woff) < 44 || string(woff[:4]) != "wOFF" {
		return nil, fmt.Errorf("no WOFF")
	}
	tables := int(order.Uint16(woff[12:]))
	head := 12 + 16*tables
	out := append([]byte(nil), woff[4:8]...)
	out = order.AppendUint16(out, uint16(tables))
	out = append(out, make([]byte, head-len(out))...) // the search fields stay 0: nobody reads them
	for i := range tables {
		entry := woff[44+20*i:]
		offset, packed, size := order.Uint32(entry[4:]), order.Uint32(entry[8:]), order.Uint32(entry[12:])
		table := woff[offset : offset+packed]
		if packed < size {
			z, err := zlib.NewReader(bytes.NewReader(table))
			if err != nil {
				return nil, err
			}
			if table, err = io.ReadAll(z); err != nil {
				return nil, err
			}
		}
		to := out[12+16*i:]
		copy(to, entry[:4])
		copy(to[4:], entry[16:20])
		order.PutUint32(to[8:], uint32(len(out)))
		order.PutUint32(to[12:], size)
		out = append(out, table...)
		out = append(out, make([]byte, -len(out)&3)...)
	}
	return out, nil
}
