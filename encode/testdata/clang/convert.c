/* A program whose functions have every kind of hash that clang computes: of a
   few statements, of more than ten, with && and ||, and with calls and copies
   that are profiled by value. */
#include <string.h>

static int twice(int n) { return 2 * n; }
static int thrice(int n) { return 3 * n; }

int choose(int n) { return n > 3 ? twice(n) : thrice(n); }

int both(int a, int b) { return (a && b) || (a > 7 && b > 7); }

int many(int n) {
  int s = 0;
  for (int i = 0; i < n; i++) {
    if (i & 1)
      s++;
    else if (i & 2)
      s += 2;
    while (s > 100) {
      s -= 3;
      if (s & 4 && n > 3)
        s--;
    }
    switch (s) {
    case 1: s++; break;
    case 2: s--; break;
    case 7: s += n; break;
    default: s += 1;
    }
    do {
      s++;
    } while (s & 1);
  }
  return s;
}

static int loops(int n) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      for (int k = 0; k < j; k++) {
        if (k == i) continue;
        if (k > 20) break;
        if (k < 2) s += k;
        else if (k < 4) s -= k;
        else if (k != 9) s += j;
        if (!s) return 0;
      }
  return s;
}

int main(int argc, char **argv) {
  char from[64] = {0}, to[64];
  int (*calls[2])(int) = {twice, thrice};
  int s = argc;
  for (int i = 0; i < 50; i++) {
    memcpy(to, from, (unsigned)(i & 31));
    s += calls[i % 5 == 0](i) + choose(i) + both(i, i - 3) + to[1];
  }
  return many(s) + loops(9) == -1;
}
