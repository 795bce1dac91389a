// Package profile is a profile's own file: one immutable SQLite database, whose
// tables are those that every profile has and those of its parts.
//
//	stored                          what all families share: open, read, write, cache
//	query                           columns, filters, orders, pages, searches, trees
//	instrdb memprofdb mipdb dcpidb covdb  the tables and queries of one family each
//	btree                           SQLite's file format, page by page
//
// Here are the list of families and what is done with all of them: writing a file,
// and writing one for people.
package profile
