#include "sub/h.h"
#include <cstdio>
#define MAX(a,b) ((a) > (b) ? (a) : (b))
#define TWICE(x) do { if (x) \
	puts("yes"); else puts("no"); } while (0)
#define NEST(x) TWICE(MAX(x, 2) > 3)
template <class T> T pick(T a, T b) {
	if (a < b && b != T())
		return a;
	return b;
}
struct S { int v; S(int v) : v(v) {} bool operator<(const S &o) const { return v < o.v || v == 7; } };
static int logic(int a, int b, int c) {
  if ((a && b) || c)
    return 1;
	switch (a) {
	case 1: return 2;
	case 2:
	default: break;
	}
  return a && (b || c) ? 3 : 4;
}
namespace { int unused(int x) { return x ? 1 : 0; } }
int never(int x) {
  for (int i = 0; i < x; i++)
    if (i & 1) continue;
  try { throw 1; } catch (int) { return 2; }
  return other(x);
}
int main(int argc, char **argv) {
  int n = MAX(argc, 3);
  NEST(n);
  TWICE(argc - 1);
  pick(1, 2); pick(2.0, 1.0);
  auto l = [&](int q) { return q > n ? q : n; };
  l(5);
  int r = logic(1, 0, 0) + logic(0, 1, 1) + logic(1, 1, 0);
  S a(1), b(2);
  r += a < b;
  r += other(r) + inl<int>(3) + inl<char>('c');
  if constexpr (sizeof(int) == 4) r++; else r--;
  while (r > 100) r /= 2;
  return r > 1000 && unused(r);
}
