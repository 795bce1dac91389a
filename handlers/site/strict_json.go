package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// StrictJSON reads one object that has no other members than v.
func StrictJSON(body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("the body goes on after the JSON object")
	}
	return nil
}
