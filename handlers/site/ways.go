package site

import "proflens/views/page"

// Way is a value of a parameter that users choose among.
type Way struct{ Value, Label, Title string }

// Ways choose among the values of a parameter; an address without it has the usual one.
func (a Address) Ways(key, usual, current string, ways []Way) []page.Segment {
	var list []page.Segment
	for _, w := range ways {
		to := a.Without(key)
		if w.Value != usual {
			to = to.With(key, w.Value)
		}
		list = append(list, page.Segment{Label: w.Label, Title: w.Title, URL: to.String(), Current: w.Value == current})
	}
	return list
}
