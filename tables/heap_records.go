package tables

func textOrNull(s string) Cell {
	if s == "" {
		return Null
	}
	return Text(s)
}
