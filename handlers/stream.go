package handlers

import (
	"context"
	"io"
)

// contextWriter stops whoever writes when the request has ended.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

type countedWriter struct {
	w io.Writer
	n int64
}

func (c contextWriter) Write(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

func (c *countedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
