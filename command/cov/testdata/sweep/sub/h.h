#pragma once
int other(int);
template <class T> int inl(T t) { return t > 50 ? 1 : 2; }
static inline int dead(int a) { return a ? 1 : 2; }
