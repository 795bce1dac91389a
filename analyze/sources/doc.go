// Package sources keeps the text of the sources that a profile's lines are of: a zip
// archive whose entries have the names that the coverage mapping has for the files.
package sources
