package decode

import "proflens/decode/model"

// Group sorts files into profiles by their content: the indices of the files
// that form one profile each, groups and members in the order given. Raw
// profiles of one program are one; indexed and text files are one each; a file
// that cannot be read stays alone, so that its fault is its own. An empty file
// joins the first raw group, where it adds nothing, or stays alone.
func Group(files []Recognised) [][]int {
	var groups [][]int
	byProgram := map[string]int{}
	raw := -1 // the first group of raw files
	var empties []int
	for i, f := range files {
		isRaw := f.Err == nil && f.Format == model.LLVMRaw
		if isRaw && f.Empty {
			empties = append(empties, i)
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
	for _, i := range empties {
		if raw < 0 {
			groups = append(groups, []int{i})
			continue
		}
		groups[raw] = append(groups[raw], i)
	}
	return groups
}
