package tasks

import "io"

// lateWriter says what is known of a stream with its first byte, not before: an
// error until then is an answer of its own.
type lateWriter struct {
	begin func(Head) (io.Writer, error)
	head  Head
	to    io.Writer
}

func (w *lateWriter) start() (err error) {
	w.to, err = w.begin(w.head)
	return err
}

func (w *lateWriter) Write(p []byte) (int, error) {
	if w.to == nil {
		if err := w.start(); err != nil {
			return 0, err
		}
	}
	return w.to.Write(p)
}
