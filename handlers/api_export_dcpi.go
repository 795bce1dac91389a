package handlers

import (
	"bytes"
	"io"
	"net/http"

	"proflens/decode"
	"proflens/decode/model"
)

// dcpiExport writes a database of samples, which must be one that the format
// holds: one file, or several of one image, event and period.
func dcpiExport(write func(io.Writer, *model.DCPIDatabase) error) func(*values) prepare {
	return func(*values) prepare {
		return func(_ http.Header, src model.Source) (func(io.Writer) error, error) {
			p, ok := src.(*decode.Profile)
			if !ok || p.DCPI == nil {
				return nil, notHeld(&model.FormatError{Kind: model.KindIncompatible,
					Msg: "this export is of samples of DCPI, and the profile is " + src.Info().Describe()})
			}
			// Whether they can be added shows while they are written: a fault must
			// not cut an answer off.
			var b bytes.Buffer
			if err := write(&b, p.DCPI); err != nil {
				return nil, notHeld(err)
			}
			return func(w io.Writer) error {
				_, err := b.WriteTo(w)
				return err
			}, nil
		}
	}
}
