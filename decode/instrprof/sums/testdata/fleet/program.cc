// Indirect calls, copies of several sizes and functions that only some runs reach, for
// merges of many runs.
#include <cstdlib>
#include <cstring>

static char from[1024], to[1024];

static int plus(int a) { return a + 1; }
static int minus(int a) { return a - 1; }
static int twice(int a) { return a > 100 ? a : 2 * a; }
static int never(int a) { return a * 7; }
static int (*const table[])(int) = {plus, minus, twice, never};

template <int N> int rare(int a) { return a % N == 0 ? a / N : a; }

int main(int argc, char **argv) {
  unsigned seed = argc > 1 ? atoi(argv[1]) : 0;
  int s = 0;
  for (unsigned i = 0; i < seed % 13 + 3; i++) {
    s = table[(seed + i) % 3](s);
    memcpy(to, from, (seed * i) % 600);
    if ((seed & 1) && s > 2)
      s = rare<3>(s);
    else if (seed == 4 && i == 1)
      s = rare<5>(s);
  }
  return s == 12345;
}
