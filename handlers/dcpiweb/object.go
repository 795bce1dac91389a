package dcpiweb

import (
	"context"
	"slices"
	"strconv"

	"proflens/analyze"
	"proflens/handlers/site"
	"proflens/profiledb/dcpidb"
	"proflens/profiledb/stored"
)

// objectsSay is what the objects are.
const objectsSay = `
	=dcpiweb.dcpiObject DCPIFigures: Figures of a DCPI database.`

// dcpiObject is what the API says of a database of samples as a whole.
type dcpiObject struct {
	Samples    site.Exact    `json:"samples"`               // of all events
	Events     []eventObject `json:"events" is:"list ..64"` // cycles first
	MoreEvents int           `json:"more_events" doc:"Number of events missing from the list."`
	Images     int           `json:"images"`
	Procedures int           `json:"procedures" doc:"Known procedures."`
	Epochs     int           `json:"epochs"`
	FirstEpoch string        `json:"first_epoch"` // RFC 3339, UTC
	LastEpoch  string        `json:"last_epoch"`
	Platforms  int           `json:"platforms"`
	Profiles   int           `json:"profiles" doc:"One per event, image, epoch and host."`
	Addresses  site.Exact    `json:"addresses"`
}

// eventObject is an event that was counted. The periods are those of its
// profiles: events for each sample.
type eventObject struct {
	Event    string     `json:"event"`
	Samples  site.Exact `json:"samples"`
	Profiles int        `json:"profiles"`
	Periods  []uint64   `json:"periods" doc:"Events per sample, ascending."`
}

// maxDCPIEvents bounds the events of the object, and the periods of each.
const maxDCPIEvents = 64

// inProfile is what it adds to the object of a profile.
type inProfile struct {
	DCPI *dcpiObject `json:"dcpi" is:"!"`
}

func objectOf(_ context.Context, p *stored.Profile, quote bool) (any, error) {
	db, err := dcpidb.Of(p)
	if err != nil {
		return nil, err
	}
	return inProfile{newDCPIObject(db.Overview, quote)}, nil
}

func newDCPIObject(o *dcpidb.Overview, quote bool) *dcpiObject {
	exactSum := func(s analyze.Sum) site.Exact { return site.Exactly(quote)(s.String()) }
	d := &dcpiObject{
		Samples: exactSum(o.Samples), Events: []eventObject{}, Images: len(o.Images), Procedures: knownProcedures(o),
		Epochs: len(o.Epochs), Platforms: len(o.Platforms), Profiles: len(o.Profiles),
	}
	if len(o.Epochs) > 0 {
		d.FirstEpoch, d.LastEpoch = o.Epochs[0], o.Epochs[len(o.Epochs)-1]
	}
	var addresses uint64
	for i := range o.Profiles {
		addresses += o.Profiles[i].Nonzero
	}
	d.Addresses = site.Exactly(quote)(strconv.FormatUint(addresses, 10))
	for _, e := range dcpiEvents(o) {
		d.Events = append(d.Events, eventObject{
			Event: e.name, Samples: exactSum(e.samples), Profiles: e.profiles, Periods: e.periods,
		})
	}
	d.MoreEvents = len(o.Events) - len(d.Events)
	return d
}

// knownProcedures counts the procedures of all images.
func knownProcedures(o *dcpidb.Overview) (n int) {
	for i := range o.Images {
		n += o.Images[i].Symbols
	}
	return n
}

// dcpiEvent is what the profiles of an event come to.
type dcpiEvent struct {
	name     string
	samples  analyze.Sum
	profiles int
	periods  []uint64 // ascending, the first maxDCPIEvents that there are
}

// dcpiEvents are the first maxDCPIEvents events, cycles before others.
func dcpiEvents(o *dcpidb.Overview) []dcpiEvent {
	events := make([]dcpiEvent, min(len(o.Events), maxDCPIEvents))
	index := map[string]int{}
	for i := range events {
		events[i].name = o.Events[i]
		index[o.Events[i]] = i
	}
	for i := range o.Profiles {
		f := &o.Profiles[i]
		n, ok := index[f.Event]
		if !ok {
			continue
		}
		e := &events[n]
		e.samples.Add(f.Samples)
		e.profiles++
		if at, found := slices.BinarySearch(e.periods, f.Period); !found && len(e.periods) < maxDCPIEvents {
			e.periods = slices.Insert(e.periods, at, f.Period)
		}
	}
	return events
}
