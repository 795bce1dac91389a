/** The number of the counter at a place along a strip. */
export function counterAt(x: number, width: number, count: number): number {
  return Math.min(Math.max(Math.floor((x / width) * count), 0), count - 1);
}

/** A part as an address has it, from whichever end it was dragged. */
export function span(a: number, b: number): string {
  return `${Math.min(a, b)}..${Math.max(a, b)}`;
}
