package site

import (
	"context"
	"io"
)

// ContextWriter stops whoever writes when the request has ended.
type ContextWriter struct {
	Context context.Context
	Writer  io.Writer
}

type CountedWriter struct {
	Writer io.Writer
	N      int64
}

func (c ContextWriter) Write(p []byte) (int, error) {
	if err := c.Context.Err(); err != nil {
		return 0, err
	}
	return c.Writer.Write(p)
}

func (c *CountedWriter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.N += int64(n)
	return n, err
}
