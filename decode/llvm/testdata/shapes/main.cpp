#include "lib/shapes.h"
#include <cstdio>

namespace {
struct Square : Shape {
  double side;
  explicit Square(double s) : side(s) {}
  double area() const override { return side * side; }
};
}

static int add(int a, int b) {
  if (a > b)
    return twice(a) - a + b;
  return a + b;
}

int main() {
  Square *list[8];
  int n = 0;
  for (int i = 0; i < 8; ++i) {
    list[i] = new Square(i);
    n = add(n, i);
  }
  std::printf("%f %d\n", total(reinterpret_cast<Shape **>(list), 8), n + twice(2));
  for (Square *s : list)
    delete s;
  return 0;
}
