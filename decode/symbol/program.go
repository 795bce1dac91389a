package symbol

import (
	"fmt"

	"proflens/decode/wire"
)

// IsProgram reports whether data begin like a program that [OpenProgram] reads.
func IsProgram(data []byte) bool { return IsELF(data) || IsMachO(data) || IsPE(data) }

// OpenProgram opens a program of any format: one image, or one for each
// architecture of a fat Mach-O file. Errors are
// those of [Open], [OpenMachO] and [OpenPE].
func OpenProgram(name string, data []byte, rec *wire.Recorder) ([]*Image, error) {
	if IsPE(data) {
		image, err := OpenPE(name, data, rec)
		return []*Image{image}, err
	}
	if !IsMachO(data) {
		image, err := Open(name, data, rec)
		return []*Image{image}, err
	}
	list, err := OpenMachO(name, data, rec)
	if err != nil {
		return nil, err
	}
	var images []*Image
	for _, m := range list {
		image, err := m.Image(data)
		if err != nil {
			return nil, err
		}
		if len(list) > 1 {
			image.Architecture = m.Architecture()
		}
		images = append(images, image)
	}
	return images, nil
}

// Title is the name of the file, with the architecture when it has several:
// "app (arm64)".
func (i *Image) Title() string {
	if i.Architecture == "" {
		return i.Name
	}
	return fmt.Sprintf("%s (%s)", i.Name, i.Architecture)
}
