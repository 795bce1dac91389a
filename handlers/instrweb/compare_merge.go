package instrweb

import (
	"fmt"
	"net/http"

	"proflens/decode/instrprof"
	"proflens/say"
	"proflens/views/instrview"
)

// MergedName is what a sum is called that was given no name.
func MergedName(first string, profiles int) string {
	name := fmt.Sprintf("%.120s", first)
	if n := profiles - 1; n > 0 {
		name += fmt.Sprintf(" + %d more", n)
	}
	return name
}

// mergeModel is that form, or why the two cannot be merged.
func (s *room) mergeModel(r *http.Request, v *compareRequest) instrview.MergeForm {
	f := instrview.MergeForm{NeedsToken: s.AsksForToken(r), Name: MergedName(v.compared.base.Name, 2)}
	f.Inputs = []instrview.MergeInput{
		{Letter: "A", ID: v.compared.base.ID, Name: say.Printable(v.compared.base.Name)},
		{Letter: "B", ID: v.compared.test.ID, Name: say.Printable(v.compared.test.Name)},
	}
	if v.base.Info.Variant.Has(instrprof.IRProf) != v.test.Info.Variant.Has(instrprof.IRProf) {
		f.Refused = "Front-end and IR profiles cannot be merged: their counters count different things."
	}
	return f
}
