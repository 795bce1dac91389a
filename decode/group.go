package decode

import (
	"slices"

	"proflens/decode/model"
)

// Group sorts files into profiles by their content: the indices of the files
// that form one profile each, groups and members in the order given. Raw
// profiles of one program are one; indexed and text files are one each; a file
// that cannot be read stays alone, so that its fault is its own. An empty file
// joins the first raw group, where it adds nothing, or stays alone. An executable
// joins the profiles that left their records in it, or stays alone, last.
func Group(files []Recognised) [][]int {
	var groups [][]int
	byProgram := map[string]int{}
	var programs []int
	raw := -1 // the first group of raw files
	var empties []int
	for i, f := range files {
		isRaw := f.Err == nil && f.Format == model.LLVMRaw
		if isRaw && f.Empty {
			empties = append(empties, i)
			continue
		}
		if f.Executable {
			programs = append(programs, i)
			continue
		}
		if g, ok := byProgram[f.ProgramKey]; ok && isRaw && f.ProgramKey != "" {
			groups[g] = append(groups[g], i)
			continue
		}
		if isRaw {
			byProgram[f.ProgramKey] = len(groups)
			if raw < 0 {
				raw = len(groups)
			}
		}
		groups = append(groups, []int{i})
	}
	for _, i := range programs {
		groups = joinProgram(groups, i, files)
	}
	for _, i := range empties {
		if raw < 0 {
			groups = append(groups, []int{i})
			continue
		}
		groups[raw] = append(groups[raw], i)
	}
	return groups
}

// joinProgram puts executable i into the first group that needs it and has
// none, or into a group of its own. Other groups with its build id are of the
// same program, and join too.
func joinProgram(groups [][]int, i int, files []Recognised) [][]int {
	home := -1
	for g := 0; g < len(groups); g++ {
		first := files[groups[g][0]]
		switch {
		case !first.Correlated || !first.Program.Fits(files[i].Program):
		case home < 0 && !hasProgram(groups[g], files):
			home = g
		case home >= 0 && first.Program.Same(files[i].Program):
			groups[home] = append(groups[home], groups[g]...)
			groups = slices.Delete(groups, g, g+1)
			g--
		}
	}
	if home < 0 {
		return append(groups, []int{i})
	}
	groups[home] = append(groups[home], i)
	return groups
}

func hasProgram(group []int, files []Recognised) bool {
	return slices.ContainsFunc(group, func(i int) bool { return files[i].Executable })
}
