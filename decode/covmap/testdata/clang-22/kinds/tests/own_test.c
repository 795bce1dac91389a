#include "../src/own.h"

static int fails(int want, int got) {
	if (want == got)
		return 0;
	return 1;
}

int main(void) {
	return fails(7, weigh(3, 1)) + fails(9, scale(3));
}
