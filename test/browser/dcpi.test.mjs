// Samples of DCPI: a database dropped as an archive with a listing of nm, from the
// overview to a hot procedure and its instructions, over epochs, and how it looks.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, openPage, startBrowser, startServer } from "./harness.mjs";

const testdata = path.resolve(import.meta.dirname, "../../decode/dcpi/testdata/db");
let server;
let browser;
let folder;
let archive;

before(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "dcpi-"));
  archive = path.join(folder, "db.tar");
  execFileSync("tar", ["-cf", archive, "--exclude=*.json", "-C", testdata, "9711040900", "9711050900"]);
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
  if (folder) await rm(folder, { recursive: true });
});

test("a database and a listing are dropped, and lead to a hot procedure", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles([archive, path.join(testdata, "app.nmS")]);
  await page.waitForURL(/\/p\/[a-z0-9]+/);
  await page.getByTestId("tile-samples").waitFor();
  const base = page.url().replace(/[?#].*$/, "");
  assert.match(await page.getByTestId("procedures").locator("tbody tr").first().innerText(), /main/);
  await page.getByRole("link", { name: "All procedures" }).click();
  await page.waitForURL(/\/procedures$/);
  const row = page.getByTestId("procedure-table").locator("tbody tr").first();
  assert.match(await row.innerText(), /main\s+7.171\s+56\.36/);
  for (const view of [
    "",
    "/procedures",
    "/addresses",
    "/images",
    "/heat",
    "/epochs",
    "/epochs?show=procedures",
    "/epochs?show=difference",
    "/downloads",
  ]) {
    await page.goto(base + view);
    await accessible(page, `samples${view}`);
    await fitsWidth(page, `samples${view}`);
  }
  await page.goto(`${base}/heat?cell=64`);
  assert.match(await page.getByTestId("heat-bands").textContent(), /main/);
  assert.match(
    await page.getByTestId("heat").locator("a").first().getAttribute("aria-label"),
    /, in \S+ \+ 0x/,
  );
  await accessible(page, "bands of procedures");
  await page.getByTestId("heat-table").getByRole("link", { name: "cycles", exact: true }).click();
  await page.waitForURL(/sort=-cycles/);
  assert.match(await page.locator("th[aria-sort=descending]").innerText(), /^cycles/);
  await page.getByTestId("heat-table").getByRole("link", { name: "cycles", exact: true }).click();
  await page.waitForURL(/sort=cycles/);
  await page.goto(`${base}/addresses`);
  await page.locator("#filter-q").fill(" main ");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=/);
  assert.doesNotMatch(await page.getByTestId("address-table").innerText(), /__start/);
  await page.goto(`${base}/procedures`);
  await page.getByTestId("procedure-table").getByRole("link", { name: "main" }).click();
  await page.waitForURL(/\/addresses\?/);
  assert.match(
    await page.getByTestId("address-table").locator("tbody tr").first().innerText(),
    /0x120001010\s+main\s+\+ 0x10/,
  );
  assert.deepEqual(faults, []);
  await context.close();
});

test("the heat map is walked by arrows, down to an instruction", async () => {
  const { page, context, faults } = await openPage(browser);
  const put = await fetch(`${server.url}/api/v1/profiles/db.tar?wait=5m`, {
    method: "PUT",
    body: await (await import("node:fs/promises")).readFile(archive),
  });
  assert.equal(put.status, 201);
  await page.goto(`${server.url}/p/${(await put.json()).id}/heat`);
  await page.getByTestId("heat").locator("a").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowRight");
  assert.match(
    await page.evaluate(() => document.activeElement.getAttribute("aria-label")),
    /^0x120001[0-9a-f]{3}: \d/,
  );
  assert.equal(await page.getByTestId("heat-bands").count(), 0, "bands without symbols");
  await page.keyboard.press("Enter");
  await page.waitForURL(/cell=4/);
  await page.getByTestId("heat-table").locator("tbody a[data-open]").first().click();
  await page.waitForURL(/\/addresses\?/);
  assert.match(await page.getByTestId("address-table").innerText(), /0x12000\w+/);
  assert.deepEqual(faults, []);
  await context.close();
});
