// What this browser remembers of profiles: those opened or uploaded here, with
// their delete tokens. The server knows nothing of the list.

export interface Remembered {
  id: string;
  name: string;
  format: string;
  how: "opened" | "uploaded";
  at: number; // ms since 1970
  token?: string;
}

/** As many as are kept; those without a token go first. */
export const capacity = 200;

const storageKey = "proflens.profiles";
const idPattern = /^[a-z2-7]{20,64}$/;

/** Reads what was stored, leaving out what is none of ours. */
export function parse(text: string | null): Remembered[] {
  let list: unknown;
  try {
    list = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  return Array.isArray(list) ? list.filter(isRemembered) : [];
}

function isRemembered(value: unknown): value is Remembered {
  if (typeof value !== "object" || value === null) return false;
  const v = value as Record<string, unknown>;
  return (
    typeof v["id"] === "string" &&
    idPattern.test(v["id"]) &&
    typeof v["name"] === "string" &&
    typeof v["format"] === "string" &&
    typeof v["at"] === "number" &&
    (v["how"] === "opened" || v["how"] === "uploaded") &&
    (v["token"] === undefined || typeof v["token"] === "string")
  );
}

/**
 * The list with one more, latest first. What was known of the same profile and
 * is not said again stays: above all its token.
 */
export function withProfile(list: readonly Remembered[], added: Remembered): Remembered[] {
  const before = list.find((p) => p.id === added.id);
  const merged: Remembered = { ...before, ...added };
  if (before?.how === "uploaded") merged.how = "uploaded";
  if (!added.format && before) merged.format = before.format;
  const rest = list.filter((p) => p.id !== added.id);
  const all = [merged, ...rest];
  if (all.length <= capacity) return all;
  const spare = all.findLastIndex((p) => p.token === undefined);
  all.splice(spare > 0 ? spare : all.length - 1, 1);
  return all;
}

/** The list in this browser's storage, shared by its tabs. */
export class Library {
  private readonly changed: (() => void)[] = [];

  list(): Remembered[] {
    try {
      return parse(localStorage.getItem(storageKey));
    } catch {
      return []; // storage is off
    }
  }

  remember(profile: Remembered): void {
    this.store(withProfile(this.list(), profile));
  }

  forget(id: string): void {
    this.store(this.list().filter((p) => p.id !== id));
  }

  clear(): void {
    this.store([]);
  }

  token(id: string): string | undefined {
    return this.list().find((p) => p.id === id)?.token;
  }

  /** Runs when the list has changed, here or in another tab. */
  onChange(run: () => void): void {
    this.changed.push(run);
    addEventListener("storage", (event) => {
      if (event.key === storageKey || event.key === null) run();
    });
  }

  private store(list: Remembered[]): void {
    try {
      localStorage.setItem(storageKey, JSON.stringify(list));
    } catch {
      // Full or off: the page works without.
    }
    for (const run of this.changed) run();
  }
}
