// Every question of the manual is answered from the overview in at most two clicks.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, openPage, startBrowser, startServer } from "./harness.mjs";

const root = path.resolve(import.meta.dirname, "../..");
const archive = path.join(os.tmpdir(), `questions-${process.pid}.tar`);
const coverage = "decode/covmap/testdata/clang-22/rules/rules";
const samples = "decode/sampleprof/testdata";
const counts = "decode/mip/testdata/merged/counts";

/** The example of each kind of profile, by the manual's name of it. */
const examples = {
  counters: ["handlers/examples/cxx-ir.profraw"],
  coverage: [`${coverage}.profdata`, `${coverage}.exe`],
  heap: ["profile/memprofdb/testdata/mem_cold_v4.profdata"],
  "Machine IR": [`${counts}.mipmap`, `${counts}.0.mipraw`, `${counts}.1.mipraw`],
  DCPI: [archive],
  samples: [`${samples}/llvm-22/line.ext.afdo`, `${samples}/programs/lines.elf`],
};

let server;
let browser;
const overviews = {};

/** Uploads files as one profile and returns the path of its overview. */
async function upload(files) {
  const body = new FormData();
  body.append("project", "owner/name");
  body.append("label", "branch=main");
  for (const file of files)
    body.append("file", new Blob([await readFile(path.resolve(root, file))]), path.basename(file));
  const answer = await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body });
  assert.equal(answer.status, 201, files.join(" "));
  return `/p/${(await answer.json()).id}`;
}

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const packed = spawnSync("tar", ["cf", archive, "-C", path.join(root, "decode/dcpi/testdata"), "db"]);
  assert.equal(packed.status, 0, String(packed.stderr));
  for (const [family, files] of Object.entries(examples)) overviews[family] = await upload(files);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  await rm(archive, { force: true });
});

/** The questions of the manual and where they are answered, by kind of profile. */
async function questions() {
  const text = await readFile(path.join(root, "docs/pages/questions.md"), "utf8");
  const all = {};
  let of;
  for (const [, family, question, address] of text.matchAll(
    /^\| ([\w ]*)\| ([^|]+\?) \| `(\/[^`]*)` \|$/gm,
  )) {
    of = family.trim() || of;
    all[of] ??= [];
    all[of].push({ question, address });
  }
  return all;
}

/** Whether an address is the wanted one, or says more: an order, a window, a selection. */
function leads(to, wanted) {
  const [is, goal] = [new URL(to), new URL(wanted)];
  return (
    is.pathname === goal.pathname &&
    [...goal.searchParams].every(([name, value]) => is.searchParams.get(name) === value)
  );
}

/** Whether a page answers as the wanted address does: by that, or by itself, as its facets say. */
async function answers(page, wanted) {
  if (leads(page.url(), wanted)) return true;
  if (new URL(page.url()).pathname !== new URL(wanted).pathname) return false;
  const facets = async () => (await page.locator("main .segments [aria-current]").allInnerTexts()).join();
  const here = await facets();
  await page.goto(wanted);
  return here !== "" && here === (await facets());
}

/** Where links that can be seen lead, by number of all links; "" of others and those that stay. */
const linksOf = (page) =>
  page.locator("a[href]").evaluateAll((list) =>
    list.map((a) => {
      const to = new URL(a.getAttribute("href"), location.href);
      const here = to.pathname === location.pathname && to.search === location.search;
      return a.checkVisibility() && !here ? to.href : "";
    }),
  );

/** Clicks from a page to an address, at most twice; says what was clicked, or null. */
async function walk(page, from, wanted) {
  await page.goto(from);
  const goal = new URL(wanted).pathname;
  const elsewhere = goal.startsWith("/p/") ? "" : goal.split("/")[1]; // a comparison, a project
  const clicked = [];
  while (clicked.length < 2) {
    const links = await linksOf(page);
    const before = page.url().split("#")[0];
    const exact = links.findIndex((to) => to && leads(to, wanted));
    const near = links.findIndex((to) => to && new URL(to).pathname === goal);
    const way = links.findIndex((to) => to && elsewhere && new URL(to).pathname.split("/")[1] === elsewhere);
    const on = [exact, near, way].find((i) => i >= 0) ?? -1;
    const link =
      on >= 0
        ? page.locator("a[href]").nth(on)
        : page // a closed group of tabs that has it
            .locator(".tab-group:has(details:not([open]))", { has: page.locator(`a[href*="${goal}"]`) })
            .locator("summary")
            .first();
    if ((await link.count()) === 0) return null;
    clicked.push((await link.innerText()).trim().replaceAll(/\s+/g, " "));
    await link.click();
    if (on < 0) continue;
    await page.waitForURL((url) => url.href.split("#")[0] !== before);
    await page.waitForLoadState();
    if (await answers(page, wanted)) return clicked;
  }
  return null;
}

for (const family of Object.keys(examples))
  test(`what people ask of ${family} is two clicks from the overview at most`, async () => {
    const { page, context, faults } = await openPage(browser);
    const far = [];
    const list = (await questions())[family];
    assert.equal(list.length, 5);
    for (const { question, address } of list) {
      const from = server.url + overviews[family];
      const clicked = await walk(page, from, from + address);
      if (!clicked) far.push(`${question} ${address}`);
      if (question === list[0].question) await accessible(page, address, { inEveryLook: true });
    }
    assert.deepEqual(far, []);
    assert.deepEqual(faults, []);
    await context.close();
  });

test("what people ask of two profiles and of a project is two clicks away at most", async () => {
  const { page, context, faults } = await openPage(browser);
  const overview = await upload(["handlers/examples/sqlite-load.profdata.zst"]);
  const sides = [overview, await upload(["handlers/examples/sqlite-query.profdata.zst"])].map((at) =>
    at.slice(3),
  );
  const compared = `${server.url}/compare/${sides.join("...")}`;
  const far = [];
  const list = (await questions()).comparing;
  assert.equal(list.length, 5);
  for (const { question, address } of list) {
    const filled = address
      .replace("A...B", sides.join("..."))
      .replace("NAME", "owner/name")
      .replace("BRANCH", "main");
    const from = address.endsWith("/tree") ? compared : `${server.url}${overview}`;
    // The newest is found by where its address leads.
    const wanted = address.includes("/latest/")
      ? (await fetch(server.url + filled)).url
      : server.url + filled;
    const clicked = await walk(page, from, wanted);
    if (!clicked) far.push(`${question} ${address}`);
    if (question === list[0].question) await accessible(page, address, { inEveryLook: true });
  }
  assert.deepEqual(far, []);
  assert.deepEqual(faults, []);
  await context.close();
});
