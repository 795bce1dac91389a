// Takes the pictures of the manual: node docs/pictures/make.mjs, or make pictures.
// It starts the program with an empty store and opens the examples that come with it,
// so that anyone gets the same pictures. Needs Chromium.
import { readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { openPage, startBrowser, startServer } from "../../test/browser/harness.mjs";

const here = import.meta.dirname;
const limit = 2.5 * 1024 * 1024; // of all together, since they are cloned with the source
const viewport = { width: 1440, height: 900 };

const [server, browser] = await Promise.all([startServer(), startBrowser()]);
const api = async (at) => (await fetch(`${server.url}/api/v1${at}`)).json();

/** The address of an example's profile or comparison. */
async function example(name) {
  const res = await fetch(`${server.url}/samples/${name}`, {
    method: "POST",
    headers: { Accept: "text/html" },
    redirect: "manual",
  });
  const to = res.headers.get("Location");
  if (!to) throw new Error(`the example ${name} answers ${res.status}`);
  const id = to.match(/^\/p\/(\w+)/)?.[1];
  for (let tries = 0; id && (await api(`/profiles/${id}`)).status !== "ready"; tries++) {
    if (tries === 300) throw new Error(`the example ${name} does not become ready`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return id ? `/p/${id}` : to;
}

const counts = await example("sqlite-query");
const heap = await example("libsass");
const compare = await example("sqlite-compare");
const mip = await example("mip");
const dcpi = await example("dcpi");
const hottest = (await api(`/profiles/${counts.slice(3)}/functions?limit=1`)).items[0].fid;

const pictures = [
  ["overview", counts, "light", "dark"],
  ["function", `${counts}/functions/${hottest}`, "light"],
  ["compare", compare, "light"],
  ["sites", `${heap}/sites?by=blame&lib=fold`, "light"],
  ["call-sites", `${heap}/callsites`, "light"],
  ["flame", `${heap}/flame?lib=fold&rec=collapse`, "light", "dark"],
  ["coverage", `${mip}/tree`, "light"],
  ["heat-map", `${dcpi}/heat`, "light"],
  ["raw", `${counts}/raw`, "light"],
  ["downloads", `${heap}/downloads`, "light"],
];

for (const name of await readdir(here)) if (name.endsWith(".webp")) await rm(path.join(here, name));
for (const colorScheme of ["light", "dark"]) {
  const { page, context, faults } = await openPage(browser, { colorScheme, viewport, reducedMotion: "reduce" });
  page.setDefaultTimeout(120_000);
  for (const [name, at, ...schemes] of pictures) {
    if (!schemes.includes(colorScheme)) continue;
    await page.goto(server.url + at, { waitUntil: "networkidle" });
    await page.evaluate(() => document.fonts.ready);
    const file = path.join(here, colorScheme === "dark" ? `${name}-dark.webp` : `${name}.webp`);
    await writeFile(file, await webp(await page.screenshot()));
    console.log(path.relative(process.cwd(), file), (await stat(file)).size);
  }
  if (faults.length) throw new Error(faults.join("\n"));
  await context.close();
}

/** The browser packs the picture anew: half of a PNG's size, and nothing to install. */
async function webp(png) {
  const { page, context } = await openPage(browser);
  const url = await page.evaluate(async (data) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/webp", quality: 0.9 })).arrayBuffer());
    return btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
  }, png.toString("base64"));
  await context.close();
  return Buffer.from(url, "base64");
}

await browser.close();
await server.stop();

let total = 0;
const page = await readFile(path.join(here, "README.md"), "utf8");
for (const name of await readdir(here)) {
  if (!name.endsWith(".webp")) continue;
  total += (await stat(path.join(here, name))).size;
  if (!page.includes(`(${name})`)) throw new Error(`docs/pictures/README.md does not show ${name}`);
}
if (total > limit) throw new Error(`${total} bytes of pictures; at most ${limit}`);
