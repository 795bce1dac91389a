#include "own.h"

#define TWICE(x) ((x) > 100 ? (x) : 2 * (x))

int weigh(int a, int b) {
	if (a > 0 && b > 0)
		return TWICE(a) + b;
	return -1; // LCOV_EXCL_LINE
}

// LCOV_EXCL_START
int debug(int a) {
	if (a < 0)
		return 0;
	return a;
}
// LCOV_EXCL_STOP

int scale(int a) {
	if (a == 7) // LCOV_EXCL_BR_LINE
		a++;
	return 3 * a;
}

int idle(int a) {
	return a ? dep(a) : 0;
}
