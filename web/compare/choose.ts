import { basePath } from "../api/api";
import { el, need } from "../dom";
import type { Library } from "../library/library";

/** Adds the profiles that this browser remembers to those to choose from for a side, base or test. */
export function choose(section: HTMLElement, kept: Library): void {
  const { field = "base", other = "" } = section.dataset;
  const list = kept.list().filter((profile) => profile.id !== other);
  const address = (id: string) => {
    const query = new URLSearchParams({ [field]: id });
    if (other) query.set(field === "base" ? "test" : "base", other);
    return `${basePath()}/compare?${query}`;
  };
  need(section, "[data-mine-rows]").replaceChildren(
    ...list.map((profile) =>
      el(
        "li",
        {},
        el("a", { href: address(profile.id) }, profile.name || profile.id),
        " ",
        el("span", { class: "dim" }, profile.format),
      ),
    ),
  );
  section.hidden = list.length === 0;
}
