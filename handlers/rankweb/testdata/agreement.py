"""How samples and counts of one program rank its functions, by llvm-profdata 22 and Python's
statistics: agreement.py SAMPLES.proftext COUNTS.profdata"""
import re
import statistics
import subprocess
import sys


def samples(path):
    """Own counts by function, wherever its code is; of what is only inlined, if it has any."""
    own, stack, functions = {}, [], set()
    for line in open(path):
        depth = len(line) - len(line.lstrip(" "))
        words = line.split()
        if depth == 0:
            stack = [words[0].rsplit(":", 2)[0]]
            functions.add(stack[0])
            own.setdefault(stack[0], 0)
        elif words[0].startswith("!"):
            continue
        elif re.fullmatch(r"[0-9.]+:", words[0]) and re.fullmatch(r"\d+", words[1]):
            own[stack[depth - 1]] += int(words[1])
        else:
            stack[depth:] = [words[1].rsplit(":", 1)[0]]
            own.setdefault(stack[depth], 0)
    return {name: n for name, n in own.items() if n or name in functions}


def counts(path):
    text = subprocess.run(["llvm-profdata-22", "show", "--all-functions", "--counts", path], capture_output=True, text=True, check=True).stdout
    total, name = {}, None
    for line in text.splitlines():
        if re.match(r"  \S.*:$", line):
            name = re.sub(r"^[^;:]*\.cpp[;:]", "", line.strip()[:-1])
            total.setdefault(name, 0)
        elif m := re.match(r"    (Function count|Block counts): \[?([0-9, ]*)\]?$", line):
            total[name] += sum(int(n) for n in m[2].split(",") if n.strip())
    return total


def places(values):
    """Places from 1; equal values share the mean of theirs."""
    return [sum(w < v for w in values) + (1 + sum(w == v for w in values)) / 2 for v in values]


a, b = samples(sys.argv[1]), counts(sys.argv[2])
common = sorted(set(a) & set(b))
rho = statistics.correlation(places([a[n] for n in common]), places([b[n] for n in common]))
top = lambda of, names: set(sorted(names, key=lambda n: -of[n])[:10])
print(f"{len(common)} {rho:.12f} {len(top(a, common) & top(b, b))}")
