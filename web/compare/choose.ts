import { basePath } from "../api/api";
import { el, need } from "../dom";
import type { Library } from "../library/library";

/**
 * Adds the profiles that this browser remembers to those to choose from for a side, base or test,
 * but for those that the server knows not to compare with the other side.
 */
export function choose(section: HTMLElement, kept: Library): void {
  const { field = "base", other = "", apart = "" } = section.dataset;
  const list = kept.list().filter(({ id }) => id !== other && !apart.split(" ").includes(id));
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
