// Which files become one profile: as the server's group=auto would have it,
// and as the user then moves them. Groups are lists of file numbers.

import type { Sniffed } from "./sniff";

export type Groups = readonly (readonly number[])[];

/**
 * Raw files of one program are one group, all others one each. An empty raw
 * file adds nothing and joins the first raw group, where it is but a warning. An
 * executable joins the raw files that need one, where there is no choice.
 */
export function byContent(files: readonly Sniffed[]): Groups {
  const groups: number[][] = [];
  const byProgram = new Map<string, number[]>();
  const empties: number[] = [];
  let firstRaw: number[] | undefined;
  files.forEach((file, i) => {
    if (file.kind === "empty") {
      empties.push(i);
      return;
    }
    const known = file.program === undefined ? undefined : byProgram.get(file.program);
    if (known) {
      known.push(i);
      return;
    }
    const group = [i];
    groups.push(group);
    if (file.program !== undefined) byProgram.set(file.program, group);
    if (file.kind === "raw") firstRaw ??= group;
  });
  const [needy, ...more] = groups.filter((group) => group.some((i) => files[i]?.needsExecutable));
  const executables = groups.filter((group) => group.every((i) => files[i]?.kind === "executable"));
  if (needy && more.length === 0 && executables.length === 1) {
    needy.push(...(executables[0] ?? []));
    groups.splice(groups.indexOf(executables[0] ?? []), 1);
  }
  joinListings(groups, files);
  if (firstRaw) firstRaw.push(...empties);
  else groups.push(...empties.map((i) => [i]));
  return groups.map((group) => group.sort((a, b) => a - b));
}

/**
 * Files of DCPI are one database, and listings of nm are of it; beside a lone
 * archive, they are of what is in that.
 */
function joinListings(groups: number[][], files: readonly Sniffed[]): void {
  const of = (kind: Sniffed["kind"]) => groups.filter((group) => group.every((i) => files[i]?.kind === kind));
  const packed = of("packed");
  const [home, ...others] = [
    ...of("dcpi"),
    ...(of("dcpi").length === 0 && packed.length === 1 ? packed : []),
  ];
  if (!home) return;
  for (const group of [...others, ...of("listing")]) {
    home.push(...group);
    groups.splice(groups.indexOf(group), 1);
  }
}

export const allInOne = (files: number): Groups =>
  files ? [Array.from({ length: files }, (_, i) => i)] : [];

export const oneEach = (files: number): Groups => Array.from({ length: files }, (_, i) => [i]);

/** Moves a file to a group; one number past the last makes a new group. */
export function move(groups: Groups, file: number, to: number): Groups {
  const next = groups.map((group) => group.filter((f) => f !== file));
  if (to < next.length) next[to] = [...(next[to] ?? []), file].sort((a, b) => a - b);
  else next.push([file]);
  return next.filter((group) => group.length > 0);
}

/** Takes a file out; the files after it move up by one number. */
export function without(groups: Groups, file: number): Groups {
  return groups
    .map((group) => group.filter((f) => f !== file).map((f) => (f > file ? f - 1 : f)))
    .filter((group) => group.length > 0);
}

/** What will become of a group, in a few words. */
export function describeGroup(group: readonly number[], files: readonly Sniffed[]): string {
  const kinds = new Set(group.map((i) => files[i]?.kind));
  kinds.delete("empty");
  if (group.length === 1) return kinds.has("packed") ? "what is in it is grouped by content" : "";
  if (kinds.has("dcpi")) return "one DCPI database";
  if (kinds.delete("listing")) return "a DCPI database and its procedures";
  const programs = new Set(group.map((i) => files[i]?.program).filter((p) => p !== undefined));
  if (kinds.delete("executable") && kinds.size === 1 && group.some((i) => files[i]?.needsExecutable))
    return "completed by its executable";
  if (kinds.size === 1 && kinds.has("raw") && programs.size <= 1) return "raw files of one program, merged";
  if (kinds.size === 1 && kinds.has("mip") && programs.size === 1) return "a map and its runs, one profile";
  return "merged into one";
}

/** How the server is to treat a group: only a lone archive is left for it to group. */
export function groupField(group: readonly number[], files: readonly Sniffed[]): "one" | "auto" {
  return group.length === 1 && files[group[0] ?? 0]?.kind === "packed" ? "auto" : "one";
}
