const slashed = (name: string) => name.replaceAll("\\", "/").replace(/\/+/g, "/");

/** The ends of a path, the longest first, without "." and "..". */
function endsOf(name: string): string[] {
  const parts = slashed(name)
    .split("/")
    .filter((part) => part !== "" && part !== "." && part !== "..");
  return parts.map((_, i) => parts.slice(i).join("/"));
}

/**
 * Finds the text of each file that a profile names among paths below a folder, as
 * `proflens upload -sources` does: the index of the path whose end is longest in common, or
 * -1. A common file name alone does for paths in at most one folder. Of several that fit as
 * well, the one with least before its common end counts, and else none.
 */
export function pair(files: readonly string[], paths: readonly string[]): number[] {
  const named = new Set(files.map((file) => endsOf(file).at(-1)));
  const found = new Map<string, { path: number; before: number; several: boolean }>();
  for (const [path, name] of paths.entries()) {
    if (!named.has(name.slice(name.lastIndexOf("/") + 1))) continue;
    for (const [before, end] of endsOf(name).entries()) {
      const had = found.get(end);
      if (!had || before < had.before) found.set(end, { path, before, several: false });
      else if (before === had.before) had.several = true;
    }
  }
  return files.map((file) => {
    const ends = endsOf(file);
    const end = ends.find((end) => found.has(end)) ?? "";
    const best = found.get(end);
    const fits = best && !best.several && (best.before <= 1 || end === ends[0] || end.includes("/"));
    return fits ? best.path : -1;
  });
}
