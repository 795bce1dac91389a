#define A(x) ((x) + 1)
#define B(x) (A(x) * 2)
template <class T> int f(T x) {
  int y = A(1);
  y += B(y);
  y += A(x);
  y += B(x);
  return y;
}
int main() { return f(1) + f('x') + f(2L) > 3 ? 0 : 1; }
