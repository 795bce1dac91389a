package chart

import "testing"

func TestIcicle(t *testing.T) {
	if NewIcicle(IcicleNode{}) != nil {
		t.Error("a tree without weight is drawn")
	}
	root := IcicleNode{Label: "all", Weight: 1000, Part: 0.5, Children: []IcicleNode{
		{Label: "half", Weight: 500, Part: 1, Children: []IcicleNode{{Label: "quarter", Weight: 250}}},
		{Label: "narrow", Weight: 10},
		{Label: "sliver", Weight: 1}, {Label: "sliver", Weight: 0.5}, {Weight: 0},
	}}
	i := NewIcicle(root)
	if len(i.Frames) != 5 || i.Height != "77" {
		t.Fatalf("%d frames, %s px: %+v", len(i.Frames), i.Height, i.Frames)
	}
	want := []IcicleFrame{
		{X: "0%", Width: "100%", Y: "0", Height: "25", Cover: i.Frames[0].Cover, Label: "all"},
		{X: "0%", Width: "50%", Y: "26", Height: "25", Cover: NewCover(1), Label: "half"},
		{X: "0%", Width: "25%", Y: "52", Height: "25", Cover: NewCover(0), Label: "quarter"},
		{X: "50%", Width: "1%", Y: "26", Height: "25", Cover: NewCover(0)},
		{X: "51%", Width: "0.15%", Y: "26", Height: "25", Rest: true, Title: i.Frames[4].Title},
	}
	for n := range want {
		if i.Frames[n] != want[n] {
			t.Errorf("frame %d is %+v, want %+v", n, i.Frames[n], want[n])
		}
	}
}

func TestPartStep(t *testing.T) {
	for part, want := range map[float64]int{-1: 0, 0: 0, 0.001: 1, 0.5: 4, 0.999: 7, 1: 8, 2: 8} {
		if got := PartStep(part); got != want {
			t.Errorf("%v: %d, want %d", part, got, want)
		}
	}
}

// What is not all never looks like all, and what is something never like nothing.
func TestCover(t *testing.T) {
	for part, want := range map[float64]Cover{
		0: {"0", "○", "not covered"}, 1: {"100", "●", "covered"}, 0.5: {"50", "◐", "partly covered"},
		0.0001: {"2", "◐", "partly covered"}, 0.9999: {"98", "◐", "partly covered"},
	} {
		if got := NewCover(part); got != want {
			t.Errorf("%v is %+v, want %+v", part, got, want)
		}
	}
}
