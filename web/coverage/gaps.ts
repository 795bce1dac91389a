import { announce } from "../dom";
import type { Keys } from "../keys/keys";

// An address that says where the page opens.
const says = /[?&](sel|from)=/;

/**
 * The rows of a table that are gaps, one after the other by a key. Without a row on
 * this page the link of the key, if there is one, leads to the next. In a file's lines
 * x unfolds what is under the row, and g shows all lines or the gaps. They open at the
 * first gap, where the address names no line.
 */
export class Gaps {
  constructor(
    private readonly table: HTMLTableElement,
    keys: Keys,
  ) {
    for (const [key, by] of [
      [table.dataset["next"], 1],
      [table.dataset["previous"], -1],
    ] as const) {
      if (key) keys.on(key, () => this.step(by));
    }
    if (table.dataset["previous"]) {
      keys.on("g", () =>
        press(document.querySelector<HTMLElement>(".src-head .segments a:not([aria-current])")),
      );
      keys.on("x", () => press(this.row?.querySelector<HTMLElement>("[data-toggle]")));
      const first = table.querySelector("tr[data-gap]");
      if (first && !location.hash && !says.test(location.search)) {
        if (first.getBoundingClientRect().bottom > innerHeight) first.scrollIntoView({ block: "center" });
      }
    }
    document.addEventListener("click", (event) => {
      const by = { n: 1, p: -1 }[
        (event.target as Element).closest<HTMLElement>("[data-step]")?.dataset["step"] ?? ""
      ];
      if (by !== undefined && this.step(by)) event.preventDefault();
    });
  }

  private get row(): HTMLTableRowElement | null {
    const focused = document.activeElement?.closest("tr");
    return focused && this.table.contains(focused)
      ? focused
      : this.table.querySelector("tr[data-active], tr[aria-selected=true], tr:has(:target)");
  }

  private step(by: number): boolean {
    const rows = [...this.table.querySelectorAll<HTMLTableRowElement>("tr[data-gap]")];
    const at = this.row;
    const beyond = (row: HTMLTableRowElement) => !at || row.rowIndex * by > at.rowIndex * by;
    const to = by > 0 ? rows.find(beyond) : at && rows.findLast(beyond);
    const link = to?.querySelector<HTMLElement>("[data-open]");
    if (link) {
      link.focus({ preventScroll: true });
      to?.scrollIntoView({ block: "center" });
      return true;
    }
    if (document.querySelector('[rel="next"], [rel="prev"]')) return false; // the link goes on
    announce(by > 0 ? "No gap after this" : "No gap before this");
    return true;
  }
}

function press(link: HTMLElement | null | undefined): boolean {
  link?.click();
  return !!link;
}
