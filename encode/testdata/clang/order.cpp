// Functions that run in another order than they stand in: with local, virtual,
// template and static linkage, and with the suffixes that link-time optimisation
// and -funique-internal-linkage-names give.
extern "C" int puts(const char *);

namespace app {
struct Shape {
  virtual ~Shape() = default;
  virtual int area() const = 0;
};

static int scaled(int n) { return n * 3 + 1; }

template <int N> struct Box : Shape {
  int area() const override { return N * scaled(N); }
};

int promoted(int n) __asm__("_ZN3app8promotedEi.llvm.42");
int promoted(int n) { return n * 5; }
int last(int n) { return n - 1; }
int middle(int n) { return n + 7; }
int first(int n) { return n ^ 5; }
int never(int n) { return n << 2; }
}

int main(int argc, char **) {
  app::Box<3> three;
  app::Box<4> four;
  app::Shape *shapes[] = {&three, &four};
  int n = app::middle(app::first(argc));
  for (app::Shape *shape : shapes)
    n += shape->area();
  n = app::last(app::promoted(n));
  if (argc > 100)
    n = app::never(n);
  return n == 0 ? puts("none") : 0;
}
