import { copy } from "../copy/copy";
import { el } from "../dom";
import type { Frame } from "./graph";
import { follow, type Lead } from "./lead";

/** What the menu on a frame needs of the flame graph. */
export interface Deeds {
  zoom: () => void;
  close: () => void; // gives the focus back
  sandwich: string; // the address of the sandwich, up to the function
  leads: readonly Lead[];
  filters: boolean; // stacks can be chosen by their frames
  folds: boolean; // the library's frames can be folded
}

/** An address with a frame's function in a filter of stacks; ids of nodes are another tree's then. */
export function filtered(address: string, key: "focus" | "ignore", frame: Frame): string {
  const url = new URL(address);
  const name = (frame.linkage ?? frame.name).replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  url.searchParams.set(key, `^${name}$`);
  return without(url);
}

/** An address with the library's frames folded, or shown. */
export function withLibrary(address: string): string {
  const url = new URL(address);
  if (url.searchParams.get("lib") === "fold") url.searchParams.delete("lib");
  else url.searchParams.set("lib", "fold");
  return without(url);
}

function without(url: URL): string {
  url.searchParams.delete("z");
  url.searchParams.delete("sel");
  return url.href;
}

/** The menu on a frame: links where they lead elsewhere, buttons where they do something here. */
export class Menu {
  private readonly list = el("div", {
    class: "flame-menu",
    role: "menu",
    "aria-label": "Frame",
    hidden: true,
  });
  private close = () => {};

  constructor(root: HTMLElement) {
    root.append(this.list);
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("focusout", (event) => {
      if (!this.list.contains(event.relatedTarget as Node | null)) this.list.hidden = true;
    });
  }

  /** Opens at a place of the window. */
  open(frame: Frame, x: number, y: number, deeds: Deeds): void {
    this.close = deeds.close;
    const here = location.href;
    const library =
      new URL(here).searchParams.get("lib") === "fold" ? "Show the library" : "Fold the library";
    this.list.replaceChildren(
      this.button("Zoom", deeds.zoom),
      ...(frame.function ? [link("Callers and callees", deeds.sandwich + frame.function)] : []),
      ...(deeds.filters
        ? [
            link("Focus: only stacks with it", filtered(here, "focus", frame)),
            link("Hide: no stacks with it", filtered(here, "ignore", frame)),
          ]
        : []),
      ...(deeds.folds ? [link(library, withLibrary(here))] : []),
      ...deeds.leads.flatMap((lead) => {
        const to = lead.by === "file" ? follow(lead, frame) : undefined;
        return to ? [link(to.label, to.href)] : [];
      }),
      this.button("Copy the name", () => void copy(frame.name)),
      this.button("Copy the link", () => void copy(here)),
    );
    this.list.hidden = false;
    this.list.style.left = `${Math.max(Math.min(x, innerWidth - this.list.offsetWidth - 8), 4)}px`;
    this.list.style.top = `${Math.max(Math.min(y, innerHeight - this.list.offsetHeight - 8), 4)}px`;
    this.items[0]?.focus();
  }

  private get items(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>("[role=menuitem]")];
  }

  private button(text: string, run: () => void): HTMLElement {
    const item = el("button", { type: "button", role: "menuitem", tabindex: "-1" }, text);
    item.addEventListener("click", () => {
      this.leave();
      run();
    });
    return item;
  }

  private leave(): void {
    this.list.hidden = true;
    this.close();
  }

  private key(event: KeyboardEvent): void {
    const items = this.items;
    const at = items.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: items.length - 1 }[event.key];
    if (to !== undefined) items[(to + items.length) % items.length]?.focus();
    else if (event.key === "Escape" || event.key === "Tab") this.leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function link(text: string, href: string): HTMLElement {
  return el("a", { role: "menuitem", tabindex: "-1", href }, text);
}
