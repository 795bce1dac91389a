// A program of two functions.
static int half(int n) { return n / 2; }
int twice(int n) { return n + n; }
int main(int argc, char **argv) { (void)argv; return half(twice(argc)) - 1; }
