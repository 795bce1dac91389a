package command

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"proflens/decode"
	"proflens/handlers/site"
	"proflens/profile/stored"
)

// release is set by the linker in releases: -ldflags "-X proflens/command.release=v1.2.3".
var release = ""

// versionCommand prints what this program is, one fact a line.
func versionCommand(c *cobra.Command) runner {
	noArguments(c)
	return func(_ context.Context, _ []string, std stdio) error {
		v := versions()
		_, err := fmt.Fprintf(std.out, "proflens %s\ngo %s\nschema %d\ndecoder %d\n", v.Version, v.Go, v.Schema, v.Decoder)
		return err
	}
}

func versions() site.Version {
	return site.Version{
		Version: programVersion(), Go: runtime.Version(), Schema: stored.SchemaVersion, Decoder: decode.Version,
	}
}

// programVersion names this build: a release, a module version, or a commit.
func programVersion() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
