package page

// Preview is what a shared link shows before it is opened.
type Preview struct {
	URL, Image string // whole addresses, of the page and of its picture
	Title      string // without the view, where it is the first one
	Says       string // what it is, with its main figures
	Seen       string // what the picture shows, for who cannot see it
}
