template <class T> struct List {
	T items[8];
	int size = 0;
	void add(T x) { if (size < 8) items[size++] = x; }
	__attribute__((always_inline)) T sum() const { T s = 0; for (int i = 0; i < size; i++) s += weigh(items[i], i); return s; }
	static __attribute__((always_inline)) T weigh(T x, int i) { return i % 3 ? x * i : x - i; }
};
