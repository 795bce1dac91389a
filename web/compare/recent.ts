import { basePath } from "../api/api";
import { button, el, need } from "../dom";
import { moment } from "../home/ago";

// The comparisons that this browser has shown, latest first. The server knows
// nothing of the list.

export interface Compared {
  base: string; // ids
  test: string;
  names: [string, string];
  at: number; // ms since 1970
}

/** As many as are kept. */
export const capacity = 20;

const storageKey = "proflens.comparisons";
const idPattern = /^[a-z2-7]{20,64}$/;

/** Reads what was stored, leaving out what is none of ours. */
export function parse(text: string | null): Compared[] {
  let list: unknown;
  try {
    list = JSON.parse(text ?? "[]");
  } catch {
    return [];
  }
  return Array.isArray(list) ? list.filter(isCompared) : [];
}

function isCompared(value: unknown): value is Compared {
  if (typeof value !== "object" || value === null) return false;
  const v = value as Record<string, unknown>;
  const names = v["names"];
  return (
    isID(v["base"]) &&
    isID(v["test"]) &&
    Array.isArray(names) &&
    names.length === 2 &&
    names.every((name) => typeof name === "string") &&
    typeof v["at"] === "number"
  );
}

function isID(value: unknown): boolean {
  return typeof value === "string" && idPattern.test(value);
}

/** The list with one more; a pair stands in it once, either way round. */
export function withCompared(list: readonly Compared[], added: Compared): Compared[] {
  const pair = (c: Compared) => [c.base, c.test].sort().join();
  return [added, ...list.filter((c) => pair(c) !== pair(added))].slice(0, capacity);
}

function stored(): Compared[] {
  try {
    return parse(localStorage.getItem(storageKey));
  } catch {
    return []; // storage is off
  }
}

function store(list: readonly Compared[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(list));
  } catch {
    // Full or off: the page works without.
  }
}

/** Remembers the comparison of this page. */
export function compared(page: HTMLElement): void {
  const { base, test, baseName, testName } = page.dataset;
  const here = new URL(location.href);
  if (here.searchParams.has("wait")) {
    // How one came here is no part of what is shown.
    here.searchParams.delete("wait");
    history.replaceState(history.state, "", here);
  }
  if (base && test) {
    store(
      withCompared(stored(), { base, test, names: [baseName ?? base, testName ?? test], at: Date.now() }),
    );
  }
}

/** Lists those remembered on the home page. */
export function recent(section: HTMLElement): void {
  const list = need(section, "[data-recent-rows]");
  const render = () => {
    const all = stored();
    section.hidden = all.length === 0;
    list.replaceChildren(...all.map(line));
  };
  const forget = button("Forget all", "button button-small", () => {
    store([]);
    render();
  });
  need(section, "[data-recent-tools]").append(forget);
  addEventListener("storage", render);
  render();
}

function line(c: Compared): HTMLElement {
  const [a, b] = c.names;
  return el(
    "li",
    { "data-testid": "recent-row" },
    el("a", { href: `${basePath()}/compare/${c.base}...${c.test}` }, `${a} … ${b}`),
    " ",
    moment(c.at, "dim"),
  );
}
