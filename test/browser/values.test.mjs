// Value sites and the order of temporal traces: from the tab to a function, to
// the next page and the other kinds, the order file, and how they look.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, fixture, openPage, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
let ir;
let temporal;
let plain;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const put = async (name, body) => {
    const answer = await fetch(`${server.url}/api/v1/profiles/${name}?wait=5m`, { method: "PUT", body });
    assert.equal(answer.status, 201);
    return `/p/${(await answer.json()).id}`;
  };
  ir = await put("ir.profraw", await readFile(fixture("examples/cxx-ir.profraw")));
  temporal = await put("temporal.profdata", await readFile(fixture("examples/cxx-temporal.profdata.zst")));
  plain = await put("plain.proftext", ":ir\nmain\n1\n1\n5\n");
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("from the tab to the first candidate, through kinds and pages", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url + ir);
  await page.getByRole("link", { name: /^Value sites/ }).click();
  await page.waitForURL(/\/values$/);
  const list = await (await fetch(`${server.url}/api/v1/profiles${ir.slice(2)}/values?kind=indirect`)).json();
  const row = page.getByTestId("sites").locator("tbody tr").first();
  assert.match(await row.innerText(), new RegExp(list.items[0].top.replace(/[^\w]+/g, "[^]*").slice(0, 60)));
  await page
    .getByRole("navigation", { name: "Ways to show them" })
    .getByRole("link", { name: /^Memory/ })
    .click();
  await page.waitForURL(/kind=memop/);
  assert.match(await page.getByTestId("sizes").innerText(), /bytes/);
  await page.goto(`${server.url}${ir}/values?kind=memop&limit=5`);
  await page.keyboard.press("n");
  await page.waitForURL(/page=2/);
  assert.match(await page.getByTestId("status-shown").innerText(), /rows 6–10/);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/functions\/[0-9a-f]{16}/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("traces are drawn, and their order is a file", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url + temporal);
  await page.getByRole("link", { name: /^Order/ }).click();
  await page.waitForURL(/\/order$/);
  assert.equal(await page.getByTestId("trace").getByTestId("strip").count(), 1);
  assert.match(await page.getByTestId("order-table").locator("tbody tr").first().innerText(), /main/);
  for (const [link, first] of [
    ["For lld and others", "main"],
    ["For ld64 (Mach-O)", "_main"],
  ]) {
    const href = await page.getByRole("link", { name: link }).getAttribute("href");
    const answer = await fetch(new URL(href, server.url));
    assert.equal((await answer.text()).split("\n")[0], first);
  }
  assert.deepEqual(faults, []);
  await context.close();
});

test("a profile without them has no tabs for them", async () => {
  const { page, context } = await openPage(browser);
  await page.goto(server.url + plain);
  assert.equal(await page.getByRole("link", { name: /^(Value sites|Order)/ }).count(), 0);
  await context.close();
});

for (const [colorScheme, width] of [
  ["light", 1280],
  ["dark", 320],
]) {
  test(`accessible, ${colorScheme}, ${width} px`, async () => {
    const { page, context, faults } = await openPage(browser, {
      colorScheme,
      viewport: { width, height: 800 },
    });
    for (const path of [
      `${ir}/values`,
      `${ir}/values?kind=memop&limit=5`,
      `${plain}/values`,
      `${temporal}/order`,
      `${plain}/order`,
    ]) {
      await page.goto(server.url + path);
      await accessible(page, `${path}, ${colorScheme}, ${width} px`);
      await fitsWidth(page, `${path}, ${width} px`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  });
}
