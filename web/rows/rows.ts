import { copyLink } from "../copy/copy";
import type { Keys } from "../keys/keys";

/**
 * The rows of a table as one tab stop. A click on a row selects it; j and k, or the
 * arrows inside the table, select the next; the selected row's link ([data-open]) has
 * the focus, so that Enter opens it as it does any link, and y copies it.
 */
export class Rows {
  private active = 0;

  constructor(
    private readonly table: HTMLTableElement,
    keys: Keys,
  ) {
    table.addEventListener("focusin", (event) => {
      const at = this.links.indexOf(event.target as HTMLElement);
      if (at >= 0) this.mark(at);
    });
    table.addEventListener("renewed", () => this.mark(0, false));
    this.mark(
      Math.max(
        0,
        this.links.findIndex(
          (link) =>
            link.closest("tr")?.ariaSelected === "true" ||
            (link.id !== "" && link.id === location.hash.slice(1)),
        ),
      ),
      false,
    );
    table.addEventListener("click", (event) => this.click(event));
    keys.on("j", () => this.step(1));
    keys.on("k", () => this.step(-1));
    keys.on("ArrowDown", () => this.inside() && this.step(1));
    keys.on("ArrowUp", () => this.inside() && this.step(-1));
    keys.on("ArrowRight", () => this.unfold("false"));
    keys.on("ArrowLeft", () => this.unfold("true"));
    keys.on("y", () => this.copy());
  }

  private get links(): HTMLElement[] {
    return [...this.table.querySelectorAll<HTMLElement>("tbody [data-open]")];
  }

  private inside(): boolean {
    return this.table.tBodies[0]?.contains(document.activeElement) ?? false;
  }

  private step(by: number): boolean {
    if (!this.inside() && document.activeElement?.closest("table[data-rows]")) return false; // another's
    const links = this.links;
    const selected = this.inside() || this.table.querySelector("tr[data-active]") !== null;
    const to = selected ? Math.min(Math.max(this.active + by, 0), links.length - 1) : this.active;
    const link = links[to];
    if (!link) return false;
    link.focus();
    link.scrollIntoView({ block: "nearest" });
    return true;
  }

  private click(event: MouseEvent): void {
    if (!isPlainClick(event)) return;
    rowLink(event.target)?.focus({ preventScroll: true });
  }

  /** Follows the link of the active row where it opens or closes what is below it. */
  private unfold(state: "true" | "false"): boolean {
    const link = this.inside() ? this.links[this.active] : undefined;
    if (link?.ariaExpanded !== state) return false;
    link.click();
    return true;
  }

  private copy(): boolean {
    const row = this.table.querySelector("tr[data-active], tbody tr[aria-selected=true]");
    const link = row?.querySelector<HTMLAnchorElement>("a[data-open]");
    if (!link) return false;
    copyLink(link.href);
    return true;
  }

  private mark(index: number, seen = true): void {
    this.active = index;
    if (seen) {
      for (const row of document.querySelectorAll("tr[data-active]")) row.removeAttribute("data-active");
    }
    this.links.forEach((link, i) => {
      link.tabIndex = i === index ? 0 : -1;
      link.closest("tr")?.toggleAttribute("data-active", seen && i === index);
    });
  }
}

/** Reports whether a press is meant for the row: not for a control in it, no new tab, no text selected. */
export function isPlainClick(event: MouseEvent): boolean {
  if (isModified(event)) return false;
  const target = event.target as Element;
  return !target.closest("a, button, input, select, label, summary") && !getSelection()?.toString();
}

/** Reports whether a press is the browser's own, such as one for a new tab, or was dealt with. */
export function isModified(event: MouseEvent): boolean {
  return event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey;
}

/** The link of the row that something is in. */
function rowLink(target: EventTarget | null): HTMLElement | null | undefined {
  return (target as Element).closest("tbody tr")?.querySelector<HTMLElement>("[data-open]");
}
