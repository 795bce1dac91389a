package analyze

// DCPIRate says for how many events, and for how much time, one sample stands.
type DCPIRate struct {
	Period   uint64 `col:"period" width:"8"`                 // mean number of events between two samples
	Fraction uint64 `col:"fraction" width:"8"`               // 10,000 × the share of time in which the event was counted
	CPUSpeed uint64 `col:"cpuspeed" width:"8" is:"omitzero"` // MHz, or Hz from a million on; 0: not known
}

// wholeFraction is the fraction of an event that was counted all the time.
const wholeFraction = 10_000

// hertzFrom is the number from which a cpuspeed can only be in Hz.
const hertzFrom = 1_000_000

// Events estimates how many events samples stand for; none where the event was
// never counted.
func (r DCPIRate) Events(samples uint64) float64 {
	events := float64(samples) * float64(r.Period)
	switch r.Fraction {
	case wholeFraction:
		return events
	case 0:
		return 0
	}
	return events * wholeFraction / float64(r.Fraction)
}

// Seconds estimates the CPU time in which samples of the event cycles were
// taken. ok is false where the speed of the processor is not known.
func (r DCPIRate) Seconds(samples uint64) (s float64, ok bool) {
	speed := float64(r.CPUSpeed)
	if r.CPUSpeed < hertzFrom {
		speed *= 1e6
	}
	if speed == 0 {
		return 0, false
	}
	return r.Events(samples) / speed, true
}

// SameEvents reports whether samples of two rates can be added as they are.
func (r DCPIRate) SameEvents(o DCPIRate) bool {
	return r.Period == o.Period && r.Fraction == o.Fraction
}
