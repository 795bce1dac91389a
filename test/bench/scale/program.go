package scale

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// programUnits is how many source files a program has.
const programUnits = 200

const programHeader = `#pragma once
#define LIMIT(v, lo, hi) ((v) < (lo) ? (lo) : (v) > (hi) ? (hi) : (v))
template <int N> int step(int v) { if (v > N) return v - N; return v + 1; }
inline int shared(int v) { return v && v < 100 ? v * 2 : 0; }
`

const programFunction = `int fn_%[1]d(int a, int b) {
  int s = 0;
  for (int i = 0; i < a %% 5; i++) {
    if (i %% 2 == 0 && b > i)
      s += LIMIT(i, 1, %[2]d);
    else
      s -= shared(i);
  }
  switch (b %% 4) {
  case 0: s += step<%[3]d>(s); break;
  case 1: s ^= %[1]d; break;
  default: s++;
  }
  while (s > 1000 || s < -1000)
    s /= 2;
  return s ? s : %[4]d;
}
`

// WriteProgram writes the sources of a C++ program of about n functions into a folder, and
// returns those to compile: loops, conditions, a macro and a template of a header that all
// of them share. Half of the functions run.
func WriteProgram(dir string, n int) (sources []string, err error) {
	write := func(name, text string) {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644)
		}
	}
	write("shared.h", programHeader)
	var declared, called strings.Builder
	for unit := range programUnits {
		var body, run strings.Builder
		body.WriteString("#include \"shared.h\"\n")
		first, last := n*unit/programUnits, n*(unit+1)/programUnits
		for k := first; k < last; k++ {
			fmt.Fprintf(&body, programFunction, k, k%7+2, k%50, k%3)
			if k%2 == 0 {
				fmt.Fprintf(&run, "  s += fn_%d(a + %d, s);\n", k, k-first)
			}
		}
		fmt.Fprintf(&body, "int run_%d(int a) {\n  int s = 0;\n%s  return s;\n}\n", unit, run.String())
		fmt.Fprintf(&declared, "int run_%d(int);\n", unit)
		fmt.Fprintf(&called, "  s += run_%d(%d);\n", unit, unit)
		name := fmt.Sprintf("unit%d.cpp", unit)
		write(name, body.String())
		sources = append(sources, name)
	}
	write("main.cpp", declared.String()+"int main() {\n  int s = 0;\n"+called.String()+"  return s == 1;\n}\n")
	return append(sources, "main.cpp"), err
}
