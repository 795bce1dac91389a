import { copy } from "../copy/copy";
import { announce } from "../dom";
import type { Keys } from "../keys/keys";
import { isModified, isPlainClick } from "../rows/rows";
import { Inspector } from "./inspector";

/** The function table with its menus and its inspector. */
export class Workbench {
  private readonly inspector: Inspector;

  constructor(
    private readonly root: HTMLElement,
    keys: Keys,
  ) {
    this.inspector = new Inspector(root);
    root.addEventListener("click", (event) => this.click(event));
    root.addEventListener("focusin", (event) => this.inspector.follow(rowOf(event.target)));
    document.addEventListener("click", (event) => this.closeMenus(event.target));
    keys.on("Escape", () => this.closeMenus(null));
    keys.on(" ", () => this.inspector.open(this.activeRow()));
    keys.on("x", () => this.nextNames());
    keys.on("N", () => this.copyName());
  }

  private click(event: MouseEvent): void {
    const link = (event.target as Element).closest("a");
    if (isModified(event)) return;
    if (link?.closest("[data-inspector]") && link.dataset["key"] === "Escape") {
      event.preventDefault();
      this.inspector.close(link.href);
      return;
    }
    const select = link?.closest(".col-rank");
    const row = rowOf(event.target);
    if (!row || !(select || isPlainClick(event))) return;
    event.preventDefault();
    this.inspector.open(row);
  }

  /** Closes the menus that a press was not in, and reports whether one was open. */
  private closeMenus(pressed: EventTarget | null): boolean {
    let closed = false;
    for (const menu of this.root.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) {
      if (pressed instanceof Node && menu.contains(pressed)) continue;
      menu.open = false;
      closed = true;
      if (pressed === null) menu.querySelector("summary")?.focus();
    }
    return closed;
  }

  private activeRow(): HTMLTableRowElement | null {
    const inside = rowOf(document.activeElement);
    return inside ?? this.root.querySelector("tbody tr[data-active]");
  }

  private nextNames(): boolean {
    const links = [...this.root.querySelectorAll<HTMLAnchorElement>(".segments a")];
    const at = links.findIndex((link) => link.ariaCurrent === "true");
    links[(at + 1) % links.length]?.click();
    return links.length > 0;
  }

  private copyName(): boolean {
    const name = this.activeRow()?.querySelector(".fn");
    if (!name) {
      if (!this.root.querySelector(".fn")) return false;
      announce("No row is selected: click one, or press j");
      return true;
    }
    void copy([...name.children].map((part) => part.textContent ?? "").join(""));
    return true;
  }
}

function rowOf(target: EventTarget | null): HTMLTableRowElement | null {
  return target instanceof Element ? target.closest<HTMLTableRowElement>("tr[data-select]") : null;
}
