// Package oldmoves shows what moved between two profiles in the frame of all
// comparisons: the chart, the lists, the table, and the rows for scripts. A family says
// what its moves are.
package oldmoves
