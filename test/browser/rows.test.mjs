// Tables behave alike: sorted and filtered by the address, a click or j selects a row,
// Enter opens it, y copies its link and Y the page's.
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { accessible, fitsWidth, fixture, openPage, put, startBrowser, startServer } from "./harness.mjs";

const testdata = path.resolve(import.meta.dirname, "../../decode/memprof/testdata");
let server;
let browser;
let counts;
let heap;
let temporal;
let mip;
let dcpi;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  counts = `${server.url}/p/${await put(server, fixture("examples/cxx-ir.profraw"))}`;
  temporal = `${server.url}/p/${await put(server, fixture("examples/cxx-temporal.profdata.zst"))}`;
  const body = new FormData();
  for (const name of ["clang-22_mem_pie.memprofraw", "clang-22_mem_pie.exe"]) {
    body.append("file", new Blob([gunzipSync(await readFile(path.join(testdata, `${name}.gz`)))]), name);
  }
  heap = await send(body);
  mip = await send(await folder("mip"));
  dcpi = await send(await folder("dcpi"));
});

/** Uploads files as one profile; its page. */
async function send(body) {
  const answer = await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body });
  return `${server.url}/p/${(await answer.json()).id}`;
}

/** The files of an example, those in folders among them. */
async function folder(name) {
  const body = new FormData();
  for (const file of await readdir(fixture(`examples/${name}`), { recursive: true, withFileTypes: true })) {
    if (file.isFile())
      body.append("file", new Blob([await readFile(path.join(file.parentPath, file.name))]), file.name);
  }
  return body;
}

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The column of a table by its number. */
const column = (page, table, n) =>
  page.getByTestId(table).locator(`tbody tr > :nth-child(${n})`).allInnerTexts();

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? "scripts on" : "scripts off";

  test(`value sites are sorted and filtered, ${how}`, async () => {
    const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
    await page.goto(`${counts}/values`);
    await page.getByTestId("sites").locator("thead").getByRole("link", { name: "Function" }).click();
    await page.waitForURL(/sort=name/);
    const rows = await column(page, "sites", 2);
    assert.ok(rows.length > 1);
    await page
      .getByRole("search", { name: "Filter the list" })
      .locator("#filter-q")
      .fill(" ACCEPT  calc::b ");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=/);
    const found = await column(page, "sites", 2);
    assert.ok(found.length > 0 && found.length < rows.length, `${found.length} of ${rows.length}`);
    for (const name of found) assert.match(name.replace(/\s/g, ""), /calc::b.*accept/i);
    assert.match(page.url(), /sort=name/, "the order stays");
    await page.getByRole("link", { name: /Remove filter/ }).click();
    await page.waitForURL((url) => !url.search.includes("q="));
    assert.deepEqual(faults, []);
    await context.close();
  });

  test(`call sites are sorted and filtered, ${how}`, async () => {
    const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
    await page.goto(`${heap}/callsites?lib=show`);
    await page.getByTestId("calls").locator("thead").getByRole("link", { name: "Callee" }).click();
    await page.waitForURL(/sort=callee/);
    const rows = await column(page, "calls", 3);
    await page.getByRole("search", { name: "Filter the list" }).locator("#filter-q").fill(" buffer cold ");
    await page.keyboard.press("Enter");
    await page.waitForURL(/q=/);
    const found = await page.getByTestId("calls").locator("tbody tr").allInnerTexts();
    assert.ok(found.length > 0 && found.length < rows.length, `${found.length} of ${rows.length}`);
    for (const row of found) assert.match(row.replace(/\s/g, ""), /cold_buffer/);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("without scripts the number of a row opens its inspector", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${counts}/values`);
  await page.getByRole("link", { name: "Inspect site 2", exact: true }).click();
  await page.waitForURL(/sel=/);
  assert.equal(await page.getByTestId("inspector").count(), 1);
  await context.close();
});

test("a phone shows a row's name with the figure that orders, under its own head", async () => {
  const { page, context } = await openPage(browser, { viewport: { width: 390, height: 800 } });
  for (const [address, table] of [
    [`${counts}/values`, "sites"],
    [`${counts}/functions`, "functions"],
    [`${counts}/tree?by=namespace&sort=-total`, "tree-table"],
    [`${heap}/sites?by=line`, "sites"],
    [`${heap}/callsites?lib=show`, "calls"],
    [`${mip}/functions`, "functions"],
    [`${mip}/runs`, "run-matrix"],
    [`${mip}/runs?sort=-size&size=20..`, "run-matrix"],
    [`${dcpi}/procedures`, "procedure-table"],
    [`${dcpi}/addresses`, "address-table"],
  ]) {
    await page.goto(address);
    const shown = page.getByTestId(table).locator("tbody tr").first().locator("> *:visible");
    const heads = page.getByTestId(table).locator("thead th:visible");
    assert.equal(await heads.count(), await shown.count(), address);
    const head = page.getByTestId(table).locator("th[aria-sort]");
    const figure = shown.nth(
      await head.evaluate((th) =>
        [...th.parentElement.children].filter((c) => c.checkVisibility()).indexOf(th),
      ),
    );
    for (const cell of [head, figure]) {
      const box = await cell.boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= 390, `${address}: it ends at ${box.x + box.width}`);
    }
  }
  await context.close();
});

for (const [name, address, table] of [
  ["value sites", () => `${counts}/values`, "sites"],
  ["call sites", () => `${heap}/callsites?lib=show`, "calls"],
  ["contexts", () => `${heap}/sites?by=context`, "contexts"],
  ["lines", () => `${heap}/sites?by=line`, "sites"],
  ["blame frames", () => `${heap}/sites?by=blame`, "blame"],
  ["functions of machine IR", () => `${mip}/functions`, "functions"],
  ["the start-up order", () => `${mip}/order`, "order-table"],
  ["functions by runs", () => `${mip}/runs`, "run-matrix"],
  ["procedures", () => `${dcpi}/procedures`, "procedure-table"],
  ["addresses", () => `${dcpi}/addresses`, "address-table"],
  ["the function order", () => `${temporal}/order`, "order-table"],
]) {
  test(`a row selects and fills the inspector, Enter opens, y and Y copy: ${name}`, async () => {
    const { page, context, faults } = await openPage(browser, {
      permissions: ["clipboard-read", "clipboard-write"],
    });
    await page.goto(address());
    const row = page.getByTestId(table).locator("tbody tr").nth(1);
    await row.locator("td.n").last().click();
    const inspector = page.getByTestId("inspector");
    await inspector.waitFor();
    const link = await row.locator("[data-open]").evaluate((a) => a.href);
    assert.match(page.url(), /sel=/);
    assert.equal(await row.getAttribute("aria-selected"), "true");
    const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press("y");
    await page.getByText("Link copied").waitFor();
    assert.equal(await clipboard(), link);
    await page.keyboard.press("Y");
    await page.waitForFunction((was) => navigator.clipboard.readText().then((now) => now !== was), link);
    assert.equal(await clipboard(), page.url());
    await inspector.getByRole("button", { name: "Copy link" }).click();
    await page.waitForFunction(
      (was) => navigator.clipboard.readText().then((now) => now !== was),
      page.url(),
    );
    await page.evaluate(() => scrollTo(0, 0)); // what the bar at the top covers cannot be touched
    await accessible(page, `${name} with the inspector`);
    await fitsWidth(page, `${name} with the inspector`);

    const before = page.url();
    await page.keyboard.press("k");
    await page.waitForURL((url) => url.href !== before);
    await page.goto(before); // the address alone brings the row and its inspector back
    await inspector.waitFor();
    await page.keyboard.press("Escape");
    await inspector.waitFor({ state: "detached" });
    const closed = page.url();
    assert.doesNotMatch(closed, /sel=/);
    await row.locator("[data-open]").focus();
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.href !== closed);
    assert.doesNotMatch(page.url(), /sel=/, "what was closed does not come back");
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("rows without an inspector are selected too", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${mip}/tree`);
  const rows = page.locator("table[data-rows] tbody tr");
  await rows.nth(0).locator("td.n").last().click();
  assert.notEqual(await rows.nth(0).getAttribute("data-active"), null);
  await page.keyboard.press("j");
  assert.notEqual(await rows.nth(1).getAttribute("data-active"), null);
  assert.equal(await page.locator("tr[data-active]").count(), 1);
  assert.match(page.url(), /tree$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("heads stay in sight", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${temporal}/order`);
  const rows = page.getByTestId("order-table").locator("tbody tr");
  await rows.nth(90).locator("th").scrollIntoViewIfNeeded();
  const head = page.getByTestId("order-table").locator("thead th").first();
  assert.ok(await head.isVisible());
  const box = await head.boundingBox();
  assert.ok(box && box.y >= 0 && box.y < 800, `the head stands at ${box?.y}`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("y without a row says how to select one; the help lists both keys", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(counts);
  await page.keyboard.press("y");
  await page.getByText("No row is selected").waitFor();
  await page.keyboard.press("?");
  const help = await page.getByTestId("help").innerText();
  assert.match(help, /copy the row.s link/);
  assert.match(help, /copy the page.s link/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a heap profile suggests functions, by words in any order", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(heap);
  const box = page.locator("form[data-controller=suggest] input[type=search]");
  await box.fill("buffer cold ");
  const option = page.getByRole("option").first();
  await option.waitFor();
  assert.match(await option.innerText(), /heap::cold_buffer/);
  await option.getByRole("link").click();
  await page.waitForURL(/\/sites\?by=context&function=[0-9a-f]{16}/);
  assert.ok((await column(page, "contexts", 1)).length > 0);
  await page.goto(`${heap}/sites?by=context&q=%20buffer%20cold%20`);
  assert.ok((await column(page, "contexts", 1)).length > 0);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the page of a function says when it first ran, and leads to its place", async () => {
  const { page, context, faults } = await openPage(browser);
  const list = await (
    await fetch(`${temporal.replace("/p/", "/api/v1/profiles/")}/traces?by=function&limit=1&page=120`)
  ).json();
  await page.goto(`${temporal}/functions/${list.items[0].fid}`);
  const tile = page.getByTestId("tile-first-run");
  assert.match(await tile.innerText(), /place 120[\s\S]*of 167, in 1 of 1 trace/);
  await tile.getByRole("link", { name: /of 167/ }).click();
  await page.waitForURL(/\/order\?page=2#f-/);
  assert.equal(await page.locator(`#f-${list.items[0].fid}`).count(), 1);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`the tree is filtered by words and a least number, scripts ${javaScriptEnabled ? "on" : "off"}, and its head stays on a phone`, async () => {
    const { page, faults } = await openPage(browser, {
      javaScriptEnabled,
      viewport: { width: 390, height: 844 },
    });
    await page.goto(`${counts}/tree?by=namespace&limit=1000`);
    const all = await page.getByTestId("tree-table").locator("tbody tr").count();
    const head = page.getByTestId("tree-table").locator("thead th").first();
    assert.equal(await head.evaluate((th) => getComputedStyle(th).position), "sticky");
    const held = (await column(page, "tree-table", 2)).map((n) => Number(n.replace(/\D/g, "")));
    await page.getByRole("textbox", { name: "Functions" }).fill(`${Math.max(...held)}..`);
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.waitForURL(/functions=\d+\.\./);
    const some = await page.getByTestId("tree-table").locator("tbody tr").count();
    assert.ok(some > 0 && some < all, `${some} of ${all}`);
    await fitsWidth(page, "tree on a phone");
    if (javaScriptEnabled) await accessible(page, "filtered tree");
    await page.getByTestId("chips").getByRole("link").click();
    await page.waitForURL((url) => !url.search.includes("functions"));
    assert.deepEqual(faults, []);
  });
}
