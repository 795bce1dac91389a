package handlers

import (
	"io"
	"net/http"

	"proflens/handlers/site"
	"proflens/ingest/tasks"
)

// maxHeadBytes is enough for the heads of as many files as one request may have, in base64.
const maxHeadBytes = 8 << 20

const postRecogniseSays = `
	uploads recognise: Say what files are before you send them
	Looks at the first 4 KiB of up to 1000 files and keeps nothing. Once a file is uploaded, all of it may say more.
	<Recognise
	>200 Recognition
	>400 413`

// postRecognise is POST /recognise: what files are, by their first bytes.
func (s *server) postRecognise(w http.ResponseWriter, r *http.Request) error {
	if !s.uploads.Try() {
		w.Header().Set("Retry-After", "5")
		return site.ErrBusy
	}
	defer s.uploads.Give()
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxHeadBytes))
	if err != nil {
		return err
	}
	var t tasks.Recognise
	if err := site.StrictJSON(body, &t); err != nil {
		return &site.ParamError{Msg: "the body is not valid: " + err.Error() +
			`; send {"files":[{"name":"…","size":1,"bytes":"…"},…]}`}
	}
	if !t.Valid() {
		return &site.ParamError{Msg: "send the size and the first 4096 bytes of 1 to 1000 files, or all of a shorter one"}
	}
	answer, err := s.Originals.Recognise(r.Context(), &t)
	if err != nil {
		return err
	}
	return site.WriteJSON(w, answer)
}
