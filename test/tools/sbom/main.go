// Sbom writes what a program of ours was built from as CycloneDX 1.5 JSON: its
// modules as the binary itself lists them, Go's standard library, and what is
// bundled into the pages.
//
//	go run ./tools/sbom -version v1.2.3 -lock package-lock.json BINARY > BINARY.cdx.json
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"strings"
)

func main() {
	version := flag.String("version", "", "of the program")
	lock := flag.String("lock", "package-lock.json", "of the packages that are bundled into the pages")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(os.Stdout, flag.Arg(0), *version, *lock); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(to io.Writer, binary, version, lock string) error {
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return err
	}
	content, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	packages, err := os.ReadFile(lock)
	if err != nil {
		return err
	}
	b, err := newBill(info, content, version)
	if err != nil {
		return err
	}
	if err := b.addBundled(packages); err != nil {
		return err
	}
	e := json.NewEncoder(to)
	e.SetIndent("", "  ")
	return e.Encode(b)
}

// bill is a CycloneDX document, https://cyclonedx.org/docs/1.5/json/.
type bill struct {
	Format       string      `json:"bomFormat"`
	Spec         string      `json:"specVersion"`
	Serial       string      `json:"serialNumber"`
	Version      int         `json:"version"`
	Metadata     metadata    `json:"metadata"`
	Components   []component `json:"components"`
	Dependencies []depends   `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp,omitempty"` // of the commit, so that a build can be repeated
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	Purl       string     `json:"purl,omitempty"`
	Licenses   []license  `json:"licenses,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type license struct {
	License struct {
		ID string `json:"id"`
	} `json:"license"`
}

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type depends struct {
	Ref string   `json:"ref"`
	On  []string `json:"dependsOn"`
}

// newBill lists the modules of a binary.
func newBill(info *debug.BuildInfo, content []byte, version string) (*bill, error) {
	sum := sha256.Sum256(content)
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	own := component{Type: "application", Ref: "proflens", Name: info.Main.Path, Version: version,
		Licenses: licensed("Apache-2.0"), Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}}}
	for _, key := range []string{"GOOS", "GOARCH", "CGO_ENABLED", "-trimpath", "vcs.revision", "vcs.modified"} {
		if v := settings[key]; v != "" {
			own.Properties = append(own.Properties, property{"go:" + key, v})
		}
	}
	b := &bill{Format: "CycloneDX", Spec: "1.5", Version: 1, Serial: serial(sum),
		Metadata: metadata{settings["vcs.time"], own}, Dependencies: []depends{{Ref: own.Ref}}}
	if len(info.Deps) == 0 {
		return nil, fmt.Errorf("the binary lists no modules")
	}
	std := strings.TrimPrefix(strings.Fields(info.GoVersion)[0], "go")
	b.add(component{Type: "library", Ref: "std", Name: "std", Version: std, Purl: "pkg:golang/stdlib@" + std})
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		c := component{
			Type: "library", Ref: m.Path, Name: m.Path, Version: m.Version, Purl: "pkg:golang/" + m.Path + "@" + m.Version,
		}
		if m.Sum != "" {
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		b.add(c)
	}
	return b, nil
}

func (b *bill) add(c component) {
	b.Components = append(b.Components, c)
	b.Dependencies[0].On = append(b.Dependencies[0].On, c.Ref)
}

// bundled are the npm packages of which something is in the binary; the others only
// build or test.
var bundled = []string{"@fontsource/ibm-plex-mono", "@fontsource/ibm-plex-sans"}

// addBundled finds the bundled packages in npm's list of what was installed.
func (b *bill) addBundled(lock []byte) error {
	var list struct {
		Packages map[string]struct{ Version, License string }
	}
	if err := json.Unmarshal(lock, &list); err != nil {
		return err
	}
	for _, name := range bundled {
		p, ok := list.Packages["node_modules/"+name]
		if !ok {
			return fmt.Errorf("package-lock.json has no %s", name)
		}
		b.add(component{Type: "library", Ref: name, Name: name, Version: p.Version,
			Purl: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version, Licenses: licensed(p.License)})
	}
	return nil
}

func licensed(id string) []license {
	if id == "" {
		return nil
	}
	l := make([]license, 1)
	l[0].License.ID = id
	return l
}

// serial is a UUID that follows from the binary: one build, one bill.
func serial(sum [32]byte) string {
	u := sum[:16]
	u[6], u[8] = u[6]&0x0f|0x80, u[8]&0x3f|0x80 // version 8, variant 1
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", u[:4], u[4:6], u[6:8], u[8:10], u[10:16])
}
