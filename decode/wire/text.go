package wire

// Text returns the next n bytes like Bytes and records them as they read: for
// headers that are text.
func (c *Cursor) Text(field string, n uint64) []byte {
	at := c.Offset()
	b := c.Bytes(field, n)
	if c.rec != nil && c.err == nil {
		c.rec.field(field, at, n, string(b[:min(len(b), maxText)]))
	}
	return b
}

// maxText is how many bytes of a text a recorder shows.
const maxText = 512

// Peek is what is left of the section, without moving past it.
func (c *Cursor) Peek() []byte { return c.data[c.pos:len(c.data):len(c.data)] }
