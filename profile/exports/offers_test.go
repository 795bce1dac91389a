package exports_test

import (
	"bytes"
	"errors"
	"net/url"
	"testing"

	"github.com/google/go-cmp/cmp"

	"proflens/decode"
	"proflens/decode/format"
	"proflens/decode/model"
	"proflens/profile/exports"
	"proflens/profile/profiletest"
)

// Each profile is offered what suits it, and whatever is offered can be had.
func TestOffered(t *testing.T) {
	for what, test := range profiles {
		t.Run(what, func(t *testing.T) {
			p := profile(t, test.paths...)
			db := profiletest.Store(t, p)
			got := map[string][]string{}
			for i := range exports.All {
				e := &exports.All[i]
				offers, err := e.Offered(p.Info.Families, db)
				if err != nil {
					t.Fatal(e.Name, err)
				}
				for _, offer := range offers {
					got[e.Name] = append(got[e.Name], offer.Label)
					if offer.For == "" {
						t.Errorf("%s, %s: for what?", e.Name, offer.Label)
					}
					query, err := url.ParseQuery(offer.Query)
					if err != nil {
						t.Fatal(e.Name, err)
					}
					o := exports.Options{}
					for name := range query {
						if o[name] = query.Get(name); !e.Takes(name) {
							t.Errorf("%s, %s: %s does not take %s", e.Name, offer.Label, e.Name, name)
						}
					}
					var b bytes.Buffer
					if e.Of != "" {
						err = e.WriteTables(t.Context(), &b, db, t.TempDir(), o)
					} else if plan, fault := e.Plan(p, o); fault != nil {
						err = fault
					} else if plan.Nothing != "" {
						t.Errorf("%s, %s: nothing is offered: %s", e.Name, offer.Label, plan.Nothing)
					} else {
						_, err = plan.Write(&b)
					}
					if err != nil || b.Len() == 0 {
						t.Errorf("%s, %s is offered and cannot be had: %d bytes, %v", e.Name, offer.Label, b.Len(), err)
					}
				}
			}
			if diff := cmp.Diff(test.offered, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// The text form is offered of what has a byte in it: functions, or a header that says the kind.
func TestTextIsOfferedWhereThereIsAny(t *testing.T) {
	e, err := exports.Find("proftext")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"main\n1\n1\n1\n": 1, ":fe\n": 0, ":ir\n": 1, ":ir\nmain\n1\n1\n1\n": 1} {
		p, err := decode.Open(t.Context(), []format.File{{Name: "a.proftext", Data: []byte(text)}}, format.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if offers, err := e.Offered(p.Info.Families, profiletest.Store(t, p)); err != nil || len(offers) != want {
			t.Errorf("%q is offered %d times as text, %v", text, len(offers), err)
		}
	}
	for size, kind := range map[uint64]model.Kind{0: model.KindUnrecognizedFormat, 5: model.KindIncompatible} {
		_, err := e.Plan(&format.Profile{Inputs: []format.Input{{}, {Size: size}}}, nil)
		if _, lacks := errors.AsType[*exports.LackError](err); model.KindOf(err) != kind || lacks != (size > 0) {
			t.Errorf("files of %d bytes: %v", size, err)
		}
	}
}

// What another family has is lacking, with a sentence of both; what the family
// has can fail for no other reason than that the profile lacks something.
func TestEveryExportOfEveryProfile(t *testing.T) {
	for what, test := range profiles {
		p := profile(t, test.paths...)
		for i := range exports.All {
			e := &exports.All[i]
			if e.Of != "" {
				continue
			}
			plan, err := e.Plan(p, exports.Options{})
			lack, lacks := errors.AsType[*exports.LackError](err)
			switch {
			case err == nil && (plan.Writes == nil) == (plan.Tells == nil):
				t.Errorf("%s as %s has nothing that writes it", what, e.Name)
			case err != nil && e.Name != "profdata" && !lacks:
				t.Errorf("%s as %s: %v is no lack", what, e.Name, err)
			case lacks && (lack.Fault.Msg == "" || lack.Fault.Kind == "" || lack.Unwrap() != error(lack.Fault)):
				t.Errorf("%s as %s: %+v", what, e.Name, lack.Fault)
			case err != nil && len(test.offered[e.Name]) > 0:
				t.Errorf("%s as %s is offered: %v", what, e.Name, err)
			}
		}
	}
}
