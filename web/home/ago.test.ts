import assert from "node:assert/strict";
import { test } from "node:test";
import { ago } from "./ago";

test("times of the past", () => {
  const now = Date.UTC(2026, 6, 20, 12, 0, 0);
  for (const [before, want] of [
    [0, "just now"],
    [59_000, "just now"],
    [60_000, "1\u00a0min ago"],
    [3_600_000, "1\u00a0h ago"],
    [6 * 86_400_000, "6\u00a0d ago"],
    [7 * 86_400_000, "13 Jul"],
    [365 * 86_400_000, "20 Jul 2025"],
  ] as const)
    assert.equal(ago(now - before, now), want);
});
