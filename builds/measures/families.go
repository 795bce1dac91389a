package measures

// Families are those whose profiles are measured, in the order in which a name without a
// family is looked for.
var Families = named([]Family{
	instr,
	coverage,
	sample,
	memprof,
	mip,
	dcpi,
})

// named fills in whose the measures are.
func named(families []Family) []Family {
	for i := range families {
		if families[i].Figures != nil {
			families[i].Measures = append(measured(&families[i]), families[i].Measures...)
		}
		for j := range families[i].Measures {
			families[i].Measures[j].Family = families[i].Name
		}
	}
	return families
}
