// The version word of LLVM's profiles: the version in its lower half, flags in
// its upper.

export const versionOf = (word: bigint): number => Number(word & 0xffffffffn);

export const hasFlag = (word: bigint, bit: bigint): boolean => ((word >> bit) & 1n) === 1n;

export const byteCoverage = 60n;
export const memProf = 62n;

const flags: [bit: bigint, word: string][] = [
  [57n, "context-sensitive"],
  [58n, "entry first"],
  [55n, "loop entries"],
  [byteCoverage, "byte coverage"],
  [61n, "function entries only"],
  [63n, "temporal"],
  [59n, "debug-info correlated"],
  [memProf, "MemProf"],
];

/** How the program was instrumented, in the server's words. */
export function variantWords(word: bigint): string[] {
  const set = flags.filter(([bit]) => hasFlag(word, bit)).map(([, text]) => text);
  return [hasFlag(word, 56n) ? "IR" : "front end", ...set];
}

export const notWhole = "It ends inside its header.";

export const tooNew = (version: number, newest: number): string =>
  `Version ${version} is unknown; the newest known is ${newest}. The file is kept and can be decoded after an update.`;
