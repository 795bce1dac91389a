// What of the picture stands in the address: the zoomed frame, the selected one
// and the search. The rest is the server's, who gives the tree to draw.

export interface Place {
  zoom: string; // id of a node; empty at the root
  selected: string;
  query: string;
  colour: string;
}

const keys = { zoom: "z", selected: "sel", query: "q", colour: "c" } as const;

export function readPlace(address: string): Place {
  const query = new URL(address).searchParams;
  const read = (key: keyof Place) => query.get(keys[key]) ?? "";
  return { zoom: read("zoom"), selected: read("selected"), query: read("query"), colour: read("colour") };
}

/** An address with some of it changed; what is empty is left out. */
export function withPlace(address: string, change: Partial<Place>): string {
  const url = new URL(address);
  for (const [key, value] of Object.entries(change) as [keyof Place, string][]) {
    if (value) url.searchParams.set(keys[key], value);
    else url.searchParams.delete(keys[key]);
  }
  return url.href;
}
