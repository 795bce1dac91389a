package dcpidb

import (
	"fmt"
	"strings"
)

// ImageKey addresses an image: its id, and where several have that, also where
// the text starts.
func (o *Overview) ImageKey(i int) string {
	id := strings.ToLower(o.Images[i].ID)
	for n := range o.Images {
		if n != i && strings.EqualFold(o.Images[n].ID, id) {
			return fmt.Sprintf("%s@%x.%x", id, o.Images[i].TextStart, o.Images[i].TextSize)
		}
	}
	return id
}

// FindImages are the images of a key, an id or a label.
func (o *Overview) FindImages(word string) []int {
	var found []int
	for i := range o.Images {
		image := &o.Images[i]
		if image.Label == word || strings.EqualFold(image.ID, word) || strings.Contains(word, "@") && o.ImageKey(i) == word {
			found = append(found, i)
		}
	}
	return found
}

// FindEpoch is the start of an epoch that is given so, or as a header writes it.
func (o *Overview) FindEpoch(word string) (start string, ok bool) {
	for i := range o.Profiles {
		if f := &o.Profiles[i]; f.Epoch == word || f.EpochText == word {
			return f.Epoch, true
		}
	}
	return "", false
}
