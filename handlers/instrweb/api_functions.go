package instrweb

import (
	"context"

	"proflens/handlers/lists"
	"proflens/profile/instrdb"
	"proflens/profile/table"
	"proflens/profile/tables"
)

// openFunctions is the function records that a query selects.
func openFunctions(ctx context.Context, records *instrdb.Profile, p FunctionParams, o table.Options,
	whole bool) (table.Table, error) {
	return tables.Functions(ctx, records, p.Query, o, whole)
}

// openOrder is each function of the temporal traces once, in their order.
func openOrder(ctx context.Context, records *instrdb.Profile, p lists.Params, o table.Options,
	_ bool) (table.Table, error) {
	find, err := records.FindPlaced(ctx)
	return instrdb.Order.Open(find, table.Query{RowQuery: p.Query}, o, true), err
}
