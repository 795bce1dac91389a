#define CAST(type, what) ((type)(what))
#define EITHER(a, b) ((a) > 0 || (b) > 0)
