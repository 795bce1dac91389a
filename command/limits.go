package command

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"proflens/handlers/site"
)

// byteSize is a flag that is a number of bytes: "2147483648", "2GiB", "500MB".
type byteSize int64

var byteUnits = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1}, {"", 1},
}

// Set reads a number with a unit.
func (s *byteSize) Set(text string) error {
	for _, unit := range byteUnits {
		digits, ok := strings.CutSuffix(text, unit.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
		if err != nil || n <= 0 || n > math.MaxInt64/unit.bytes {
			break
		}
		*s = byteSize(n * unit.bytes)
		return nil
	}
	return fmt.Errorf("use a number of bytes such as 2147483648 or 2GiB")
}

// String writes the largest binary unit that is exact.
func (s byteSize) String() string {
	for i := 3; i >= 0; i-- {
		if unit := byteUnits[i]; s > 0 && int64(s)%unit.bytes == 0 {
			return strconv.FormatInt(int64(s)/unit.bytes, 10) + unit.suffix
		}
	}
	return strconv.FormatInt(int64(s), 10)
}

// Type is what the value is called where the usage does not say.
func (*byteSize) Type() string { return "bytes" }

// limitFlags are the flags of "proflens serve" that limit what users can do.
var limitFlags = strings.Fields(`
	max-upload max-uploads max-expanded max-ratio max-staging min-free max-connections rate memory
	export-workers decode-workers decode-timeout decode-memory upload-token private ttl
	default-visibility`)

// limitsOf tells users the limits that the flags set. Of the token it says no
// more than that there is one.
func limitsOf(fs *pflag.FlagSet, visibility string) []site.Limit {
	list := make([]site.Limit, 0, len(limitFlags))
	for _, name := range limitFlags {
		f := fs.Lookup(name)
		_, usage := pflag.UnquoteUsage(f)
		value := f.Value.String()
		switch name {
		case "upload-token":
			value = "none, unless \"proflens token\" created some"
			if f.Value.String() != "" {
				value = "needed"
			}
		case "private":
			value = "no: anyone who can reach the server may view"
			if f.Value.String() == "true" {
				value = "yes"
			}
		case "ttl":
			if value == "0s" {
				value = "none: kept until deleted"
			}
		case "default-visibility":
			value = visibility
		}
		list = append(list, site.Limit{Flag: "-" + name, Env: envName(name), Value: value, Meaning: usage})
	}
	return list
}
