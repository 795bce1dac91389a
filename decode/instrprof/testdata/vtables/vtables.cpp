// Classes with one base, with two, with a virtual one, of a template, and local to
// the file; a class of the C++ library that has no instrumented vtable.
#include <exception>
#include <stdexcept>

struct Shape { virtual ~Shape(); virtual int area() const = 0; };
Shape::~Shape() {}
struct Named { virtual ~Named(); virtual int id() const = 0; };
Named::~Named() {}

struct Square : Shape { int a; Square(int a) : a(a) {} int area() const override { return a * a; } };
struct Rect : Shape, Named { // two address points
  int a, b;
  Rect(int a, int b) : a(a), b(b) {}
  int area() const override { return a * b; }
  int id() const override { return 7; }
};
struct Top { virtual ~Top(); virtual int top() const { return 1; } };
Top::~Top() {}
struct Left : virtual Top { int top() const override { return 2; } };
struct Right : virtual Top {};
struct Both : Left, Right { int top() const override { return 3; } };
template <class T> struct Box : Named { T value; Box(T v) : value(v) {} int id() const override { return int(value); } };
namespace { struct Hidden : Shape { int area() const override { return 1; } }; }
struct Unused : Shape { int area() const override; };
int Unused::area() const { return 0; }

__attribute__((noinline)) static int areas(Shape **s, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += s[i]->area(); return sum; }
__attribute__((noinline)) static int ids(Named **s, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += s[i]->id(); return sum; }
__attribute__((noinline)) static int tops(Top **s, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += s[i]->top(); return sum; }
__attribute__((noinline)) static int whats(std::exception **s, int n) { int sum = 0; for (int i = 0; i < n; i++) sum += s[i]->what()[0]; return sum; }

int main() {
  Square q(3); Rect r(2, 5); Hidden h; Left l; Right g; Both b; Box<long> box(4); 
  std::runtime_error e("x"); std::logic_error f("y");
  Shape *shapes[] = {&q, &r, &h, &r};
  Named *named[] = {&r, &box};
  Top *top[] = {&l, &g, &b};
  std::exception *thrown[] = {&e, &f};
  volatile int sum = 0;
  for (int i = 0; i < 1000; i++) sum += areas(shapes, 1 + i % 4);
  for (int i = 0; i < 300; i++) sum += ids(named, 1 + i % 2);
  for (int i = 0; i < 50; i++) sum += tops(top, 3);
  for (int i = 0; i < 20; i++) sum += whats(thrown, 2);
  return sum == 0;
}
