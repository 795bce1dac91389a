package model

// MaxName is how long a name in a file may be, in bytes: of a function, a vtable, a
// variable. The longest that compilers are known to write, of templates in templates,
// have some tens of thousands. Names stand in tables and on pages, a thousand at once,
// again and again.
const MaxName = 64 << 10

// NameBound is MaxName as errors say what they expected.
const NameBound = "at most 65536 bytes"
