package page

import "testing"

func TestTabGroups(t *testing.T) {
	list := []Tab{
		{Label: "Overview", Current: true}, {Label: "Files", Group: "Coverage"}, {Label: "Changed", Group: "Coverage"},
		{Label: "Functions", Group: "Counts"}, {Label: "Raw", Group: "File"}, {Label: "Downloads", Apart: true},
	}
	groups, open := TabGroups(list)
	if len(groups) != 5 || len(groups[1]) != 2 || open != "Coverage" {
		t.Errorf("%v, open %q", groups, open)
	}
	list[0].Current, list[3].Current = false, true
	if _, open := TabGroups(list); open != "Counts" {
		t.Errorf("the group of the current tab is not open but %q", open)
	}
	if _, open := TabGroups(list[3:]); open != "Counts" {
		t.Errorf("open is %q", open)
	}
	if _, open := TabGroups(list[4:]); open != "" {
		t.Errorf("the only group is open: %q", open)
	}
	if groups, open := TabGroups(nil); groups != nil || open != "" {
		t.Errorf("%v, open %q", groups, open)
	}
}
