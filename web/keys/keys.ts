import { type Focus, singleKey } from "./press";

const storageKey = "proflens.keys";

/**
 * Single keys of the whole page. Any element with data-key="x" is pressed, or
 * focused when it is a field, by the key x; components add their own with on.
 */
export class Keys {
  private readonly handlers = new Map<string, (() => boolean)[]>();

  constructor(private readonly page: Document) {
    page.addEventListener("keydown", (event) => this.press(event));
  }

  /** Adds a handler; the last added runs first. It returns whether it did something. */
  on(key: string, run: () => boolean): void {
    this.handlers.set(key, [run, ...(this.handlers.get(key) ?? [])]);
  }

  get enabled(): boolean {
    return stored() !== "off";
  }

  set enabled(on: boolean) {
    try {
      if (on) localStorage.removeItem(storageKey);
      else localStorage.setItem(storageKey, "off");
    } catch {
      // Without storage the choice lasts for this page only, which is none.
    }
  }

  private press(event: KeyboardEvent): void {
    const focus = focusOf(event.target);
    if (event.key === "Escape" && focus.tag === "input") {
      (event.target as HTMLElement).blur();
      return;
    }
    const key = singleKey(event, focus);
    if (key === undefined || (key !== "Escape" && !this.enabled)) return;
    if (this.page.querySelector(":popover-open, dialog[open]") && key !== "?") return;
    if (this.run(key)) event.preventDefault();
  }

  private run(key: string): boolean {
    for (const handler of this.handlers.get(key) ?? []) {
      if (handler()) return true;
    }
    const target = this.page.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
    if (target) return activate(target);
    if (key >= "1" && key <= "9") {
      const tab = this.page.querySelectorAll<HTMLElement>(".tabs a")[Number(key) - 1];
      return tab ? activate(tab) : false;
    }
    return false;
  }
}

function activate(target: HTMLElement): boolean {
  if (target instanceof HTMLInputElement && target.type !== "checkbox" && target.type !== "submit") {
    target.focus();
    target.select();
  } else {
    target.click();
  }
  return true;
}

function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof HTMLElement)) return { tag: "", type: "", editable: false };
  const type = target instanceof HTMLInputElement ? target.type : "";
  return { tag: target.localName, type, editable: target.isContentEditable };
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey);
  } catch {
    return null;
  }
}
