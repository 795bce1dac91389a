package page

// Login is the page that takes a token of the server.
type Login struct {
	Next     string // path to go on to
	Private  bool   // nothing is shown without a token
	LoggedIn bool   // the browser keeps a token, which may have ended
	Wrong    string // what was wrong with the token that was given; empty at first
}
