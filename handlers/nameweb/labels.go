package nameweb

import (
	"strings"

	"proflens/catalog/projects"
	"proflens/handlers/site"
)

// Labels reads a repeated "k=v".
func Labels(v *site.Values, key string) map[string]string {
	list := map[string]string{}
	for _, text := range v.Query[key] {
		if text == "" {
			continue
		}
		k, value, ok := strings.Cut(text, "=")
		if k = strings.TrimSpace(k); !ok || k == "" {
			v.Fail(key, "%q is not a label; use KEY=VALUE", text)
			continue
		}
		value = strings.TrimSpace(value)
		if given, twice := list[k]; twice && given != value {
			v.Fail(key, "%s has two values, %q and %q; give one", k, given, value)
		}
		list[k] = value
	}
	return list
}

// PlaceBuild reads the fields that are labels with a meaning.
func PlaceBuild(v *site.Values, labels map[string]string) {
	for _, key := range []string{projects.Branch, projects.Commit, projects.Workload} {
		value := v.One(key)
		if value == "" {
			continue
		}
		if given, twice := labels[key]; twice && given != value {
			v.Fail(key, "%s has two values, %q and %q; give one", key, given, value)
		}
		labels[key] = value
	}
}
