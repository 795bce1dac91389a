// The tree of paths and namespaces: opened node by node, its lists, its rules,
// and how it looks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, openPage, startBrowser, startServer } from "./harness.mjs";

let server;
let browser;
let tree;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const names = ["main", "_ZN4llvm3FooC1Ev", "_ZN4llvm3Foo3barEv", "_ZN4llvm5otherEv"];
  for (const root of ["/home/al/src", "/build"]) {
    for (const folder of ["lib/Support", "lib/IR", "tools"]) {
      for (let i = 0; i < 40; i++) names.push(`${root}/${folder}/file${i}.cpp;f${i}`);
    }
  }
  const records = names.map(
    (name, i) => `${name}\n${i + 1}\n3\n${i % 3 && (i * i * 37) % 1000}\n${i % 3}\n0\n`,
  );
  const body = `:ir\n${records.join("\n")}\n`;
  const res = await fetch(`${server.url}/api/v1/profiles/tree.proftext?wait=5m`, { method: "PUT", body });
  assert.equal(res.status, 201);
  tree = `${server.url}/p/${(await res.json()).id}/tree`;
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("from the tab down to the functions that never ran, without scripts", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(tree.replace(/\/tree$/, ""));
  await page.getByTestId("tabs").getByRole("link", { name: "Tree" }).click();
  await page.waitForURL(/\/tree$/);
  const table = page.getByTestId("tree-table");

  // A rule makes the paths of two machines agree.
  await page.getByText("Rewrite paths").click();
  await page.getByTestId("rewrite-form").locator("input[name=rewrite]").fill("/home/al/src=/build");
  await page.getByRole("button", { name: "Add" }).click();
  await page.waitForURL(/rewrite=/);
  assert.equal(await page.getByTestId("chips").count(), 1);
  await table.getByRole("link", { name: "/build", exact: true }).click();
  await page.waitForURL(/path=\/build/);
  await table.getByRole("link", { name: "lib", exact: true }).click();
  await table.getByRole("link", { name: "Support", exact: true }).click();
  await page.waitForURL(/path=\/build\/lib\/Support/);
  const crumbs = await page.getByTestId("crumbs").locator("li").allInnerTexts();
  assert.deepEqual(
    crumbs.map((c) => c.replaceAll(/[›\s]/g, "")),
    ["all", "/", "build", "lib", "Support"],
  );
  assert.equal(await table.locator("tbody tr").count(), 40);
  assert.match(await page.getByTestId("coverage").innerText(), /of 80 functions executed/);

  const never = page.getByTestId("never");
  const count = (await never.innerText()).match(/\d+$/)[0];
  await never.click();
  await page.waitForURL(/class=never/);
  assert.equal(String(await page.getByTestId("functions").locator("tbody tr").count()), count);
  await context.close();
});

test("a frame of the map opens its node, and the namespaces are another tree", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${tree}?w=functions`);
  const frames = page.getByTestId("icicle").locator("a");
  assert.ok((await frames.count()) > 4, "frames");
  await frames.nth(2).click();
  await page.waitForURL(/path=/);
  assert.match(page.url(), /w=functions/);
  await page.getByRole("link", { name: "Namespaces" }).click();
  await page.waitForURL(/by=namespace/);
  await page.getByTestId("tree-table").getByRole("link", { name: "llvm", exact: true }).click();
  await page.waitForURL(/path=llvm/);
  const rows = await page.getByTestId("tree-table").locator("tbody th").allInnerTexts();
  assert.deepEqual(rows.map((r) => r.trim()).sort(), ["(own)", "Foo"]);
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [colorScheme, width, height] of [
  ["light", 1280, 800],
  ["dark", 360, 740],
]) {
  test(`${colorScheme}, ${width} px`, async () => {
    const { page, context, faults } = await openPage(browser, { colorScheme, viewport: { width, height } });
    for (const query of [
      "",
      "?path=/build/lib/Support&w=functions",
      "?path=/build/lib&rewrite=/home/al/src%3D/build&rewrite=a%3Db",
      "?by=namespace",
      "?by=namespace&path=llvm",
      "?path=%3B",
    ]) {
      await page.goto(tree + query);
      await accessible(page, `${query}, ${colorScheme}, ${width} px`);
      await fitsWidth(page, `${query}, ${width} px`);
    }
    await page.goto(`${tree}?by=namespace`);
    const share = await page.getByTestId("tree-table").locator("tbody td").last().boundingBox();
    assert.ok(share.x + share.width <= width, "the share of the total is out of sight");
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("a page that takes its time says so, then comes by itself", async () => {
  const slow = await startServer("-patience", "1ns");
  try {
    const body = ":ir\nmain\n1\n1\n7\n";
    const res = await fetch(`${slow.url}/api/v1/profiles/a.proftext?wait=5m`, { method: "PUT", body });
    const at = `${slow.url}/p/${(await res.json()).id}/tree?by=namespace`;
    for (const javaScriptEnabled of [true, false]) {
      const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
      const first = await fetch(at, { headers: { Accept: "text/html" } });
      assert.match(await first.text(), /Adding up….*Cancel/s);
      await page.goto(at);
      await page.getByTestId("tree-table").waitFor();
      assert.equal(new URL(page.url()).searchParams.has("wait"), !javaScriptEnabled);
      assert.deepEqual(faults, []);
      await context.close();
    }
  } finally {
    await slow.stop();
  }
});
