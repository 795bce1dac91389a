// Package middleware is what every request passes on its way to a handler, and every
// answer on its way out: one file each. The order stands in package handlers.
package middleware
