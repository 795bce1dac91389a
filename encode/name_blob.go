package encode

import (
	"encoding/binary"

	"proflens/encode/deflate"
)

// nameBlob is names as LLVM compresses them into one blob (instrprof.md §2.5); there is none of no names.
func nameBlob[S string | []byte](names []S) []byte {
	if len(names) == 0 {
		return nil
	}
	var text []byte
	for i, name := range names {
		if i > 0 {
			text = append(text, 1)
		}
		text = append(text, name...)
	}
	packed := deflate.Zlib(text)
	b := binary.AppendUvarint(nil, uint64(len(text)))
	return append(binary.AppendUvarint(b, uint64(len(packed))), packed...)
}
