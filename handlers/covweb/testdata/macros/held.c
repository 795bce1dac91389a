#include "held.h"

// A decision that stands in the text of a macro, all of its conditions in that of another.
static int held(int a, int b) {
  return CAST(int, EITHER(a, b));
}

int main(void) {
  return held(1, 0) > 9;
}
