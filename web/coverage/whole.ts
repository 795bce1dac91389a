import { pageAt } from "../dom";

// How far from its edge the next lines are fetched.
const ahead = "2000px 0px";

/**
 * The lines of a long file as one: those before and after the page are fetched while the
 * reader comes near, and the links to them stay for who has no scripts.
 */
export function whole(table: HTMLTableElement): void {
  for (const rel of ["prev", "next"] as const) follow(table, rel);
}

const linkOf = (root: ParentNode, rel: string) => root.querySelector<HTMLAnchorElement>(`a[rel="${rel}"]`);
const idOf = (row: Element | null | undefined) => row?.querySelector("th > [id^=L]")?.id ?? "";

function follow(table: HTMLTableElement, rel: "prev" | "next"): void {
  const body = table.tBodies[0];
  const edge = rel === "next" ? body?.lastElementChild : body?.firstElementChild;
  const link = linkOf(document, rel);
  if (!body || !edge || !link) return;
  const watch = new IntersectionObserver(
    (seen) => {
      // Who jumps is out of sight and in sight in one call.
      if (!seen.some((entry) => entry.isIntersecting)) return;
      watch.disconnect();
      void more(table, body, link, rel);
    },
    { rootMargin: ahead },
  );
  watch.observe(edge);
}

async function more(
  table: HTMLTableElement,
  body: HTMLTableSectionElement,
  link: HTMLAnchorElement,
  rel: "prev" | "next",
): Promise<void> {
  const page = await pageAt(link.href);
  if (!page) return; // the link stays
  const found = [...(page.querySelector<HTMLTableElement>(".src-page table")?.tBodies[0]?.rows ?? [])];
  const rows: HTMLTableRowElement[] = [];
  for (const row of found) {
    const id = idOf(row);
    if (id && document.getElementById(id)) break; // pages may overlap
    rows.push(document.adoptNode(row));
  }
  const active = body.querySelector("tr[data-active] [data-open]");
  if (rel === "next") body.append(...rows);
  else body.prepend(...rows);
  active?.dispatchEvent(new FocusEvent("focusin", { bubbles: true })); // it has another place now
  const shown = document.querySelector("[data-testid=status-shown]");
  const first = idOf(body.querySelector("tr:has(th > [id^=L])")).slice(1);
  const last = idOf([...body.rows].findLast((row) => idOf(row))).slice(1);
  if (shown) shown.textContent = shown.textContent.replace(/^[^;]*/, `lines ${first}–${last}`);
  const next = linkOf(page, rel);
  if (!next) {
    link.remove();
    return;
  }
  link.href = next.href;
  follow(table, rel);
}
