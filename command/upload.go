package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"proflens/analyze/sources"
	"proflens/catalog"
	"proflens/decode/model"
	"proflens/internal/humanize"
	"proflens/profile/stored"
)

// uploadConfig is the flags of "proflens upload".
type uploadConfig struct {
	client
	fields  url.Values
	files   []string
	git     bool     // project, commit and branch are those of the working directory
	rules   string   // file with rules that the server keeps with the project
	sources []string // folders with the text of the sources
}

// uploadCommand sends files to a server as one profile and prints its link.
func uploadCommand(c *cobra.Command) runner {
	someFiles(c)
	o := &uploadConfig{fields: url.Values{}}
	o.flags(c.Flags())
	return func(ctx context.Context, args []string, std stdio) error {
		o.files = args
		if err := serverURL("upload", o.server); err != nil {
			return err
		}
		o.server = strings.TrimRight(o.server, "/")
		return o.upload(ctx, std)
	}
}

func (c *uploadConfig) upload(ctx context.Context, std stdio) error {
	rules, err := c.place(ctx)
	if err != nil {
		return err
	}
	// Files that cannot be read are noticed before anything is sent.
	for _, name := range slices.Concat(c.sources, c.files) {
		if name == "-" {
			continue
		}
		if info, err := os.Stat(name); err != nil {
			return err
		} else if info.IsDir() && !slices.Contains(c.sources, name) {
			return misused("upload: %s is a folder; give files, or a tar of it", name)
		}
	}
	if err := c.sendRules(ctx, rules); err != nil {
		return err
	}
	answer, err := c.sendFiles(ctx, std.in)
	if err != nil {
		return err
	}
	if err := answer.print(std, strings.Join(c.files, ", ")); err != nil {
		return err
	}
	return c.addSources(ctx, answer, std)
}

func (c *uploadConfig) flags(fs *pflag.FlagSet) {
	fs.StringVar(&c.server, "server", "http://localhost:8080", "`URL` of the server")
	fs.StringVar(&c.token, "upload-token", "", "`token`, if the server needs one")
	fs.BoolFunc("salvage", "decode the readable beginning of truncated raw profiles", func(value string) error {
		c.fields.Set("salvage", value)
		return nil
	})
	for _, field := range []struct{ name, usage string }{
		{"name", "`name` of the profile; default: the name of the first file"},
		{"project", "`project` of the profile"},
		{"expires", "`time` to keep the profile: 36h, 7d or until an RFC 3339 time"},
		{"visibility", "`visibility`, listed or unlisted; default: the server's"},
		{"label", "label `k=v`; may be repeated"},
	} {
		fs.Func(field.name, field.usage, func(value string) error {
			if key, _, ok := strings.Cut(value, "="); field.name == "label" && (!ok || key == "") {
				return errors.New("use k=v")
			}
			c.fields.Add(field.name, value)
			return nil
		})
	}
	fs.StringVar(&c.rules, "rules", "",
		"`file`, such as proflens.toml, with the rules that the server keeps with the project")
	fs.StringArrayVar(&c.sources, "sources", nil,
		"`folder` with sources: those that the profile names are sent too; may be repeated")
	fs.BoolVar(&c.git, "git", false,
		"take project, branch and commit, its subject and date from git in the working directory; in CI the first three "+
			"are taken from its variables")
	for _, field := range []struct{ label, usage string }{
		{"commit", "`commit` that the program was built from"},
		{"branch", "`branch` of that commit"},
		{"workload", "`workload` that the program ran: a benchmark, a test, production"},
		{
			sources.TemplateLabel, "`template` of links to the sources, such as " +
				"https://host/{repo}/blob/{commit}/{path}#L{line}; a label fills each place",
		},
		{sources.RootLabel, "`directory` of the build that {path} is below; default: the one that all files share"},
	} {
		fs.Func(strings.ReplaceAll(field.label, "_", "-"), field.usage, func(value string) error {
			c.fields.Add("label", field.label+"="+value)
			return nil
		})
	}
	offer(fs, "visibility", string(catalog.Listed), string(catalog.Unlisted))
}

// uploadAnswer is what is read of either answer, a profile or a problem.
type uploadAnswer struct {
	Link        string `json:"link"`
	DeleteToken string `json:"delete_token"`
	Status      any    `json:"status"` // a word in a profile, a number in a problem
	problemAnswer
	Kind     model.Kind      `json:"kind"`
	Offset   *uint64         `json:"offset"`
	Finding  *model.Finding  `json:"finding"` // of a problem
	Findings []model.Finding `json:"findings"`

	code int
}

// sendFiles streams the files as one multipart request.
func (c *uploadConfig) sendFiles(ctx context.Context, stdin io.Reader) (*uploadAnswer, error) {
	body, w := io.Pipe()
	form := multipart.NewWriter(w)
	go func() { w.CloseWithError(c.write(ctx, form, stdin)) }()
	defer body.Close()
	answer := &uploadAnswer{}
	var err error
	answer.code, err = c.ask(ctx, http.MethodPost, c.server+"/api/v1/profiles", form.FormDataContentType(), body, answer)
	return answer, err
}

// sendRules has the server keep the project's rules, where it shall.
func (c *uploadConfig) sendRules(ctx context.Context, text []byte) error {
	if c.rules == "" {
		return nil
	}
	project := c.fields.Get("project")
	if project == "" {
		return usageError{"upload: -rules needs -project: rules are kept with one"}
	}
	address := c.server + "/api/v1/projects/" + url.PathEscape(project) + "/rules"
	res, err := c.send(ctx, http.MethodPut, address, "", bytes.NewReader(text))
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode == http.StatusNoContent {
		return nil
	}
	answer := &problemAnswer{Title: res.Status}
	_ = json.NewDecoder(io.LimitReader(res.Body, 1<<20)).Decode(answer) // else its status has to do
	return fmt.Errorf("%s: %w", c.rules, answer.problem())
}

// write writes the fields, then the files.
func (c *uploadConfig) write(ctx context.Context, form *multipart.Writer, stdin io.Reader) error {
	for name, values := range c.fields {
		for _, value := range values {
			if err := form.WriteField(name, value); err != nil {
				return err
			}
		}
	}
	sent := &sending{ctx: ctx}
	for _, name := range c.files {
		if info, err := os.Stat(name); err == nil {
			sent.of += int(info.Size())
		}
	}
	for _, name := range c.files {
		if err := writeFile(form, name, stdin, sent); err != nil {
			return err
		}
	}
	stored.Report(ctx, "Waiting for the server", 0, 0)
	return form.Close()
}

// sending tells who waits how many bytes are sent.
type sending struct {
	ctx      context.Context
	done, of int
}

// Write counts what passes.
func (s *sending) Write(p []byte) (int, error) {
	s.done += len(p)
	stored.ReportBytes(s.ctx, "Sending", s.done, s.of)
	return len(p), nil
}

func writeFile(form *multipart.Writer, name string, stdin io.Reader, sent io.Writer) error {
	from, shown := stdin, "stdin"
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close()
		from, shown = f, filepath.Base(name)
	}
	part, err := form.CreateFormFile("file", shown)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.MultiWriter(part, sent), from)
	return err
}

// print puts the link on standard output, alone, for scripts; the rest is for
// the reader.
func (a *uploadAnswer) print(std stdio, files string) error {
	if a.Link != "" {
		fmt.Fprintln(std.out, a.Link)
	}
	if a.DeleteToken != "" {
		fmt.Fprintf(std.err, "delete token: %s (shown only once)\n", a.DeleteToken)
	}
	switch {
	case a.code == http.StatusAccepted:
		fmt.Fprintln(std.err, "stored, still decoding")
		return nil
	case a.code < 300:
		a.warn(std.err)
		return nil
	case a.Link != "": // stored, but not decodable
		fault := &model.FormatError{Kind: a.Kind, Msg: a.Detail}
		if a.Offset != nil {
			fault.Offset = *a.Offset
		}
		if f := a.Finding; f != nil {
			fault.Msg = f.Message
			if f.File != "" {
				files = f.File
			}
			if f.Remedy != "" {
				return fmt.Errorf("%s: %w\n  what to do: %s", files, fault, humanize.Long(f.Remedy))
			}
		}
		return fmt.Errorf("%s: %w", files, fault)
	}
	return a.problem()
}

// warn prints the warnings, and what is said of single files: which were left out.
func (a *uploadAnswer) warn(w io.Writer) {
	for _, f := range a.Findings {
		switch {
		case f.File != "":
			fmt.Fprintf(w, "proflens: %s: %s: %s\n", humanize.Printable(f.File), humanize.Printable(string(f.Severity)),
				humanize.Long(f.Message))
		case f.Severity == model.Warning:
			fmt.Fprintf(w, "proflens: warning: %s\n", humanize.Long(f.Message))
		}
		if f.Severity == model.Warning && f.Remedy != "" {
			fmt.Fprintf(w, "  what to do: %s\n", humanize.Long(f.Remedy))
		}
	}
}
