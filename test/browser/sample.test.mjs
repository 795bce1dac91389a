// Sample profiles: how much is lost on a program, functions with what is inlined into
// them, the call graph, the list of symbols, the flame graph; and how the pages look.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, looks, openPage, startBrowser, startServer } from "./harness.mjs";

const testdata = (name) => path.resolve(import.meta.dirname, "../../decode/sampleprof/testdata", name);

let server;
let browser;
const profiles = {};

/** Uploads files as one profile and returns the path of its page. */
async function upload(...names) {
  const body = new FormData();
  for (const name of names) {
    body.append("file", new Blob([await readFile(testdata(name))]), path.basename(name));
  }
  const answer = await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body });
  assert.equal(answer.status, 201, names.join(" "));
  return `/p/${(await answer.json()).id}`;
}

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  profiles.line = await upload("llvm-22/line.ext.afdo");
  profiles.contexts = await upload("llvm-22/contexts.ext.afdo");
  profiles.symbols = await upload("llvm-22/symlist.ext.afdo");
  profiles.stale = await upload("llvm-22/preinlined.ext.afdo", "programs/changed.elf");
  profiles.located = await upload("llvm-22/line.ext.afdo", "programs/lines.elf");
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("how much is lost on a program", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url + profiles.line);
  assert.match(await page.getByTestId("lead").innerText(), /samples in 20 functions/);
  await page.getByText("cannot be told without the program").waitFor();

  await page.goto(server.url + profiles.stale);
  assert.match(await page.getByTestId("lead").innerText(), /lost on this program:\s.* stale, .* gone/);
  await page.getByRole("link", { name: /^Stale [0-9]/ }).click();
  await page.waitForURL(/\/stale$/);
  const rows = page.getByTestId("functions").locator("tbody tr");
  const words = await rows.allInnerTexts();
  assert.ok(
    words.some((text) => /inside/.test(text) && /stale/.test(text)),
    words.join("\n"),
  );
  assert.ok(
    words.every((text) => /stale|gone/.test(text)),
    words.join("\n"),
  );
  await page
    .getByRole("link", { name: /^Stale [0-9]/ })
    .last()
    .click();
  await page.waitForURL(/fit=stale/);
  assert.ok((await rows.count()) < words.length || words.length === 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a function, its lines, what is inlined and who calls it", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}${profiles.line}/functions`);
  await page.getByTestId("functions").locator("tbody a.fn-link").first().click();
  await page.waitForURL(/\/functions\/[0-9a-f]{16}$/);
  assert.match(await page.getByTestId("lead").innerText(), /rank 1\./);
  assert.match(await page.getByTestId("lines").innerText(), /\+0/);
  const inlined = page.getByTestId("inlined");
  assert.match(await inlined.innerText(), /own lines/);
  await inlined.getByRole("link", { name: "Flame graph" }).click();
  await page.waitForURL(/\/flame\?/);
  await page.getByTestId("flame-canvas").waitFor();
  await page.goBack();
  await page.getByTestId("callers").getByRole("link", { name: "All", exact: true }).click();
  await page.waitForURL(/\/calls\?callee=/);
  assert.ok((await page.getByTestId("calls").locator("tbody tr").count()) > 0);
  await page.getByTestId("calls").getByRole("link", { name: "Places" }).click();
  await page.waitForURL(/sort=-places/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("calling contexts make a flame graph", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}${profiles.contexts}/flame`);
  await page.getByTestId("flame-says").filter({ hasText: "samples" }).waitFor();
  await page.keyboard.press("t");
  await page.waitForURL(/view=table/);
  assert.match(await page.getByTestId("treegrid-callees").innerText(), /main/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("symbols without a sample", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url + profiles.symbols);
  await page.getByRole("link", { name: /^Symbols [0-9]/ }).click();
  await page.waitForURL(/\/symbols$/);
  const all = await page.getByTestId("symbols").locator("tbody tr").count();
  await page.getByRole("link", { name: "Never sampled" }).click();
  await page.waitForURL(/never=true/);
  assert.ok((await page.getByTestId("symbols").locator("tbody tr").count()) < all);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const colorScheme of looks(["light", "dark"])) {
  test(`accessible, ${colorScheme}`, async () => {
    const { page, context, faults } = await openPage(browser, { colorScheme });
    const pages = [
      profiles.stale,
      `${profiles.stale}/stale`,
      `${profiles.line}/functions`,
      `${profiles.line}/calls`,
      `${profiles.symbols}/symbols`,
      `${profiles.contexts}/flame`,
      `${profiles.located}/files`,
    ];
    for (const at of pages) {
      await page.goto(server.url + at);
      await accessible(page, `${at}, ${colorScheme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      await fitsWidth(page, `${at}, 320 px`);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    for (const of of [profiles.contexts, profiles.located, profiles.stale]) {
      await page.goto(`${server.url}${of}/functions`);
      await page.getByTestId("functions").locator("tbody a.fn-link").first().click();
      await page.waitForURL(/\/functions\/./);
      await accessible(page, `a function of ${of}, ${colorScheme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      await fitsWidth(page, `a function of ${of}, 320 px`);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}
