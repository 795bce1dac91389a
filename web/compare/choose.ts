import { basePath } from "../api/api";
import { el, need } from "../dom";
import type { Library } from "../library/library";

/** Adds the profiles that this browser remembers to those to choose from. */
export function choose(section: HTMLElement, kept: Library): void {
  const base = section.dataset["base"] ?? "";
  const list = kept.list().filter((profile) => profile.id !== base);
  need(section, "[data-mine-rows]").replaceChildren(
    ...list.map((profile) =>
      el(
        "li",
        {},
        el("a", { href: `${basePath()}/compare/${base}...${profile.id}` }, profile.name || profile.id),
        " ",
        el("span", { class: "dim" }, profile.format),
      ),
    ),
  );
  section.hidden = list.length === 0;
}
