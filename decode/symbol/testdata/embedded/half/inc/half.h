// Half of a number, rounded down.
static inline int half(int n) {
	if (n < 0)
		return -half(-n);
	return n / 2;
}
