// Package collected holds the function records of a profile between reading them and
// writing their tables: packed, and as they are ranked and added up.
package collected
