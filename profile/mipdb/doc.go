// Package mipdb keeps Machine IR Profiles: the tables of migrations/schema/mip.sql,
// how they are written, and the queries on them.
package mipdb
