package confine

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
)

// A frame is a kind, the length of its content in four bytes, and the content.
type kind byte

// What a child is sent and what it sends.
const (
	frameTask     kind = 't' // to the child: an order
	frameReady    kind = 'r' // limits are set; the next frame is a task's
	frameProgress kind = 'p' // work.Progress
	frameHead     kind = 'h' // work.Head
	frameData     kind = 'd' // bytes of the stream
	frameAnswer   kind = 'a' // the task is done: its answer
	frameFault    kind = 'f' // it has failed: work.Fault
)

// maxFrame bounds what is read of a child: an answer is a layout, at most.
const maxFrame = 64 << 20

// order is a task on its way.
type order struct {
	Name   string // as work.Parse takes it
	Fields json.RawMessage
}

func writeFrame(w io.Writer, k kind, content []byte) error {
	if len(content) > maxFrame {
		return fmt.Errorf("an answer of %d bytes; at most %d are sent", len(content), maxFrame)
	}
	head := binary.LittleEndian.AppendUint32([]byte{byte(k)}, uint32(len(content)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(content)
	return err
}

func writeJSON(w io.Writer, k kind, v any) error {
	content, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFrame(w, k, content)
}

// readFrame reads a frame into buffer, which it grows as needed.
func readFrame(r io.Reader, buffer []byte) (kind, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, buffer, err
	}
	n := int(binary.LittleEndian.Uint32(head[1:]))
	if n > maxFrame {
		return 0, buffer, fmt.Errorf("a frame of %d bytes; expected at most %d", n, maxFrame)
	}
	if cap(buffer) < n {
		buffer = make([]byte, n)
	}
	_, err := io.ReadFull(r, buffer[:n])
	return kind(head[0]), buffer[:n], err
}
