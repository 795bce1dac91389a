// Every page in light and dark, at the desk and on a phone: axe finds nothing,
// nothing sticks out sideways, the content policy holds.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, fixture, openPage, put, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
const pages = { home: "/" };

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const id = await put(server, fixture("examples/cxx-ir.profraw"));
  pages.overview = `/p/${id}`;
  pages.functions = `/p/${id}/functions?limit=25`;
  pages.filtered = `/p/${id}/functions?class=hot&q=o&limit=25`;
  pages.nothing = `/p/${id}/functions?q=no-such-function`;
  const list = await (await fetch(`${server.url}/api/v1/profiles/${id}/functions?limit=1&sort=-sites`))
    .json()
    .catch(() => null);
  const first =
    list?.items?.[0] ??
    (await (await fetch(`${server.url}/api/v1/profiles/${id}/functions?limit=1`)).json()).items[0];
  pages.function = `/p/${id}/functions/${first.fid}`;
  pages.inspector = `/p/${id}/functions?sort=-max&sel=${first.fid}:${first.func_hash}&limit=25`;
  const temporal = await put(server, fixture("examples/cxx-temporal.profdata.zst"));
  pages.temporal = `/p/${temporal}`;
  const cut = Buffer.from(await readFile(fixture("examples/cxx-ir.profraw"))).subarray(0, 3000);
  const long = "a-name-without-any-break-".padEnd(180, "x");
  const res = await fetch(`${server.url}/api/v1/profiles/${long}.profraw?wait=5m`, {
    method: "PUT",
    body: cut,
  });
  pages.failed = `/p/${(await res.json()).id}`;
  pages.missing = "/p/aaaaaaaaaaaaaaaaaaaaaaaaaa";
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

// axe takes seconds for a page, so it sees each once in each scheme, at
// another width.
for (const [colorScheme, width, height] of [
  ["light", 1280, 800],
  ["dark", 360, 740],
]) {
  test(`${colorScheme}, ${width} px`, async () => {
    const { page, context, faults } = await openPage(browser, { colorScheme, viewport: { width, height } });
    for (const [name, path] of Object.entries(pages)) {
      await page.goto(server.url + path);
      await accessible(page, `${name}, ${colorScheme}, ${width} px`, { inEveryLook: true });
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("nothing sticks out, from 1280 to 320 px", async () => {
  const { page, context } = await openPage(browser);
  await page.goto(server.url + pages.failed); // so that this browser's own list has a long name
  for (const [name, path] of Object.entries(pages)) {
    await page.goto(server.url + path);
    for (const width of [1280, 720, 390, 320]) {
      await page.setViewportSize({ width, height: 800 });
      await fitsWidth(page, `${name}, ${width} px`);
    }
  }
  await context.close();
});

test("the theme is chosen, and stays", async () => {
  const { page, context } = await openPage(browser, { colorScheme: "light" });
  await page.goto(server.url);
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  const light = await background();
  await page.getByRole("button", { name: "Light or dark" }).first().click();
  for (let tries = 0; tries < 3 && (await background()) === light; tries++) {
    await page.getByRole("button", { name: "Light or dark" }).first().click();
  }
  const dark = await background();
  assert.notEqual(dark, light);
  await page.goto(server.url + pages.overview);
  assert.equal(await background(), dark);
  await context.close();
});

test("keys: help, rows, open, back to the filter", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url + pages.functions);
  await page.keyboard.press("?");
  await page.getByTestId("help").waitFor({ state: "visible" });
  await page.keyboard.press("Escape");
  await page.getByTestId("help").waitFor({ state: "hidden" });
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/functions\/[0-9a-f]{16}/);
  await page.goBack();
  await page.keyboard.press("/");
  await page.keyboard.type("main");
  assert.equal(await page.evaluate(() => document.activeElement?.tagName), "INPUT");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=main/);
  assert.deepEqual(faults, []);
  await context.close();
});
