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
// joins the profiles that left their records in it, or stays alone, last. The
// raw files of a machine IR profile are one with the map that they fit, or the
// program that has it, and with each other; each .mip stays alone, since it may
// hold those runs already. All files of DCPI are one database, which executables
// and listings of nm join.
func Group(files []Recognised) [][]int {
	var groups [][]int
	byProgram := map[string]int{}
	var programs []int
	raw := -1 // the first group of raw files
	var empties []int
	database := -1 // the group of all files of DCPI
	var listings []int
	mapped := map[string]bool{} // programs whose group has a map
	for i, f := range files {
		if f.isMIPPart() {
			g, ok := byProgram[f.ProgramKey]
			isMap := f.Format != model.MIPRaw
			switch {
			case ok && !(isMap && mapped[f.ProgramKey]):
				groups[g] = append(groups[g], i)
				mapped[f.ProgramKey] = mapped[f.ProgramKey] || isMap
				continue
			case !ok:
				byProgram[f.ProgramKey], mapped[f.ProgramKey] = len(groups), isMap
			}
			groups = append(groups, []int{i})
			continue
		}
		if f.isDCPI() && database >= 0 {
			groups[database] = append(groups[database], i)
			continue
		}
		if f.isDCPI() {
			database = len(groups)
		}
		if f.Format == model.NMListing {
			listings = append(listings, i)
			continue
		}
		isRaw := f.Err == nil && (f.Format == model.LLVMRaw || f.Format == model.MemProfRaw)
		if isRaw && f.Empty {
			empties = append(empties, i)
			continue
		}
		if f.Executable || f.Image != nil && slices.ContainsFunc(files, f.wants) {
			programs = append(programs, i)
			continue
		}
		if g, ok := byProgram[f.ProgramKey]; ok && isRaw && f.ProgramKey != "" {
			groups[g] = append(groups[g], i)
			continue
		}
		if isRaw {
			byProgram[f.ProgramKey] = len(groups)
			if raw < 0 && f.Format == model.LLVMRaw {
				raw = len(groups)
			}
		}
		groups = append(groups, []int{i})
	}
	isSplit := func(i int) int {
		if image := files[i].Image; image != nil && image.Split {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(programs, func(a, b int) int { return isSplit(a) - isSplit(b) }) // which join their programs
	for _, i := range programs {
		if database >= 0 && !slices.ContainsFunc(files, func(f Recognised) bool { return f.needs(&files[i]) }) {
			listings = append(listings, i)
			continue
		}
		groups = joinProgram(groups, i, files)
	}
	for _, i := range listings {
		if database < 0 {
			groups = append(groups, []int{i})
			continue
		}
		groups[database] = append(groups[database], i)
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

// isDCPI reports whether a file is part of a DCPI database.
func (r *Recognised) isDCPI() bool {
	return r.Err == nil && (r.Format == model.DCPISamples || r.Format == model.DCPICat)
}

// isMIPPart reports whether a file is a map or the run of one.
func (r *Recognised) isMIPPart() bool {
	return r.Err == nil && r.ProgramKey != "" && r.Families[0] == model.MIPFam && r.Format != model.MIPProfile
}

// joinProgram puts executable i into the first group that needs it and has
// none, or into a group of its own. Other groups with its build id are of the
// same program, and join too.
func joinProgram(groups [][]int, i int, files []Recognised) [][]int {
	if image := files[i].Image; image != nil && image.Split {
		return joinSplit(groups, i, files)
	}
	home := -1
	for g := 0; g < len(groups); g++ {
		first := &files[groups[g][0]]
		switch {
		case !first.needs(&files[i]):
		case home < 0 && (first.Heap != nil || !hasProgram(groups[g], files)):
			home = g
		case home >= 0 && (first.Heap != nil && first.Heap.Version >= 3 || first.Program.Same(files[i].Program)):
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

// joinSplit puts split debug info to the program that left it out, or where
// that cannot be told to the first raw heap profile.
func joinSplit(groups [][]int, i int, files []Recognised) [][]int {
	home := slices.IndexFunc(groups, func(group []int) bool {
		return slices.ContainsFunc(group, func(n int) bool { return files[n].Image != nil && files[n].Image.LeftOut(files[i].Image) })
	})
	if home < 0 {
		home = slices.IndexFunc(groups, func(group []int) bool { return files[group[0]].Heap != nil })
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

// needs reports whether a profile has something left in an executable: its
// records, or the functions of its addresses.
func (r *Recognised) needs(exe *Recognised) bool {
	if r.Heap != nil {
		return exe.Image != nil && (exe.Image.Split || r.Heap.Fits(exe.Image))
	}
	return r.Correlated && r.Program.Fits(exe.Program)
}

// wants reports whether an executable has what a raw heap profile needs.
func (r *Recognised) wants(f Recognised) bool { return f.Heap != nil && f.needs(r) }
