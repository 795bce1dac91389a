package decode

import (
	"bytes"
	"cmp"

	"proflens/decode/format"
	"proflens/decode/llvm"
	"proflens/decode/model"
)

// Is is what becomes of a file that is given for a profile.
type Is string

// What may become of a file.
const (
	IsProfile   Is = "profile"
	IsCompanion Is = "companion" // it is no profile, and may stand beside one
	IsForeign   Is = "foreign"   // it is of a kind that is known and not read
	IsUnread    Is = "unread"    // it is a profile of a kind that is not read
	IsUnknown   Is = "unknown"
	IsEmpty     Is = "empty"
)

// IsOf says in a word what becomes of a file.
func IsOf(r *format.Recognised) Is {
	switch {
	case r.Empty:
		return IsEmpty
	case r.Err == nil:
		return IsProfile
	case r.Companion != nil:
		return IsCompanion
	case !r.Foreign():
		return IsUnread
	case r.Describe == format.UnknownWord:
		return IsUnknown
	}
	return IsForeign
}

// Doubt is why a file of this name may not become a profile: it is none, its header has a
// fault, or what it is was guessed; nil where there is no doubt.
func Doubt(name string, r *format.Recognised) *model.Finding {
	err := cmp.Or(r.Err, r.Fault)
	switch {
	case r.Empty:
		err = model.Faultf(model.KindEmpty, "the file is empty")
	case r.Else != nil:
		err = r.Else.Err
	case err == nil:
		return nil
	case r.Format != nil:
		err = r.Format.InFile(name, err)
	}
	return new(format.FindingOf(name, err))
}

// HeadBytes is as much of a file as is asked about before it is here.
const HeadBytes = 4 << 10

// Head is the beginning of a file that is not here yet, or all of a short one.
type Head struct {
	Name  string `json:"name"`
	Size  uint64 `json:"size" doc:"Size of the whole file in bytes."`
	Bytes []byte `json:"bytes" doc:"The first 4096 bytes in base64, or all of a shorter file."`
}

// Valid reports whether there is as much of the file as its size says.
func (h *Head) Valid() bool { return uint64(len(h.Bytes)) == min(h.Size, HeadBytes) }

// Recognise tells what the file is: what [Recognise] says of all of it, or less. What
// the head does not reach is no fault.
func (h *Head) Recognise() format.Recognised {
	data := h.Bytes
	if h.Size <= uint64(len(data)) {
		return Recognise(h.Name, data)
	}
	if end := bytes.LastIndexByte(data, '\n') + 1; end > 0 && bytes.IndexByte(data, 0) < 0 {
		data = data[:end] // the last line of a text is not whole
	}
	r := llvm.RecogniseHead(Recognise(h.Name, data), h.Name, data, h.Size)
	if model.KindOf(r.Fault) == model.KindTruncated {
		r.Fault = nil
	}
	return r
}
