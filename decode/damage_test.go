//go:build !long

package decode_test

// damageEvery is how many bytes lie between two places where a program is damaged.
const damageEvery = 21
