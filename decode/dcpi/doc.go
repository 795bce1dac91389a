// Package dcpi reads the profiles of DIGITAL's Continuous Profiling
// Infrastructure, version 0 (0.06, 0.07): the samples of one event for one
// image, as counts per instruction; and the text that dcpicat prints of them,
// which is how profiles of version 1, whose binary part was never published,
// become readable (dcpi.md).
package dcpi
