package page

// Class is a record's class with the sentence behind it. Word is empty where
// there is none, and then nothing is shown but the reason.
type Class struct {
	Word   string // hot, warm, cold, never, pseudo
	Reason string // for the title
}
