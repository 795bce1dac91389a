// Package confine does tasks of package tasks in child processes of this program,
// each with a limit of memory and of processor time, and with few rights: a file
// made to take down whoever reads it takes down a child, and one profile says so.
//
// A child is started before it is needed, waits for a task on its standard input,
// and answers in frames on its standard output. One that has done its task well does
// the next.
package confine
