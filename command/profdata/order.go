package profdata

// order prints the functions of temporal traces so that they cause few page faults.
func (t *tool) order() error {
	return &fault{Msg: "order is not supported; use proflens export -f order"}
}
