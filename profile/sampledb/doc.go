// Package sampledb is sample profiles in the tables of a profile's file: functions by name,
// with all their contexts, and the counts in each.
package sampledb
