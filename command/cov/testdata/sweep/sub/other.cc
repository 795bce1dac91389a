#include "h.h"
int other(int x) {
	if (x > 3 || x < -3)
		return inl<long>(x);
	return x == 0 ? 1 : dead(x);
}
