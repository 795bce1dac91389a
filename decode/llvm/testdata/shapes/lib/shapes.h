#pragma once
struct Shape {
  virtual ~Shape();
  virtual double area() const = 0;
};
double total(const Shape *const *shapes, int n);

template <class T> T twice(T v) {
  return v + v;
}
