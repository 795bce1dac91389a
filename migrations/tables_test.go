package migrations

import (
	"slices"
	"strings"
	"testing"
)

// What the manual says of tables is what their SQL says.
func TestTables(t *testing.T) {
	list := Tables("common")
	if list[0].Name != "meta" || list[0].About != "Facts about the whole profile." ||
		!slices.Equal(list[0].Columns, []Column{
			{"key", "schema, file_id, describe, format, …: one row each; part, family, flag and partial have a row for each " +
				"value"},
			{"value", "TEXT, INTEGER (u64 as int64) or BLOB"},
		}) {
		t.Errorf("%+v", list[0])
	}
	of := map[string]Table{}
	for _, t := range Tables("instr") {
		of[t.Name] = t
	}
	if at := of["counter"].Columns; len(at) != 3 || at[0] != (Column{"function", "function.id"}) {
		t.Errorf("an export's rows: %+v", at)
	}
	if at := of["function_file"].Columns; len(at) != 2 || at[1] != (Column{"name", "as recorded: TEXT or BLOB"}) {
		t.Errorf("a column without a type: %+v", at)
	}
	view := of["vtable_view"]
	if want := []Column{
		{Name: "name_ref"}, {Name: "name"}, {Name: "ranges"}, {Name: "address"}, {Name: "size"}, {Name: "sites"},
		{Name: "functions"}, {Name: "calls"},
	}; !view.View || !slices.Equal(view.Columns, want) {
		t.Errorf("%+v", view)
	}
	title, says := About("dcpi")
	if want := "Samples of addresses, by image, event, epoch and host.\n\nAddresses are u64"; title != "DCPI" ||
		!strings.HasPrefix(says, want) {
		t.Errorf("%q: %q", title, says)
	}
	if got := Indexes("dcpi"); !slices.Contains(got, "sample(profile)") {
		t.Errorf("indexes %q", got)
	}
}
