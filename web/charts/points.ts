/** The first n functions hold share of the total, 0 to 1. */
export interface Point {
  n: number;
  share: number;
}

/** The share at n, in a straight line between the points, which ascend. */
export function shareAt(points: Point[], n: number): number {
  const after = points.findIndex((point) => point.n >= n);
  const b = points[after];
  if (!b) return points.at(-1)?.share ?? 0;
  const a = points[after - 1];
  if (!a || b.n === n) return b.share;
  return a.share + ((b.share - a.share) * (n - a.n)) / (b.n - a.n);
}
