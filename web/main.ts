// Finds what scripts add to on this page, and starts it.

import { Crosshair } from "./charts/crosshair";
import { choose } from "./compare/choose";
import { compared, recent } from "./compare/recent";
import { copyButtons, copyLink } from "./copy/copy";
import { Gaps } from "./coverage/gaps";
import { whole } from "./coverage/whole";
import { HeatMap } from "./dcpi/heat";
import { announce } from "./dom";
import { Flame } from "./flame/flame";
import { TreeGrid } from "./flame/treegrid";
import { Brush } from "./function/brush";
import { Workbench } from "./functions/workbench";
import { chosen } from "./home/chosen";
import { List } from "./home/list";
import { Mine } from "./home/mine";
import { Hows } from "./how/how";
import { help } from "./keys/help";
import { Keys } from "./keys/keys";
import { Library } from "./library/library";
import { Live } from "./memprof/live";
import { Scatter } from "./memprof/scatter";
import { atOnce, Trend } from "./project/trend";
import { Rows } from "./rows/rows";
import { Suggest } from "./search/suggest";
import { askFolder } from "./sources/ask";
import { Progress, renew } from "./status/progress";
import { opened, owner, receipt } from "./status/status";
import { waiting } from "./status/waiting";
import { Theme } from "./theme/theme";
import { Upload } from "./upload/upload";

document.documentElement.dataset["scripts"] = "";

// A page that took its time was asked for with wait=: links to it need not be.
const address = new URL(location.href);
if (address.searchParams.has("wait")) {
  address.searchParams.delete("wait");
  history.replaceState(history.state, "", address);
}

const keys = new Keys(document);
const library = new Library();

keys.on("Y", () => {
  copyLink(location.href);
  return true;
});
// Tables come later, and are asked first.
keys.on("y", () => {
  announce("No row is selected: click one, or press j");
  return true;
});
copyButtons(document);
new Hows(document);

each<HTMLFormElement>("theme", (form) => new Theme(form));
each("help", (dialog) => help(dialog, keys));
// The token first: what was uploaded here is not merely opened.
each("receipt", (section) => receipt(section, library));
each("opened", (header) => opened(header, library));
each<HTMLFormElement>("upload", (form) => new Upload(form, library));
each<HTMLFormElement>("chosen", (form) => chosen(form, keys));
each("profiles", (section) => new List(section, keys));
each("mine", (section) => new Mine(section, library));
each("compare-mine", (section) => choose(section, library));
each("compared", compared);
each("recent", recent);
each("progress", (root) => new Progress(root));
each("waiting", (section) => void waiting(section));
each("follow", (notice) => void renew(notice).catch(() => undefined)); // the notice stays
each<HTMLFormElement>("owner", (form) => owner(form, library));
each<HTMLFormElement>("sources", (form) => {
  owner(form, library);
  askFolder(form);
});
each<HTMLFormElement>("suggest", (form) => new Suggest(form));
each("brush", (strip) => new Brush(strip));
each("heat", (map) => new HeatMap(map));
each<HTMLFormElement>("live", (form) => new Live(form));
each("trend", (chart) => new Trend(chart, keys));
each<HTMLFormElement>("at-once", atOnce);
each("flame", (root) => new Flame(root, keys));
each<HTMLTableElement>("treegrid", (table) => new TreeGrid(table));
for (const table of document.querySelectorAll<HTMLTableElement>("table[data-rows]")) new Rows(table, keys);

for (const root of document.querySelectorAll<HTMLElement>(".workbench")) new Workbench(root, keys);
for (const table of document.querySelectorAll<HTMLTableElement>("table[data-next]")) new Gaps(table, keys);
for (const table of document.querySelectorAll<HTMLTableElement>(".src-page table")) whole(table);
for (const chart of document.querySelectorAll<SVGElement>("[data-controller=crosshair]"))
  new Crosshair(chart);
for (const chart of document.querySelectorAll<SVGElement>("[data-controller=scatter]")) new Scatter(chart);

/** Starts a component on each element that asks for it. */
function each<T extends HTMLElement = HTMLElement>(name: string, start: (element: T) => void): void {
  for (const element of document.querySelectorAll<T>(`[data-controller~="${name}"]`)) {
    try {
      start(element);
    } catch (error) {
      console.error(error); // one component's fault is not the next one's
    }
  }
}
