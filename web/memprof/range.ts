/**
 * The value at a part of a log axis. What is at or below the low end is drawn
 * on it, so that the end itself stands for everything below: 0.
 */
export function axisValue(at: number, low: number, high: number): number {
  return at <= 0.002 ? 0 : low * (high / low) ** at;
}

/** A range as parameters have it, with three significant digits; one from 0 is open below. */
export function range(a: number, b: number): string {
  const [low, high] = a < b ? [a, b] : [b, a];
  return `${low > 0 ? digits(low) : ""}..${digits(high)}`;
}

function digits(value: number): string {
  const text = value.toPrecision(3);
  return text.includes("e") ? Number(text).toFixed(value < 1 ? 9 : 0) : text;
}
