#include "inc/list.h"
int shared(int);
volatile int sink;
namespace shapes {
struct Shape { virtual int area(int) const; int side; };
int Shape::area(int n) const { List<long> l; for (int i = 0; i < n; i++) l.add(side + i); return l.sum(); }
static inline int twice(int x) { return shared(x) + shared(x + 1); }
}
static __attribute__((noinline)) int rare(int n) { if (__builtin_expect(n > 1000, 0)) { sink = n; __builtin_trap(); } return shapes::twice(n); }
extern "C" int _start(int n) {
	shapes::Shape s; s.side = n;
	auto more = [&](int k) { List<int> l; l.add(k); l.add(s.area(k)); return l.sum(); };
	for (int i = 0; i < n; i++) sink = i % 2 ? more(i) : rare(i);
	return sink;
}
