/** A chosen profile: the families in which it can be compared, and why it cannot be merged. */
export interface Pick {
  families: readonly string[];
  refused: string;
}

/** What can be done with the chosen profiles: empty, or why not. */
export interface Fit {
  compare: string;
  merge: string;
  says: string; // for a person, in one line
}

export function fits(picks: readonly Pick[]): Fit {
  const n = picks.length;
  if (n < 2) {
    const why =
      n === 0 ? "Choose two profiles to compare, two or more to merge." : "1 chosen: choose another.";
    return { compare: why, merge: why, says: why };
  }
  const [a, b] = picks;
  const common = a?.families.some((family) => b?.families.includes(family));
  const compare =
    n > 2
      ? "Choose exactly two to compare."
      : common
        ? ""
        : "They measure different things and cannot be compared.";
  const merge = picks.find((pick) => pick.refused)?.refused
    ? "Only LLVM’s counters and heap profiles can be merged."
    : "";
  return { compare, merge, says: [`${n} chosen.`, compare, merge].filter(Boolean).join(" ") };
}
