#include "cond.h"

// The conditions of a decision stand in macros of another file, which has fewer lines.
static int either(int a, int b) {
  return POSITIVE(a) || POSITIVE(b);
}

static int nested(int a, int b, int c) {
  return BOTH(a, b) && c > 1;
}

int main(void) {
  return either(1, 0) + nested(1, 1, 1) > 9;
}
