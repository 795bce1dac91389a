import { deleteProfile, pageOf, Refusal } from "../api/api";
import { button, el, need } from "../dom";
import type { Library, Remembered } from "../library/library";
import { plural } from "../upload/size";
import { moment } from "./ago";

/** The list of profiles that this browser remembers. */
export class Mine {
  private readonly rows: HTMLElement;
  private readonly count: HTMLElement;
  private readonly live: HTMLElement;

  constructor(
    private readonly section: HTMLElement,
    private readonly kept: Library,
  ) {
    this.rows = need(section, "[data-mine-rows]");
    this.count = need(section, "[data-mine-count]");
    this.live = need(section, "[data-mine-live]");
    need(section, "[data-mine-clear]").addEventListener("click", () => this.clear());
    kept.onChange(() => this.renew());
    this.section.addEventListener("pointerleave", () => this.renew());
    this.render();
    if (!this.section.hidden) this.section.closest(".home")?.prepend(this.section);
  }

  /** Takes over what another tab or an upload has added, once that moves nothing in use. */
  private renew(): void {
    const known = this.kept.list().map((profile) => profile.id);
    const shown = [...this.rows.querySelectorAll<HTMLElement>("tr")].map((row) => row.dataset["id"]);
    if (known.join() !== shown.join() && !this.section.matches(":hover, :focus-within")) this.render();
  }

  private render(): void {
    const list = this.kept.list();
    this.section.hidden = list.length === 0;
    this.count.textContent = plural(list.length, "profile", "profiles");
    this.rows.replaceChildren(...list.map((profile) => this.row(profile)));
  }

  private row(profile: Remembered): HTMLElement {
    const actions = el("td", {});
    const row = el(
      "tr",
      { "data-testid": "mine-row", "data-id": profile.id },
      el(
        "th",
        { scope: "row", class: "col-name" },
        el("a", { href: pageOf(profile.id), title: profile.name }, profile.name || profile.id),
      ),
      el("td", { class: "col-format", title: profile.format }, profile.format || "–"),
      el("td", {}, profile.how),
      el("td", {}, moment(profile.at)),
      el("td", {}, profile.token ? "kept here" : "–"),
      actions,
    );
    this.actions(actions, profile);
    return row;
  }

  private actions(cell: HTMLElement, profile: Remembered): void {
    const forget = button("Forget", "button button-small", () => this.forget(profile));
    forget.ariaLabel = `Forget ${profile.name} in this browser`;
    cell.replaceChildren(forget);
    if (!profile.token) return;
    const ask = button("Delete…", "button button-small button-danger", () => this.ask(cell, profile));
    ask.ariaLabel = `Delete ${profile.name} from the server`;
    cell.append(ask);
  }

  /** The second step of deleting, in the place of the first. */
  private ask(cell: HTMLElement, profile: Remembered): void {
    const yes = button(
      "Delete for everyone",
      "button button-small button-danger",
      () => void this.remove(cell, profile),
    );
    const no = button("Keep", "button button-small", () => {
      this.actions(cell, profile);
      cell.querySelector("button")?.focus();
    });
    cell.replaceChildren(yes, no);
    yes.focus();
    this.live.textContent = `Delete ${profile.name} for everyone?`;
  }

  private async remove(cell: HTMLElement, profile: Remembered): Promise<void> {
    try {
      await deleteProfile(profile);
    } catch (error) {
      // One that is gone already may be forgotten.
      if (!(error instanceof Refusal && [404, 410].includes(error.problem.status))) {
        const text = error instanceof Refusal ? error.message : "Cannot reach the server.";
        this.actions(cell, profile);
        cell.append(el("p", { class: "bad" }, text));
        this.live.textContent = text;
        return;
      }
    }
    this.forget(profile, "deleted");
    // The server's own list, where it stands on the same page.
    document
      .querySelector(`.profiles a[href="${CSS.escape(pageOf(profile.id))}"]`)
      ?.closest("tr")
      ?.remove();
  }

  private forget(profile: Remembered, done = "forgotten"): void {
    this.kept.forget(profile.id);
    this.render();
    this.live.textContent = `${profile.name} ${done}`;
    (this.rows.querySelector<HTMLElement>("a") ?? document.querySelector<HTMLElement>("main"))?.focus();
  }

  /** Tokens would be lost for ever, so profiles with one stay. */
  private clear(): void {
    for (const profile of this.kept.list()) {
      if (!profile.token) this.kept.forget(profile.id);
    }
    const left = this.kept.list().length;
    this.render();
    this.live.textContent = left ? `Forgotten, except ${left} with a delete token` : "All forgotten";
  }
}
