package humanize

import "time"

// Moment is a time as a page shows it: how long ago in Text, the exact time in
// UTC for the title and for machines.
type Moment struct {
	Text    string
	Exact   string // "20 Nov 2026 22:40:31 UTC"
	Machine string // RFC 3339
}

// Ago writes a time of the past as seen from now.
func Ago(at, now time.Time) Moment {
	m := Exactly(at)
	switch d := now.Sub(at); {
	case d < time.Minute:
		m.Text = "just now"
	case d < time.Hour:
		m.Text = Int(int(d.Minutes())) + NumberSpace + "min ago"
	case d < 24*time.Hour:
		m.Text = Int(int(d.Hours())) + NumberSpace + "h ago"
	case d < 7*24*time.Hour:
		m.Text = Int(int(d.Hours()/24)) + NumberSpace + "d ago"
	case at.UTC().Year() == now.UTC().Year():
		m.Text = at.UTC().Format("2 Jan")
	default:
		m.Text = at.UTC().Format("2 Jan 2006")
	}
	return m
}

// Exactly writes a time to the minute.
func Exactly(at time.Time) Moment {
	at = at.UTC()
	return Moment{
		Text:    at.Format("2 Jan 2006 15:04") + " UTC",
		Exact:   at.Format("2 Jan 2006 15:04:05") + " UTC",
		Machine: at.Format(time.RFC3339),
	}
}

// Span writes a length of time in the largest unit that fits: "30 days".
func Span(d time.Duration) string {
	switch {
	case d >= 48*time.Hour:
		return Plural(int(d.Round(24*time.Hour)/(24*time.Hour)), "day", "days")
	case d >= 2*time.Hour:
		return Plural(int(d.Round(time.Hour)/time.Hour), "hour", "hours")
	case d >= 2*time.Minute:
		return Plural(int(d.Round(time.Minute)/time.Minute), "minute", "minutes")
	}
	return Plural(int(d.Round(time.Second)/time.Second), "second", "seconds")
}
