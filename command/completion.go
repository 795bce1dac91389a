package command

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// wordsOf is the annotation of a flag with the words that its value may be.
const wordsOf = "words"

// offer has a shell complete the value of a flag to one of some words.
func offer(fs *pflag.FlagSet, name string, words ...string) {
	_ = fs.SetAnnotation(name, wordsOf, words)
}

// folders has a shell complete the names of folders.
func folders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// asToolOf has a shell complete the arguments of a tool of LLVM's, by its own table of options.
func asToolOf(c *cobra.Command, complete func(args []string, word string) (list []string, files bool)) {
	c.ValidArgsFunction = func(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
		list, files := complete(args, word)
		if files {
			return list, cobra.ShellCompDirectiveDefault
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlags says how a shell completes values of flags: to the words that are offered, or
// to files or folders where the usage calls the value one.
func completeFlags(c *cobra.Command) {
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Shorthand != "" { // which the library needs to complete the value of a flag of a letter
			f.ShorthandDeprecated = "told once is enough"
		}
		value, _ := pflag.UnquoteUsage(f)
		complete := cobra.NoFileCompletions
		switch words := f.Annotations[wordsOf]; {
		case len(words) > 0 && strings.HasSuffix(words[0], "="):
			complete = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp|cobra.ShellCompDirectiveNoSpace)
		case len(words) > 0:
			complete = cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
		case strings.Contains(strings.ToLower(value), "file"):
			complete = cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault)
		case strings.EqualFold(value, "folder"):
			complete = folders
		}
		_ = c.RegisterFlagCompletionFunc(f.Name, complete) // each once
	})
}

// completable is the line that a shell asks to complete, as the library reads it; see
// [readable]. A flag is completed with as many dashes as it begins with.
func completable(root *cobra.Command, args []string, std stdio) []string {
	words := args[1:]
	last := words[len(words)-1]
	if len(words) > 1 || strings.HasPrefix(last, "-") {
		words = behindCommand(root, words)
	}
	dashes := 1
	if strings.HasPrefix(last, "--") {
		dashes = 2
	}
	root.SetOut(candidates{std.out, dashes})
	c, rest, err := root.Find(words[:len(words)-1])
	if err == nil && !c.DisableFlagParsing {
		words = append(strings.Fields(c.CommandPath())[1:], twoDashes(c.Flags(), append(rest, last))...)
	}
	return append([]string{args[0]}, words...)
}

// candidates is where the library writes what a word can be completed to.
type candidates struct {
	io.Writer
	dashes int // that flags are shown with
}

// Write writes a line. A flag of one letter comes twice, of which the one with two dashes stays.
func (c candidates) Write(line []byte) (int, error) {
	shown := bytes.ReplaceAll(line, []byte("`"), nil)
	if name, isFlag := bytes.CutPrefix(shown, []byte("-")); isFlag {
		if !bytes.HasPrefix(name, []byte("-")) {
			return len(line), nil
		}
		shown = shown[2-c.dashes:]
	}
	_, err := c.Writer.Write(shown)
	return len(line), err
}

// wordsOfBash stands in for the one function of the package bash-completion that the library's
// script calls, where that is not installed.
const wordsOfBash = `declare -F _get_comp_words_by_ref >/dev/null || _get_comp_words_by_ref() {
    words=("${COMP_WORDS[@]}") cword=$COMP_CWORD
    cur=${words[cword]} prev=${words[cword-1]}
}
`

// shells are those that can complete, with what makes them.
var shells = []struct {
	name   string
	script func(root *cobra.Command, w io.Writer) error
}{
	{"bash", func(root *cobra.Command, w io.Writer) error {
		_, err := io.WriteString(w, wordsOfBash)
		return errors.Join(err, root.GenBashCompletionV2(w, true))
	}},
	{"zsh", (*cobra.Command).GenZshCompletion},
	{"fish", func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) }},
	{"powershell", (*cobra.Command).GenPowerShellCompletionWithDesc},
}

// completionCommand prints what makes a shell complete.
func completionCommand(c *cobra.Command) runner {
	for i := range shells {
		c.ValidArgs = append(c.ValidArgs, shells[i].name)
	}
	names := strings.Join(c.ValidArgs, "|")
	c.Use += " " + names
	c.Long = `For this shell only, or in its start-up file:

  bash                   source <(proflens completion bash)
  zsh, behind compinit   source <(proflens completion zsh)
  fish                   proflens completion fish | source`
	return func(_ context.Context, args []string, std stdio) error {
		for i := range shells {
			if len(args) == 1 && args[0] == shells[i].name {
				return shells[i].script(c.Root(), std.out)
			}
		}
		return usageError{"completion takes a shell: " + names}
	}
}
