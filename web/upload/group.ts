// Which files become one profile: as the server has it, and as the user then moves
// them. Groups are lists of file numbers.

import type { Known } from "./recognise";

export type Groups = readonly (readonly number[])[];

const isOutside = ({ is }: Known) => is === "companion" || is === "foreign" || is === "unknown";

/** Whether the server leaves a file out of its group's profile. */
export function leftOut(i: number, group: readonly number[], files: readonly Known[]): boolean {
  const file = files[i];
  const profiles = group.flatMap((n) => files[n] ?? []).filter(({ is }) => is === "profile");
  if (!file || profiles.some((profile) => file.claimedBy.includes(profile))) return false;
  return profiles.length > 0 && isOutside(file);
}

/**
 * Whether files clearly form one profile, so that there is nothing to ask. What a
 * companion doubts is that it stands alone, which it does not here.
 */
export function obvious(files: readonly Known[], groups: Groups): boolean {
  const [group, ...others] = groups;
  return (
    group !== undefined &&
    others.length === 0 &&
    group.every((i) => !leftOut(i, group, files)) &&
    files.every(({ is, doubt }) => is === "companion" || !doubt) &&
    files.some(({ is }) => is === "profile" || is === "packed") &&
    files.every(({ is }) => is === "profile" || is === "packed" || is === "companion")
  );
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

const isProgram = ({ format }: Known) => format === "elf" || format === "mach-o" || format === "pe";

/** What will become of a group, in a few words. */
export function describeGroup(group: readonly number[], files: readonly Known[]): string {
  const kept = group.filter((i) => !leftOut(i, group, files)).flatMap((i) => files[i] ?? []);
  const profiles = kept.filter(({ is }) => is === "profile");
  const are = (format: string) => profiles.some((profile) => profile.format?.startsWith(format));
  if (are("dcpi")) return kept.length > 1 ? "one DCPI database" : "";
  if (groupField(group, files) === "auto")
    return kept.some(({ format }) => format === "nm")
      ? "a DCPI database with procedures"
      : "its contents are grouped by program";
  if (kept.length === 1) return "";
  if (kept.every(isOutside)) return "no profile among them";
  const completed = profiles.filter((profile) => kept.some(({ claimedBy }) => claimedBy.includes(profile)));
  if (completed.some(({ whole }) => !whole)) return "completed by its executable";
  if (completed.some(({ format }) => format?.startsWith("sample-")))
    return kept.some(isProgram)
      ? "with what its program says of its functions"
      : "with the names of its functions";
  if (completed.some(({ describe }) => /\bfront end\b/.test(describe)))
    return "with the coverage of its lines";
  if (completed.length > 0) return "with the lines of its functions";
  if (new Set(profiles.map(({ home }) => home)).size > 1) return "merged into one";
  return are("mip") ? "a map and its runs, one profile" : "raw files of one program, merged";
}

/** How the server is to treat a group: what comes out of a lone archive is left for it to group. */
export function groupField(group: readonly number[], files: readonly Known[]): "one" | "auto" {
  const kinds = group.map((i) => files[i]?.is);
  if (kinds.includes("unasked")) return "auto";
  const archives = kinds.filter((is) => is === "packed").length;
  return archives === 1 && !kinds.some((is) => is === "profile" || is === "unread") ? "auto" : "one";
}
