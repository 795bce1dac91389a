// Machine IR Profiles: a map and two runs dropped together become one profile,
// with its coverage treemap, the functions that never ran and the order file; and
// how the pages look.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, looks, openPage, startBrowser, startServer } from "./harness.mjs";

const machine = (name) => path.resolve(import.meta.dirname, "../../decode/mip/testdata/merged", name);
const names = ["counts.mipmap", "counts.0.mipraw", "counts.1.mipraw"];

let server;
let browser;
let profile;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const body = new FormData();
  for (const name of names) body.append("file", new Blob([await readFile(machine(name))]), name);
  const answer = await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body });
  assert.equal(answer.status, 201);
  profile = `/p/${(await answer.json()).id}`;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Drops files on the page as a person would, which form one profile. */
async function drop(page, list) {
  const files = await Promise.all(
    list.map(async (name) => ({ name, base64: (await readFile(machine(name))).toString("base64") })),
  );
  await page.evaluate((list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    for (const type of ["dragenter", "dragover", "drop"]) {
      document.body.dispatchEvent(
        new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }),
      );
    }
  }, files);
}

test("a map and two runs dropped together", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await drop(page, names);
  await page.getByTestId("tile-functions").waitFor();

  await page.getByRole("link", { name: /^Tree/ }).click();
  await page.waitForURL(/\/tree$/);
  assert.ok((await page.getByTestId("treemap").locator("rect").count()) > 10);
  assert.match(await page.getByTestId("coverage").innerText(), /covered \(/);

  await page.getByRole("link", { name: /^Never executed [0-9]/ }).click();
  await page.waitForURL(/\/dead$/);
  const dead = await page.getByTestId("functions").locator("tbody tr").count();
  assert.match(await page.getByTestId("says").innerText(), new RegExp(`^${dead} functions`));
  await page.getByTestId("functions").locator("tbody a[data-open]").first().click();
  await page.waitForURL(/\/functions\/[0-9a-f]{16}/);
  assert.match(await page.getByTestId("blocks").innerText(), /not covered/);

  await page.getByRole("link", { name: "Order", exact: true }).click();
  await page.waitForURL(/\/order$/);
  assert.equal(await page.getByTestId("address-map").count(), 1);
  await page.getByTestId("order-table").getByRole("link", { name: "Bytes" }).click();
  await page.waitForURL(/sort=-size/);
  await page.getByRole("link", { name: "Order", exact: true }).click();
  await page.waitForURL(/\/order$/);
  const href = await page.getByRole("link", { name: "For lld and others" }).getAttribute("href");
  const order = await (await fetch(new URL(href, server.url))).text();
  assert.equal(
    order.trim().split("\n").length,
    await page.getByTestId("order-table").locator("tbody tr").count(),
  );
  assert.deepEqual(faults, []);
  await context.close();
});

test("what a page is of begins on its first screen, and no cell is over another", async () => {
  const { page, context } = await openPage(browser);
  for (const [at, table] of [
    ["/order", "order-table"],
    ["/runs", "run-matrix"],
    ["/functions", "functions"],
    ["/calls", "functions"],
  ]) {
    await page.goto(server.url + profile + at);
    const row = await page.getByTestId(table).locator("tbody tr").first().boundingBox();
    assert.ok(row.y + row.height < 800, `${at}: the first row is ${row.y} px down`);
    const over = await page.evaluate(
      () =>
        [...document.querySelectorAll(".col-covered_share")].filter(
          (cell) => cell.scrollWidth > cell.clientWidth,
        ).length,
    );
    assert.equal(over, 0, `${at}: shares are wider than their cells`);
  }
  await context.close();
});

for (const colorScheme of looks(["light", "dark"])) {
  test(`accessible, ${colorScheme}`, async () => {
    const { page, context, faults } = await openPage(browser, { colorScheme });
    for (const at of ["", "/functions", "/tree", "/dead", "/calls", "/order", "/runs"]) {
      await page.goto(server.url + profile + at);
      await accessible(page, `${at}, ${colorScheme}`);
      await page.setViewportSize({ width: 320, height: 800 });
      await fitsWidth(page, `${at}, 320 px`);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await page.goto(`${server.url}${profile}/functions`);
    await page.getByTestId("functions").locator("tbody a[data-open]").first().click();
    await page.waitForURL(/\/functions\/./);
    await accessible(page, `a function, ${colorScheme}`);
    assert.deepEqual(faults, []);
    await context.close();
  });
}
