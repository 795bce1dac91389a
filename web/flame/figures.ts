// Numbers as the server writes them.

import { size } from "../upload/size";
import type { Weight } from "./graph";

const space = "\u00a0";

/** A number of things: in full below 10 000, else three digits and an SI prefix. */
export function count(value: number): string {
  if (value < 10_000) return group(Math.round(value));
  let scaled = value;
  let prefix = "";
  for (const next of ["k", "M", "G", "T", "P", "E"]) {
    if (prefix && scaled < 999.5) break;
    scaled /= 1000;
    prefix = next;
  }
  return `${threeDigits(scaled)}${space}${prefix}`;
}

/** A number of frames, with the word. */
export const frames = (n: number): string => `${count(n)} ${n === 1 ? "frame" : "frames"}`;

/** A whole number in groups of three digits. */
export function group(value: number): string {
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, space);
}

export function percent(share: number): string {
  const p = 100 * share;
  if (p > 0 && p < 0.05) return `<${space}0.1${space}%`;
  return `${p >= 99.95 ? "100" : p.toFixed(1)}${space}%`;
}

/** A time in the unit that suits it. */
export function seconds(value: number): string {
  if (value < 1) return `${threeDigits(value * 1000)}${space}ms`;
  if (value < 120) return `${threeDigits(value)}${space}s`;
  if (value < 7200) return `${threeDigits(value / 60)}${space}min`;
  return `${threeDigits(value / 3600)}${space}h`;
}

/** A rate, which may be far below 1. */
export function rate(value: number): string {
  if (value === 0) return "0";
  if (value < 0.001) return value.toExponential(1);
  return value < 10_000 ? threeDigits(value) : count(value);
}

/** What weights count, one and many; a page names those of its family. */
const counted = new Map<Weight, readonly [one: string, many: string]>([
  ["allocations", ["allocation", "allocations"]],
  ["accesses", ["access", "accesses"]],
  ["lifetime", ["byte·s", "byte·s"]],
]);

/** Has a weight written as a number of these. */
export function counts(weight: Weight, one: string, many: string): void {
  counted.set(weight, [one, many]);
}

/** A weight with its unit. */
export function weigh(weight: Weight, value: number): string {
  if (weight === "bytes") return size(Math.round(value)).replace(" ", space);
  const [one, many] = counted.get(weight) ?? ["", ""];
  return `${count(value)}${space}${value === 1 ? one : many}`.trimEnd();
}

function threeDigits(value: number): string {
  if (value >= 99.95) return group(value);
  return value >= 9.995 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}
