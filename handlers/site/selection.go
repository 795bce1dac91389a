package site

import "proflens/views/page"

// selKey is the parameter of pages that a row of a table is selected by: the inspector
// shows it.
const selKey = "sel"

// Unselected is the address without the selection.
func (a Address) Unselected() Address { return a.Without(selKey) }

// Selected is the address with a row selected, and whether it is by now.
func (a Address) Selected(id string) page.Selected {
	return page.Selected{Select: a.With(selKey, id).String(), Selected: a.Query.Get(selKey) == id}
}

// Inspector is that of a row that is not on the page, to be filled in where it is; nil
// where none is selected.
func (a Address) Inspector(noun string) *page.Inspector {
	if !a.Query.Has(selKey) {
		return nil
	}
	return &page.Inspector{
		Label: "Selected " + noun, Close: a.Unselected().String(), Missing: "The selected " + noun + " is not in these rows.",
	}
}
