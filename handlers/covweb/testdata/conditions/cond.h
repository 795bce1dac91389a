#define POSITIVE(x) ((x) > 0)
#define BOTH(a, b) (POSITIVE(a) && POSITIVE(b))
