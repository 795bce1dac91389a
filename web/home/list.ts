import { pageAt } from "../dom";
import type { Keys } from "../keys/keys";
import { Rows } from "../rows/rows";
import { chosen } from "./chosen";

/** What an upload tells the list: the server has something new. */
export const storedEvent = "proflens:stored";

/** How long the list asks again while profiles are on their way: ten minutes or so. */
const rounds = 80;

/**
 * The list of profiles, renewed after an upload and while profiles are being
 * decoded. Cells change where they stand; rows come and go only when neither
 * the pointer nor the focus is in the list or below it.
 */
export class List {
  private left = 0;
  private asking = false;
  private again = false; // there is something newer than what was asked for last
  private fresh: Element | undefined; // what came last and has rows that do not stand here

  constructor(
    private readonly section: HTMLElement,
    private readonly keys: Keys,
  ) {
    document.addEventListener(storedEvent, () => this.start());
    for (const event of ["pointerleave", "focusout"])
      document.querySelector("main")?.addEventListener(event, () => setTimeout(() => this.settle()), true);
    if (this.pending()) this.start();
  }

  private pending(): boolean {
    return this.section.querySelector("[data-pending]") !== null;
  }

  private start(): void {
    this.left = rounds;
    this.again = true;
    if (this.asking) return;
    this.asking = true;
    void this.ask().finally(() => {
      this.asking = false;
    });
  }

  private async ask(): Promise<void> {
    for (let wait = 500; this.left > 0; wait = Math.min(wait * 1.4, 10_000)) {
      this.left--;
      if (!document.hidden) {
        this.again = false;
        const page = await fetched();
        const done = page !== null && !page.querySelector("[data-pending]"); // before its rows move here
        if (page) this.take(page);
        if (done && !this.again) return;
      }
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  /** Takes over what a newer page says of the profiles that stand here. */
  private take(page: Element): void {
    for (const row of rowsOf(page)) {
      const here = rowsOf(this.section).find((r) => r.dataset["profile"] === row.dataset["profile"]);
      if (here) update(here, row);
    }
    this.fresh = page;
    this.settle();
    document.dispatchEvent(new Event("renewed"));
  }

  /** Puts rows in the newer order, once that moves nothing that is in use. */
  private settle(): void {
    const page = this.fresh;
    if (!page || this.inUse()) return;
    this.fresh = undefined;
    const ids = (section: Element) => rowsOf(section).map((row) => row.dataset["profile"]);
    if (ids(page).join() === ids(this.section).join()) return;
    const [table, newer] = [this.section.querySelector("table"), page.querySelector("table")];
    if (table?.tBodies[0] && newer) {
      const here = new Map(rowsOf(this.section).map((row) => [row.dataset["profile"], row]));
      table.tBodies[0].replaceChildren(...rowsOf(page).map((row) => here.get(row.dataset["profile"]) ?? row));
      this.section.querySelector("[data-count]")?.replaceWith(...page.querySelectorAll("[data-count]"));
      table.dispatchEvent(new Event("renewed"));
    } else {
      this.section.replaceChildren(...page.childNodes); // the first profile, or none is left
      const table = this.section.querySelector("table");
      if (table) new Rows(table, this.keys);
      const form = this.section.querySelector<HTMLFormElement>("[data-controller=chosen]");
      if (form) chosen(form, this.keys);
    }
    document.dispatchEvent(new Event("renewed"));
  }

  private inUse(): boolean {
    for (let panel: Element | null = this.section; panel; panel = panel.nextElementSibling) {
      if (panel.matches(":hover, :focus-within")) return true;
    }
    return false;
  }
}

const rowsOf = (section: Element) => [...section.querySelectorAll<HTMLElement>("tr[data-profile]")];

/** Brings a row up to date around its box and its link. */
function update(row: HTMLElement, newer: HTMLElement): void {
  if (!row.hasAttribute("data-pending") && !newer.hasAttribute("data-pending")) return;
  row.toggleAttribute("data-pending", newer.hasAttribute("data-pending"));
  const [box, other] = [row, newer].map((r) => r.querySelector("input"));
  if (box && other) {
    box.disabled = other.disabled;
    Object.assign(box.dataset, other.dataset);
  }
  const cells = [...newer.children].slice(2).map((cell) => cell.cloneNode(true));
  [...row.children].slice(2).forEach((cell, i) => {
    const next = cells[i];
    if (next && next.textContent !== cell.textContent) cell.replaceWith(next);
  });
}

/** The list of the page as it is now. */
async function fetched(): Promise<Element | null> {
  return (await pageAt(location.href))?.querySelector("[data-controller~=profiles]") ?? null;
}
