int dep(int a) {
	a *= 2;
	a += 3;
	a *= 4;
	a += 5;
	a *= 6;
	return a;
}
