// Allocation sites whose contexts differ in class, so that the compiler prunes
// their call stacks to what tells the classes apart.
#include <cstdlib>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))

static volatile char *keep[64];
static int kept;

NOINLINE char *leaf(int n) { return new char[n]; }      // several classes, several depths
NOINLINE char *middle(int n) { char *p = leaf(n); asm volatile("" ::: "memory"); return p; }
NOINLINE char *upper(int n) { char *p = middle(n); asm volatile("" ::: "memory"); return p; }
NOINLINE char *lower(int n) { char *p = middle(n); asm volatile("" ::: "memory"); return p; }
NOINLINE char *cold_alone(int n) { char *p = new char[n]; asm volatile("" ::: "memory"); return p; }
NOINLINE char *busy_alone(int n) { char *p = new char[n]; asm volatile("" ::: "memory"); return p; }
NOINLINE char *two_ways(int n) { char *p = new char[n]; asm volatile("" ::: "memory"); return p; }
NOINLINE char *recurse(int depth, int n) {
  char *p = depth ? recurse(depth - 1, n) : new char[n];
  asm volatile("" ::: "memory");
  return p;
}

NOINLINE void touch(char *p, int n, long times) {
  for (long t = 0; t < times; ++t)
    for (int i = 0; i < n; ++i) {
      ((volatile char *)p)[i] += 1;
    }
}
NOINLINE void use(char *p, int n) { touch(p, n, 20000); delete[] p; }
NOINLINE void hold(char *p) { keep[kept++] = p; }

int main() {
  hold(leaf(100));                       // directly: cold
  hold(upper(200));                      // upper: cold
  char *a = lower(300), *b = lower(400); // lower: one call each class
  hold(b);
  use(a, 300);
  use(upper(500), 500);
  use(leaf(600), 600);
  hold(cold_alone(700));
  use(busy_alone(800), 800);
  hold(two_ways(900));
  for (int i = 0; i < 3; ++i)
    use(two_ways(1000 + i), 1000);
  hold(recurse(0, 1100));
  hold(recurse(1, 1200));
  use(recurse(2, 1300), 1300);
  use(recurse(3, 1400), 1400);
  hold(recurse(5, 1500));
  usleep(900 * 1000);
  for (int i = 0; i < kept; ++i)
    delete[] keep[i];
}
