// What a question mark says while it is pointed at, touched or has the focus: the beginning of the
// paragraph that it leads to, with the link inside; one for several figures has a line of each.

import { el, pageAt } from "../dom";
import { phrase } from "./phrase";

/** How long the pointer may be on its way from the mark to the phrase. */
const grace = 250; // ms

const pages = new Map<string, Promise<Document | null>>();

/** The page of the manual that a link leads to; null where it cannot be had, until it is asked for again. */
function manual(url: URL): Promise<Document | null> {
  const page = pages.get(url.pathname) ?? pageAt(url.pathname);
  pages.set(url.pathname, page);
  void page.then((found) => found ?? pages.delete(url.pathname));
  return page;
}

/** What stands at an anchor: a paragraph, what follows a heading, or a row of a table. */
function saidAt(place: Element | null): string {
  if (place && /^H\d$/.test(place.tagName)) return saidAt(place.nextElementSibling);
  const cells = place?.closest("tr")?.cells;
  return cells ? Array.from(cells, (cell) => cell.textContent).join(": ") : (place?.textContent ?? "");
}

/** The one phrase that is shown. */
export class Hows {
  private readonly box = el("div", { class: "how-says", role: "tooltip", id: "how-says" });
  private mark: HTMLAnchorElement | undefined;
  private leaving = 0;

  constructor(root: Document) {
    root.addEventListener("pointerover", (event) => this.meet(event));
    root.addEventListener("focusin", (event) => this.meet(event));
    root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
    root.addEventListener("scroll", () => this.place(), { capture: true, passive: true });
    root.addEventListener("click", (event) => {
      const mark = event.target instanceof Element && event.target.closest("a.how");
      const touched = event instanceof PointerEvent && event.pointerType === "touch";
      if (touched && mark && mark === this.mark) event.preventDefault(); // the link is in the phrase
    });
  }

  /** Shows the phrase of the mark that an event is at; leaves it while that is inside. */
  private meet(event: Event): void {
    const target = event.target instanceof Element ? event.target : undefined;
    if (target && this.box.contains(target)) {
      clearTimeout(this.leaving);
      this.leaving = 0;
      return;
    }
    const mark = target?.closest<HTMLAnchorElement>("a.how");
    if (mark) void this.show(mark);
    else if (this.mark && !this.leaving) this.leaving = window.setTimeout(() => this.hide(), grace);
  }

  private async show(mark: HTMLAnchorElement): Promise<void> {
    clearTimeout(this.leaving);
    this.leaving = 0;
    if (this.mark === mark) return;
    this.hide();
    this.mark = mark;
    const url = new URL(mark.href);
    const page = await manual(url);
    const more = mark.dataset["more"]?.split(" ") ?? [];
    const said = [url.hash.slice(1), ...more]
      .map((id) => saidAt(page?.getElementById(id) ?? null))
      .filter(Boolean);
    if (this.mark !== mark) return;
    if (said.length === 0) return this.hide(); // the next touch follows the link
    const link = el("a", { href: mark.href }, mark.getAttribute("aria-label") ?? "More");
    this.box.replaceChildren(
      ...said.map((text) => el("p", {}, phrase(text, more.length > 0 ? 130 : 320))),
      link,
    );
    mark.after(this.box); // so that Tab goes on into it
    mark.setAttribute("aria-describedby", this.box.id);
    mark.removeAttribute("title");
    this.place();
  }

  /** Puts the box below its mark, or above where there is no room; a mark out of sight has none. */
  private place(): void {
    if (!this.box.isConnected || !this.mark) return;
    const [at, box] = [this.mark.getBoundingClientRect(), this.box.getBoundingClientRect()];
    if (at.bottom < 0 || at.top > innerHeight) {
      this.hide();
      return;
    }
    const below = at.bottom + box.height + 8 <= innerHeight;
    const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - box.width - 8));
    this.box.style.insetInlineStart = `${left}px`;
    this.box.style.insetBlockStart = `${below ? at.bottom + 4 : Math.max(8, at.top - box.height - 4)}px`;
  }

  private hide(): void {
    clearTimeout(this.leaving);
    this.leaving = 0;
    this.mark?.removeAttribute("aria-describedby");
    this.mark = undefined;
    this.box.remove();
  }
}
