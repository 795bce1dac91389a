package memprofview

import "proflens/profile/memprofdb"

// differing is, by row, the first caller that tells it from the rows that would read like it; nil where
// none does, or where nothing reads like it.
func differing(rows []memprofdb.Row) []*memprofdb.Frame {
	frames, alike := make([]*memprofdb.Frame, len(rows)), map[[3]any][]int{}
	for i := range rows {
		if r := &rows[i]; len(r.Stack) > 0 {
			key := [3]any{shown(r.Stack[r.Own]), r.Stack[0].Function, r.User}
			alike[key] = append(alike[key], i)
		}
	}
	for _, group := range alike {
		differ(rows, group, 1, frames)
	}
	return frames
}

// differ notes the frames by which a group differs, from so many callers above the blame frame on.
func differ(rows []memprofdb.Row, group []int, above int, frames []*memprofdb.Frame) {
	by := map[memprofdb.Frame][]int{}
	for _, i := range group {
		if at := rows[i].Own + above; len(group) > 1 && at < len(rows[i].Stack) {
			frame := shown(rows[i].Stack[at])
			by[frame] = append(by[frame], i)
		}
	}
	for frame, some := range by {
		if len(some) < len(group) {
			for _, i := range some {
				frames[i] = &frame
			}
		}
		differ(rows, some, above+1, frames)
	}
}

// shown is a frame without what a row does not say of it.
func shown(f memprofdb.Frame) memprofdb.Frame {
	f.Discriminator, f.Inline = 0, false
	return f
}
