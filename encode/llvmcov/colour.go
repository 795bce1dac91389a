package llvmcov

// colour is a terminal's escape that begins one.
type colour string

// The colours that llvm-cov uses.
const (
	red     colour = "\x1b[0;31m"
	green   colour = "\x1b[0;32m"
	yellow  colour = "\x1b[0;33m"
	magenta colour = "\x1b[0;35m"
	cyan    colour = "\x1b[0;36m"
	onRed   colour = "\x1b[0;41m"
	onCyan  colour = "\x1b[0;46m"
	plain   colour = "\x1b[0m"
)

// coloured runs write in a colour; none is "".
func (o *output) coloured(c colour, write func()) {
	if c == "" {
		write()
		return
	}
	o.text(string(c))
	write()
	o.text(string(plain))
}

// tint is text in a colour; none is "".
func (o *output) tint(c colour, s string) { o.coloured(c, func() { o.text(s) }) }

// when is a colour that is used only if something holds.
func when(is bool, c colour) colour {
	if is {
		return c
	}
	return ""
}
