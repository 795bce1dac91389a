#include "inc/list.h"
static inline __attribute__((always_inline)) int deep(int x) { int r = 0; while (x > 3) { r += x & 1 ? x : -x; x /= 3; } return r; }
static inline __attribute__((always_inline)) int deeper(int x) { return deep(x) + deep(x * 7); }
__attribute__((noinline)) int shared(int x) { List<short> l; l.add(deeper(x)); l.add(x); return l.sum() + deeper(x + 2); }
