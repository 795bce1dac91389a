// Package instrdb keeps instrumentation profiles: the tables of
// migrations/schema/instr.sql, how they are written, and the queries on them.
package instrdb
