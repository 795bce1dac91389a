// Vtables: from the tab to a class and to the function whose call saw it; what is in
// none; records of one name side by side, and the bits of an MC/DC bitmap.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, looks, openPage, startBrowser, startServer } from "./harness.mjs";

const testdata = path.resolve(import.meta.dirname, "../../decode/instrprof/testdata");

let server;
let browser;
let vtables;
let hashes;
let mcdc;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const put = async (name, body) => {
    const answer = await fetch(`${server.url}/api/v1/profiles/${name}?wait=5m`, { method: "PUT", body });
    assert.equal(answer.status, 201);
    return `/p/${(await answer.json()).id}`;
  };
  vtables = await put("vtables.profraw", await readFile(path.join(testdata, "vtables/vtables.profraw")));
  hashes = await put("hashes.proftext", ":ir\nf\n1\n3\n5\n0\n7\n\nf\n2\n1\n9\n");
  mcdc = await put("mcdc.profraw", await readFile(path.join(testdata, "raw/clang-22_fe_mcdc.profraw")));
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("from the tab to a class, and to the call that saw it", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url + vtables);
  await page.getByTestId("tabs").getByRole("link", { name: "VTables" }).click();
  await page.waitForURL(/\/vtables$/);
  await page.getByRole("link", { name: /^Seen/ }).click();
  await page.waitForURL(/seen=true/);
  assert.equal(await page.getByTestId("vtables").locator("tbody tr").count(), 8);
  await page.getByRole("combobox", { name: /Filter: class/ }).fill("Rect");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=Rect/);
  await page.getByTestId("vtables").getByRole("link", { name: "Rect" }).click();
  await page.waitForURL(/\/vtables\/[0-9a-f]{16}$/);
  assert.match(await page.getByTestId("facts").innerText(), /0x4091b0–0x409207/);
  await page.getByTestId("vtable-sites").locator("tbody a[data-open]").first().click();
  await page.waitForURL(/\/functions\/.*#vtables$/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("pages are accessible, and as wide as a phone", async () => {
  const none = `${vtables}/vtables/0000000000000000`;
  const one = await (await fetch(`${server.url}/api/v1/profiles${vtables.slice(2)}/vtables?limit=1`)).json();
  const several = await (
    await fetch(`${server.url}/api/v1/profiles${hashes.slice(2)}/functions?limit=1`)
  ).json();
  const bits = await (await fetch(`${server.url}/api/v1/profiles${mcdc.slice(2)}/bitmaps?limit=1`)).json();
  const pages = [
    `${vtables}/vtables`,
    `${vtables}/vtables/${one.items[0].fid}`,
    none,
    `${hashes}/functions`,
    `${hashes}/functions/${several.items[0].fid}`,
    `${mcdc}/functions/${bits.items[0].fid}`,
  ];
  for (const colorScheme of looks(["light", "dark"])) {
    const { page, context, faults } = await openPage(browser, { colorScheme });
    for (const address of pages) {
      await page.goto(server.url + address);
      for (const more of await page.locator("details.chart-data > summary").all()) {
        await more.click();
      }
      await accessible(page, `${address}, ${colorScheme}`);
    }
    assert.deepEqual(faults, []);
    await context.close();
  }
  const { page, context } = await openPage(browser, { viewport: { width: 390, height: 844 } });
  for (const address of pages) {
    await page.goto(server.url + address);
    await fitsWidth(page, address);
  }
  await context.close();
});
