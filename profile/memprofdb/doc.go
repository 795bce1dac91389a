// Package memprofdb keeps heap profiles (MemProf): the tables of
// migrations/schema/memprof.sql, how they are written, and the queries on them:
// allocation contexts, the sites that allocate them, and flame graphs.
package memprofdb
