// Which files become one profile: as the server's group=auto would have it,
// and as the user then moves them. Groups are lists of file numbers.

import type { Sniffed } from "./sniff";
import { canMap, isProgram } from "./sniff_program";

export type Groups = readonly (readonly number[])[];

/**
 * Files of one key are one group, all other profiles one each. A companion joins
 * the group that claims it most. An empty file joins the first raw group, where it
 * is but a warning. What is no profile joins the first, which leaves it out. Beside
 * what is a profile for certain, what was guessed to be one is none.
 */
export function byContent(given: readonly Sniffed[]): Groups {
  const certain = given.some(({ is, guess }) => is === "profile" && !guess);
  const files = given.map((file): Sniffed => (certain && file.guess ? { ...file, is: "foreign" } : file));
  const groups: number[][] = [];
  const those = (...is: Sniffed["is"][]) =>
    files.flatMap((file, i) => (is.includes(file.is) ? [{ file, i }] : []));

  for (const { file, i } of those("profile", "unread", "packed")) addByKey(groups, files, file, i);
  const strangers = those("companion").filter(({ file, i }) => !join(groups, files, file, i));
  for (const { i } of those("empty")) {
    const home = groups.find(([first = 0]) => files[first]?.format === "llvm-raw");
    if (home) home.push(i);
    else groups.push([i]);
  }
  const archives = groups.filter(([first = 0]) => files[first]?.is === "packed");
  let home = groups.find(([first = 0]) => files[first]?.is === "profile");
  if (archives.length === 1) home ??= archives[0];
  const outside = [...those("foreign", "unknown"), ...strangers];
  for (const { i } of outside) {
    if (home) {
      home.push(i);
      continue;
    }
    const alone = [i];
    groups.push(alone);
    home ??= alone;
  }
  return groups.map((group) => group.sort((a, b) => a - b));
}

/** Adds a file to the first group of its key, or makes one of its own. */
function addByKey(groups: number[][], files: readonly Sniffed[], file: Sniffed, i: number): void {
  const home = groups.find(([first = 0]) => file.key !== undefined && files[first]?.key === file.key);
  if (home && !(file.single && home.some((n) => files[n]?.single))) home.push(i);
  else groups.push([i]);
}

const isDCPI = (file: Sniffed) => file.key === "dcpi";

const wantsCompanion = (file: Sniffed) => file.wants !== undefined || isDCPI(file);

const isCounters = (file: Sniffed) =>
  file.is === "profile" && /^llvm-(raw|indexed|text)$/.test(file.format ?? "");

/** Whether a file may have the coverage mapping of a profile. */
const maps = (profile: Sniffed, file: Sniffed) =>
  isCounters(profile) && /\bfront end\b/.test(profile.describe) && canMap(file);

const isSample = ({ is, format }: Sniffed) => is === "profile" && !!format?.startsWith("sample-");

/** Whether a file says something of the functions that were sampled. */
const tells = (profile: Sniffed, file: Sniffed) =>
  isSample(profile) && (isProgram(file) || file.format === "nm" || file.format === "names");

/** Whether a profile is glad of a program: for its coverage mapping, or what else it says of its functions. */
const isGladOf = (profile: Sniffed, file: Sniffed) =>
  tells(profile, file) ||
  maps(profile, file) ||
  (isCounters(profile) && /\bIR\b/.test(profile.describe) && isProgram(file));

/** How much a profile wants a companion: one that names its build ID certainly does. */
const claims = { none: 0, welcomes: 1, prefers: 2, perhaps: 3, certainly: 4 };

function claimOf(profile: Sniffed, companion: Sniffed): number {
  const { format, buildId } = companion;
  if (isDCPI(profile) && (format === "nm" || format === "elf")) return claims.welcomes;
  if (profile.wants === undefined && maps(profile, companion)) return claims.prefers;
  if (profile.wants === undefined && isGladOf(profile, companion)) return claims.welcomes;
  if (profile.wants === undefined || !isProgram(companion) || companion.unlinked) return claims.none;
  if (format !== "elf" && profile.format !== "llvm-raw") return claims.none; // a heap's is ELF
  if (!profile.wants || !buildId) return claims.perhaps;
  return profile.wants.includes(buildId) ? claims.certainly : claims.none;
}

/** That of a group. One with a map has what a program would bring. */
function claimOfGroup(group: readonly number[], files: readonly Sniffed[], companion: Sniffed): number {
  const members = group.flatMap((i) => files[i] ?? []);
  if (members.some((file) => file.single)) return claims.none;
  return Math.max(...members.map((file) => claimOf(file, companion)));
}

/**
 * Puts a companion into the first group that claims it most. What perhaps goes
 * with a profile does so where there is no choice.
 */
function join(groups: number[][], files: readonly Sniffed[], file: Sniffed, i: number): boolean {
  const all = groups.map((group) => claimOfGroup(group, files, file));
  const best = Math.max(claims.none, ...all);
  const choices = Math.max(
    all.filter((claim) => claim === best).length,
    // A program and its debug info, which has its build ID, are one.
    files
      .filter(isProgram)
      .filter(({ buildId }, n, all) => !buildId || all.findIndex((other) => other.buildId === buildId) === n)
      .length,
  );
  if (best === claims.none || (best === claims.perhaps && choices > 1)) return false;
  groups[all.indexOf(best)]?.push(i);
  return true;
}

const isOutside = ({ is }: Sniffed) => is === "companion" || is === "foreign" || is === "unknown";

/** Whether the server leaves a file out of its group's profile. */
export function leftOut(i: number, group: readonly number[], files: readonly Sniffed[]): boolean {
  const file = files[i];
  const profiles = group.flatMap((n) => files[n] ?? []).filter(({ is }) => is === "profile");
  if (file?.is === "companion" && profiles.some((f) => wantsCompanion(f) || isGladOf(f, file))) return false;
  return profiles.length > 0 && file !== undefined && isOutside(file);
}

/**
 * Whether files clearly form one profile, so that there is nothing to ask. What a
 * companion doubts is that it stands alone, which it does not here.
 */
export function obvious(files: readonly Sniffed[]): boolean {
  const [group, ...others] = byContent(files);
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

/** What will become of a group, in a few words. */
export function describeGroup(group: readonly number[], files: readonly Sniffed[]): string {
  const kept = group.filter((i) => !leftOut(i, group, files)).flatMap((i) => files[i] ?? []);
  const profiles = kept.filter(({ is }) => is === "profile");
  if (profiles.some(isDCPI)) return kept.length > 1 ? "one DCPI database" : "";
  if (groupField(group, files) === "auto")
    return kept.some(({ format }) => format === "nm")
      ? "a DCPI database with procedures"
      : "its contents are grouped by program";
  if (kept.length === 1) return "";
  if (kept.every(isOutside)) return "no profile among them";
  const program = kept.some(isProgram) && profiles.some(({ wants }) => wants !== undefined);
  if (program) return "completed by its executable";
  if (profiles.some((f) => kept.some((file) => isProgram(file) && tells(f, file))))
    return "with what its program says of its functions";
  if (profiles.some(isSample) && kept.some(({ is }) => is === "companion"))
    return "with the names of its functions";
  if (profiles.some((f) => kept.some((file) => maps(f, file)))) return "with the coverage of its lines";
  if (profiles.some((f) => kept.some((file) => isGladOf(f, file)))) return "with the lines of its functions";
  const one = new Set(profiles.map(({ key }) => key ?? {})).size === 1;
  if (one && profiles.every(({ format }) => format?.startsWith("mip")))
    return "a map and its runs, one profile";
  return one ? "raw files of one program, merged" : "merged into one";
}

/** How the server is to treat a group: what comes out of a lone archive is left for it to group. */
export function groupField(group: readonly number[], files: readonly Sniffed[]): "one" | "auto" {
  const kinds = group.map((i) => files[i]?.is);
  const archives = kinds.filter((is) => is === "packed").length;
  return archives === 1 && !kinds.some((is) => is === "profile" || is === "unread") ? "auto" : "one";
}
