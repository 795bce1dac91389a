int weigh(int a, int b);
int scale(int a);
int dep(int a);
