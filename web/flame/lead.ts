// Links that lead on from a frame: the page has them without their ends.

import type { Frame } from "./graph";

/** A link that leads on from a frame: up to the end of its address, which is what it is by. */
export interface Lead {
  label: string;
  address: string;
  by: string; // "function", "linkage" or "file"
}

/** The links that a page gives. */
export function leadsOf(root: HTMLElement): Lead[] {
  return [...root.querySelectorAll<HTMLElement>("[data-flame-lead]")].map((lead) => ({
    label: lead.textContent,
    address: lead.dataset["address"] ?? "",
    by: lead.dataset["flameLead"] ?? "",
  }));
}

/** Where a link leads from a frame; undefined where the frame lacks what it is by. */
export function follow(lead: Lead, frame: Frame): { label: string; href: string } | undefined {
  const end = { function: frame.function, linkage: frame.linkage, file: frame.file }[lead.by];
  if (!end) return undefined;
  const label = lead.by === "file" ? `${lead.label} ${end.slice(end.lastIndexOf("/") + 1)}` : lead.label;
  return { label, href: lead.address + encodeURIComponent(end) };
}
