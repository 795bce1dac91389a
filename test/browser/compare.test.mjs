// Two profiles: from the top bar to their comparison, with and without scripts,
// the changes, a merge, and how it looks.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, fixture, looks, openPage, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
const ids = {};

const text = (counts) =>
  `:ir\n${Object.entries(counts)
    .map(([name, count]) => `${name}\n1\n1\n${count}\n`)
    .join("\n")}`;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const put = async (name, body) => {
    const answer = await fetch(`${server.url}/api/v1/profiles/${name}?wait=5m`, { method: "PUT", body });
    assert.equal(answer.status, 201);
    return (await answer.json()).id;
  };
  ids.before = await put("before.proftext", text({ main: 10, parse: 800, drop: 190 }));
  ids.after = await put("after.proftext", text({ main: 10, parse: 300, added: 90 }));
  ids.moved = await put("moved.proftext", text({ main: 200, "src/a.c;parse": 150, "src/b.c;scan": 50 }));
  const heap = (name) => readFile(new URL(`../../profile/memprofdb/testdata/${name}`, import.meta.url));
  ids.heap = await put("a.profdata", await heap("mem_cold_v4.profdata"));
  ids.other = await put("b.memprofraw", await heap("mem_hist.memprofraw"));
  ids.real = await put("real.profraw", await readFile(fixture("examples/cxx-ir.profraw")));
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("from a profile's top bar to what changed, and to the sum", async () => {
  const { page, context, faults } = await openPage(browser);
  for (const id of [ids.heap, ids.after, ids.before]) await page.goto(`${server.url}/p/${id}`);
  await page.keyboard.press("c");
  await page.waitForURL(/\/compare\?base=/);
  // The browser's own list stands beside the server's.
  const mine = page.getByTestId("side-B").locator("[data-controller=compare-mine]");
  assert.match(await mine.innerText(), /after\.proftext/);
  assert.doesNotMatch(await mine.innerText(), /a\.profdata/, "what cannot be compared is offered");
  await mine.getByRole("link", { name: "after.proftext" }).click();
  await page.waitForURL(`${server.url}/compare/${ids.before}...${ids.after}`);
  assert.match(
    await page.getByTestId("sentence").innerText(),
    /overlap\. 2 functions exist on one side only and hold 19\.0\s% of A and 22\.5\s% of B\. Of the 2 in both, 2 moved by 0\.01\spoints or more\./,
  );
  assert.match(await page.getByTestId("list-lost").innerText(), /drop/);
  assert.match(await page.getByTestId("list-new").innerText(), /added/);
  assert.equal(await page.getByTestId("largest-moves").locator("ol > li").count(), 5); // four moves and the scale
  const rows = page.getByTestId("pairs").locator("tbody tr");
  assert.match(await rows.nth(0).innerText(), /added[\s\S]*\+22\.50/);
  assert.match(await rows.nth(1).innerText(), /drop[\s\S]*−19\.00/);
  assert.doesNotMatch(await page.getByTestId("pairs").innerText(), /matched|\+22\.50\s%/);
  await page.getByLabel("State", { exact: true }).selectOption("only_test");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/state=only_test/);
  assert.equal(await rows.count(), 1);
  await page.getByTestId("more").click();
  await page.getByLabel("Weight of A").fill("3");
  await page.getByRole("button", { name: "Merge" }).click();
  await page.waitForURL(/\/p\/[a-z2-7]{20,}/);
  assert.match(
    await page.getByTestId("merged").innerText(),
    /before\.proftext[\s\S]*×3[\s\S]*after\.proftext[\s\S]*×1/,
  );
  assert.match(await page.getByTestId("tiles").innerText(), /3\s?400/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a threshold says what is a change, keys exchange and pick the sides", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}/compare/${ids.before}...${ids.after}?min=22`);
  assert.match(
    await page.getByTestId("threshold-says").innerText(),
    /1 of 4; smaller changes count as equal/,
  );
  await page.goto(`${server.url}/compare/${ids.before}...${ids.after}?min=99`);
  assert.match(
    await page.getByTestId("sentence").innerText(),
    /Nothing moved by 99\spoints or more; the largest move is \+22\.50 points in added/,
  );
  await page.keyboard.press("s");
  await page.waitForURL(`${server.url}/compare/${ids.after}...${ids.before}?min=99`);
  await page.keyboard.press("b");
  await page.getByTestId("choices-B").getByRole("link", { name: "moved.proftext" }).click();
  await page.waitForURL(`${server.url}/compare/${ids.after}...${ids.moved}`);
  // How long it took is no part of the address.
  await page.goto(`${server.url}/compare/${ids.before}...${ids.after}?wait=1`);
  await page.waitForURL(`${server.url}/compare/${ids.before}...${ids.after}`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("two heaps as a flame graph: keys, both sides, the same as a table", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}/compare/${ids.heap}...${ids.other}/flame`);
  await page.locator("[data-testid=flame][data-ready]").waitFor();
  assert.match(await page.getByTestId("flame-says").innerText(), /A .*, B .*[+−]/);
  await page.getByTestId("flame-canvas").focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.match(await page.getByTestId("flame-inspector").innerText(), /A[\s\S]*B[\s\S]*Objects/);
  assert.match(await page.getByTestId("flame-live").innerText(), /A .*, B /);
  await page.keyboard.press("t");
  await page.waitForURL(/view=table/);
  assert.match(await page.getByTestId("treegrid-callees").locator("thead").innerText(), /A\s+B\s+Change/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("where the changes are, and the way back from the home page", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}/compare/${ids.moved}...${ids.after}`);
  await page.getByRole("link", { name: "Files and namespaces" }).click();
  await page.waitForURL(/\/tree$/);
  const rows = page.getByTestId("change-table").locator("tbody tr");
  assert.match(await rows.nth(0).innerText(), /src[\s\S]*−50\.00/);
  assert.match(await rows.nth(1).innerText(), /no path[\s\S]*\+50\.00/);
  await rows.nth(0).getByRole("link", { name: "src", exact: true }).click();
  await page.waitForURL(/path=src$/);
  assert.match(await page.getByTestId("says").innerText(), /50\.00\s% of A, 0\s% of B/);
  await rows.nth(0).getByRole("link", { name: "a.c", exact: true }).click();
  await page.waitForURL(/\?path=src\/a\.c%3B$/);
  assert.equal(await page.getByTestId("pairs").locator("tbody tr").count(), 1);
  await page.goto(server.url);
  const recent = page.getByTestId("recent");
  await recent.getByRole("link", { name: "moved.proftext … after.proftext" }).click();
  await page.waitForURL(`${server.url}/compare/${ids.moved}...${ids.after}`);
  await page.goto(server.url);
  await recent.getByRole("button", { name: "Forget all" }).click();
  assert.equal(await recent.isHidden(), true);
  assert.deepEqual(faults, []);
  await context.close();
});

test("without scripts a link is enough", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${server.url}/p/${ids.before}`);
  await page.getByTestId("compare-with").click();
  const other = page.getByTestId("side-B");
  await other.getByLabel(/^B:/).fill(`${server.url}/p/${ids.after}/functions`);
  await other.getByRole("button", { name: "Choose" }).click();
  await page.waitForURL(`${server.url}/compare/${ids.before}...${ids.after}`);
  await page.goto(`${server.url}/compare?base=${ids.before}&test=no%20id`);
  assert.match(await page.getByTestId("fault").innerText(), /neither a profile.s ID/);
  await other.getByRole("link", { name: "real.profraw" }).click();
  await page.waitForURL(new RegExp(`/compare/${ids.before}\\.\\.\\.${ids.real}`));
  await context.close();
});

test("accessible, and no wider than a phone", async () => {
  for (const colorScheme of looks(["light", "dark"])) {
    const { page, context } = await openPage(browser, { colorScheme });
    for (const path of [
      `/compare/${ids.before}...${ids.after}`,
      `/compare?base=${ids.before}`,
      `/compare/${ids.moved}...${ids.after}/tree`,
      "/compare",
      `/compare/${ids.heap}...${ids.other}`,
      `/compare/${ids.heap}...${ids.other}/flame`,
      `/compare/${ids.heap}...${ids.other}/flame?view=table`,
    ]) {
      await page.goto(server.url + path);
      await accessible(page, `${path} ${colorScheme}`);
      if (colorScheme === "dark") continue;
      await page.setViewportSize({ width: 320, height: 640 });
      await fitsWidth(page, path);
      await page.setViewportSize({ width: 1280, height: 800 });
    }
    await context.close();
  }
});
