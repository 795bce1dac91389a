// The function table as a workbench: typed filters, the inspector, pages, and
// that the address alone brings everything back.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, fixture, openPage, put, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
let table;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  table = `${server.url}/p/${await put(server, fixture("examples/cxx-ir.profraw"))}/functions`;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Types into the filter field, by its key, and presses Enter. */
async function filter(page, text) {
  await page.keyboard.press("f");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

test("a typed filter becomes a chip, and Back takes it away", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(table);
  await filter(page, "max>=1k");
  await page.waitForURL(/max=1000\.\./);
  const chip = page.getByTestId("chips").first();
  assert.match(await chip.innerText(), /max ≥ 1\s000/);
  await filter(page, "class=hot,warm");
  await page.waitForURL(/class=hot,warm/);
  assert.match(page.url(), /max=1000\.\./, "the first filter stays");
  await page.goBack();
  await page.waitForURL((url) => !url.search.includes("class"));
  await chip.getByRole("link", { name: /Remove filter max/ }).click();
  await page.waitForURL((url) => url.search === "");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a mistake in a filter is told where it was typed", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(table);
  await filter(page, "max>=many");
  await page.getByText("“many” is not a number.").waitFor();
  assert.equal(await page.locator("#filter-q").inputValue(), "max>=many");
  await page.locator("#filter-q").fill("re=(");
  await page.keyboard.press("Enter");
  await page.waitForURL(/re=/);
  const blank = page.getByTestId("blank");
  assert.match(await blank.innerText(), /missing closing/);
  await accessible(page, "a filter that cannot be read");
  await blank.getByRole("link", { name: /Remove filter/ }).click();
  await page.getByTestId("functions").waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("the inspector: by mouse, by keys, in the address, gone with Back", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(table);
  const inspector = page.getByTestId("inspector");
  await page.locator("tbody tr").nth(2).locator("td.n").nth(1).click();
  await inspector.waitFor();
  await page.goBack();
  await inspector.waitFor({ state: "detached" });
  assert.equal(page.url(), table);

  await page.keyboard.press("j");
  await page.keyboard.press(" ");
  await inspector.waitFor();
  const first = page.url();
  await page.keyboard.press("j");
  await page.waitForURL((url) => url.href !== first);
  const name = await inspector.getByRole("heading").first().innerText();
  const other = await openPage(browser);
  await other.page.goto(page.url());
  assert.equal(await other.page.getByTestId("inspector").getByRole("heading").first().innerText(), name);
  await other.context.close();

  // Esc closes what is on top first: the help, then the inspector.
  await page.keyboard.press("?");
  await page.getByTestId("help").waitFor({ state: "visible" });
  await page.keyboard.press("Escape");
  await page.getByTestId("help").waitFor({ state: "hidden" });
  assert.equal(await inspector.count(), 1);
  await page.keyboard.press("Escape");
  await inspector.waitFor({ state: "detached" });
  assert.deepEqual(faults, []);
  await context.close();
});

test("keys: one tab stop in the table, pages, names, and the switch", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(table);
  const stops = await page
    .locator("tbody[data-rows] a, table[data-rows] tbody a")
    .evaluateAll((links) => links.filter((link) => link.tabIndex >= 0).length);
  assert.equal(stops, 1);
  await page.keyboard.press("n");
  await page.waitForURL(/page=2/);
  await page.keyboard.press("p");
  await page.waitForURL(table);
  await page.keyboard.press("x");
  await page.waitForURL(/names=/);
  await page.keyboard.press("1");
  await page.getByTestId("tiles").waitFor();
  await page.goto(table);
  await page.keyboard.press("?");
  await page.getByTestId("help").getByRole("checkbox").uncheck();
  await page.keyboard.press("Escape");
  await page.keyboard.press("n");
  await page.keyboard.press("1");
  await page.waitForTimeout(300);
  assert.equal(page.url(), table, "keys that are switched off do nothing");
  assert.deepEqual(faults, []);
  await context.close();
});
