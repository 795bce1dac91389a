#include "half.h"

int twice(int n);

int main(int argc, char **argv) {
	if (argc > 3)
		return 9;
	return half(twice(argc)) - argc;
}
