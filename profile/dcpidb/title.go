package dcpidb

import (
	"fmt"
	"slices"
	"strings"

	"proflens/decode/dcpi"
	"proflens/decode/model"
)

// What a title says of each thing at most.
const (
	titleWord  = 60 // bytes
	titleHosts = 2
)

// title names a database by what is known of it: the program with the most samples, the
// hosts, and from when to when.
func title(d *dcpi.Database) string {
	samples := make([]uint64, len(d.Images))
	var hosts, days []string
	for p := range d.Profiles() {
		samples[p.ImageIndex] += p.Samples
		hosts, days = append(hosts, p.Platform), append(days, dayOf(p.Start))
	}
	if len(samples) == 0 || len(hosts) == 0 {
		return ""
	}
	most := 0
	for i := range samples {
		if samples[i] > samples[most] {
			most = i
		}
	}
	text := short(d.Images[most].Label)
	switch more := len(d.Images) - 1; {
	case more > 1:
		text += " and " + model.Amount(more, "more image", "more images")
	case more == 1:
		text += " and another image"
	}
	slices.Sort(hosts)
	if hosts = slices.Compact(hosts); len(hosts) > titleHosts {
		text += fmt.Sprintf(" on %d hosts", len(hosts))
	} else {
		for i := range hosts {
			hosts[i] = short(hosts[i])
		}
		text += " on " + strings.Join(hosts, " and ")
	}
	slices.Sort(days)
	text += ", " + days[0]
	if last := days[len(days)-1]; last != days[0] {
		text += " to " + last
	}
	return text
}

// short cuts a word that a title cannot hold.
func short(word string) string {
	if len(word) <= titleWord {
		return word
	}
	return strings.ToValidUTF8(word[:titleWord], "") + "…"
}

// dayOf is the day of a time in RFC 3339.
func dayOf(start string) string {
	day, _, _ := strings.Cut(start, "T")
	return day
}
