// Package dcpidb keeps DCPI's samples: the tables of migrations/schema/dcpi.sql,
// how they are written, and the queries on them.
package dcpidb
