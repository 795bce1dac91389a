/* Größe: text that is not ASCII. */
int twice(int n) { return n > 100 ? 200 : n + n; }
