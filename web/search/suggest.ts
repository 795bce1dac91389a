import { el } from "../dom";
import { percent } from "../flame/figures";
import { fit, forms } from "../flame/label";

/** How long typing rests before the server is asked. */
const pause = 120;

/** How many letters of a name there is room for. */
const letters = 60;

interface Suggestion {
  demangled: string;
  path: string;
  share: number;
}

/**
 * Offers names below the search box while somebody types: a combobox whose list the
 * arrows walk, Enter opens and Escape closes. Enter with nothing chosen searches.
 */
export class Suggest {
  private readonly input: HTMLInputElement;
  private readonly list = el("ul", {
    id: "suggestions",
    class: "suggestions",
    role: "listbox",
    hidden: true,
  });
  private request: AbortController | undefined;
  private timer = 0;
  private chosen = -1;

  constructor(private readonly form: HTMLFormElement) {
    const input = form.querySelector<HTMLInputElement>("input[type=search]");
    if (!input) throw new Error("a search box without a field");
    this.input = input;
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-controls", this.list.id);
    input.setAttribute("aria-expanded", "false");
    input.setAttribute("aria-autocomplete", "list");
    this.list.setAttribute("aria-label", "Suggestions");
    form.append(this.list);
    input.addEventListener("input", () => this.soon());
    input.addEventListener("keydown", (event) => this.press(event));
    form.addEventListener("submit", (event) => this.submit(event));
    form.addEventListener("focusout", (event) => {
      if (!form.contains(event.relatedTarget as Node | null)) this.close();
    });
  }

  private soon(): void {
    clearTimeout(this.timer);
    this.request?.abort();
    if (this.input.value.trim() === "") {
      this.close();
      return;
    }
    this.timer = setTimeout(() => void this.ask(), pause);
  }

  private async ask(): Promise<void> {
    const request = new AbortController();
    this.request = request;
    const url = new URL(this.form.dataset["suggest"] ?? "", location.href);
    url.searchParams.set("q", this.input.value.trim());
    try {
      const answer = await fetch(url, { headers: { Accept: "application/json" }, signal: request.signal });
      if (!answer.ok) return;
      const { items } = (await answer.json()) as { items: Suggestion[] };
      this.show(items);
    } catch {
      // Given up for the next letter, or no server: the form still searches.
    }
  }

  private show(items: Suggestion[]): void {
    const base = this.form.action.replace(/\/[^/]*$/, "");
    const chosen = this.list.children[this.chosen]?.querySelector("a")?.href;
    this.list.replaceChildren(
      ...items.map((item, i) =>
        el(
          "li",
          { role: "option", id: `suggestion-${i}`, "aria-selected": "false" },
          el(
            "a",
            { href: base + item.path, tabindex: "-1", title: item.demangled },
            fit(forms(item.demangled), letters),
          ),
          el("span", { class: "dim" }, percent(item.share)),
        ),
      ),
    );
    this.list.hidden = items.length === 0;
    this.input.setAttribute("aria-expanded", String(items.length > 0));
    // Who has chosen a name before the answer to the last letter came keeps it.
    this.choose([...this.list.querySelectorAll("a")].findIndex((link) => link.href === chosen));
  }

  private close(): void {
    clearTimeout(this.timer);
    this.request?.abort();
    this.show([]);
  }

  private press(event: KeyboardEvent): void {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step && !this.list.hidden) {
      event.preventDefault();
      this.choose(this.chosen + step);
    } else if (event.key === "Escape" && !this.list.hidden) {
      event.stopPropagation(); // the first press closes the list, the second leaves the field
      event.preventDefault();
      this.close();
    }
  }

  /** Chooses a line; before the first and after the last is the field itself. */
  private choose(to: number): void {
    const lines = [...this.list.children];
    this.chosen = to < -1 ? lines.length - 1 : to >= lines.length ? -1 : to;
    lines.forEach((line, i) => {
      line.setAttribute("aria-selected", String(i === this.chosen));
    });
    const line = lines[this.chosen];
    if (line) this.input.setAttribute("aria-activedescendant", line.id);
    else this.input.removeAttribute("aria-activedescendant");
    line?.scrollIntoView({ block: "nearest" });
  }

  private submit(event: SubmitEvent): void {
    const link = this.list.children[this.chosen]?.querySelector("a");
    if (link) {
      event.preventDefault();
      location.assign(link.href);
      return;
    }
    this.input.value = this.input.value.trim();
  }
}
