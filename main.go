// Proflens shows what is in a compiler's profile: it decodes profiles of any
// version into SQLite tables and serves them as pages and as JSON.
package main

import (
	"os"

	"proflens/command"
)

func main() { os.Exit(command.Main()) }
