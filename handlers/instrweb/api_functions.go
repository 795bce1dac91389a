package instrweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/profile/instrdb"
	"proflens/profile/table"
)

// openFunctions is the function records that a query selects.
func openFunctions(_ context.Context, records *instrdb.Profile, p FunctionParams, o table.Options,
	whole bool) (table.Table, error) {
	return p.Query.Table().Open(records.FindFunctions(p.Query), table.Query{}, o, whole), nil
}

// openOrder is each function of the temporal traces once, in their order.
func openOrder(ctx context.Context, records *instrdb.Profile, p lists.Params, o table.Options,
	_ bool) (table.Table, error) {
	find, err := records.FindPlaced(ctx)
	return instrdb.Order.Open(find, table.Query{RowQuery: p.Query}, o, true), err
}
