package cov

import (
	"strings"

	"proflens/analyze/coverage"
	elsewhere "proflens/analyze/sources"
)

// labelled are the labels of the profile: those given, and where its sources are.
func (o *options) labelled() (map[string]string, error) {
	labels := map[string]string{}
	for _, text := range o.Labels {
		key, value, ok := strings.Cut(text, "=")
		if !ok || key == "" {
			return nil, usageError("-label=" + text + ": use -label=KEY=VALUE")
		}
		labels[key] = value
	}
	if words := o.excludes(); words != "" {
		labels[coverage.ExcludeLabel] = words
	}
	if o.SourceRoot != "" {
		labels[elsewhere.RootLabel] = o.SourceRoot
	}
	if o.SourceURL == "" {
		return labels, nil
	}
	labels[elsewhere.TemplateLabel] = o.SourceURL
	template, err := elsewhere.ParseTemplate(o.SourceURL)
	if err != nil {
		return nil, usageError("-source-url=" + o.SourceURL + ": " + err.Error())
	}
	if missing := template.Links(labels).Missing; len(missing) > 0 {
		return nil, usageError("-source-url has the place {" + missing[0] + "}; fill it with -label=" + missing[0] + "=VALUE")
	}
	return labels, nil
}
