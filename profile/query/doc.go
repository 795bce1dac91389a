// Package query is how rows are chosen, ordered and paged, whatever they are. A
// column is a number for each row in memory ([Value]); filters are tests of rows;
// an order is a permutation of those that pass, so that every page of it costs
// the same. Searching names, which takes time, goes on from one query to the next
// ([Search]). Functions add up in a [Tree].
package query
