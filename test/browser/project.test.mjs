// Projects: a script records two hundred builds; the step in them, the way to the newest
// build, and how it looks.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { accessible, fitsWidth, looks, openPage, startBrowser, startServer } from "./harness.mjs";

const builds = 200;
const stepAt = 120; // from this build on, a function no longer runs
let server;
let browser;

const commit = (i) => (i * 2654435761).toString(16).padStart(12, "0").padEnd(40, "0");

/** Uploads the profile of a build. */
async function record(i, branch = "main") {
  const count = i < stepAt ? 30 + (i % 3) : 0;
  const text = `:ir\nhot\n1\n2\n${900 + (i % 5)}\n80\n\nother\n2\n1\n${count}\n\nmore\n3\n1\n7\n`;
  const q = new URLSearchParams({ project: "owner/name", wait: "1m" });
  const date = new Date(Date.UTC(2024, 0, 1 + i)).toISOString().replace(".000", "");
  for (const label of [`branch=${branch}`, `commit=${commit(i)}`, `date=${date}`, `subject=change ${i}`])
    q.append("label", label);
  const answer = await fetch(`${server.url}/api/v1/profiles/build.proftext?${q}`, {
    method: "PUT",
    body: text,
  });
  assert.equal(answer.status, 201);
}

/** Asks until all is measured. */
async function measured() {
  for (;;) {
    const answer = await fetch(`${server.url}/api/v1/projects/owner/name/trends?branch=main`);
    const { items } = await answer.json();
    if (items.length > 5 && items.every((t) => t.points.every((p) => !p.pending))) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  const left = Array.from({ length: builds }, (_, i) => i);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      for (let i = left.shift(); i !== undefined; i = left.shift()) await record(i);
    }),
  );
  await record(builds, "release/1.0");
  const rules = "[gate]\nmin_functions_run = 90\nmin_overlap = 95\nmax_cold_bytes_growth = 10\n";
  const kept = await fetch(`${server.url}/api/v1/projects/owner/name/rules`, { method: "PUT", body: rules });
  assert.equal(kept.status, 204);
  await measured();
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

test("the home page leads to the step of a project, and that to the comparison of two builds", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await page.getByTestId("to-projects").click();
  await page.getByTestId("projects").getByRole("link", { name: "owner/name" }).click();
  await page.waitForURL(`${server.url}/projects/owner/name`);
  const chart = page.getByTestId("trend-chart");
  assert.match(await chart.getAttribute("aria-label"), /^Functions that ran, 200 builds of main: from 100/);
  assert.equal(await chart.locator(".trend-band").count(), 1);
  assert.equal(await chart.locator(".trend-limit").count(), 1);
  const step = page.getByTestId("steps").locator("li");
  assert.match(
    await step.innerText(),
    new RegExp(`→ ${commit(stepAt).slice(0, 8)}, 30 Apr 2024: −33.33 points`),
  );
  await step.getByRole("link", { name: "Compare the two builds" }).click();
  await page.waitForURL(/\/compare\/[a-z2-7]+\.\.\.[a-z2-7]+\?family=instr$/);
  assert.match(await page.locator("main").innerText(), /other/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a step is dismissed and brought back", async () => {
  const { page, context, faults } = await openPage(browser, { viewport: { width: 390, height: 800 } });
  await page.goto(`${server.url}/projects/owner/name`);
  const bands = page.getByTestId("trend-chart").locator(".trend-band");
  await page.getByRole("button", { name: /^Dismiss: / }).click();
  await page.waitForURL(/#steps$/);
  assert.equal(await bands.count(), 0);
  const dismissed = page.getByTestId("dismissed");
  await dismissed.getByText("1 dismissed step").click();
  await accessible(page, "a dismissed step");
  await fitsWidth(page, "a dismissed step");
  await dismissed.getByRole("button", { name: /^Bring back: / }).click();
  await page.getByTestId("steps").waitFor();
  assert.equal(await bands.count(), 1);
  assert.deepEqual(faults, []);
  await context.close();
});

test("another measure, and the same as a table", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}/projects/owner/name`);
  await page.locator("select[name=measure]").selectOption("instr.overlap");
  await page.waitForURL(/measure=instr\.overlap/);
  assert.match(await page.getByTestId("trend-chart").getAttribute("aria-label"), /^Overlap, 199 builds/);
  await page.getByRole("link", { name: "Table", exact: true }).click();
  await page.waitForURL(/view=table/);
  const rows = page.getByTestId("trend-table").locator("tbody tr");
  assert.equal(await rows.count(), builds);
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server.url}/projects/owner/name/builds/${commit(builds - 1)}`);
  assert.deepEqual(faults, []);
  await context.close();
});

test("keys go along the builds", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}/projects/owner/name`);
  const says = page.locator("[data-trend-says]");
  assert.match(await says.innerText(), /^Newest: 66\.67/);
  await page.keyboard.press("ArrowLeft");
  assert.match(await says.innerText(), new RegExp(`^${commit(199).slice(0, 8)}, 18 Jul 2024`));
  await page.keyboard.press("ArrowLeft");
  assert.match(await says.innerText(), new RegExp(`^${commit(198).slice(0, 8)}, 17 Jul 2024`));
  await page.keyboard.press("Enter");
  await page.waitForURL(`${server.url}/projects/owner/name/builds/${commit(198)}`);
  await page.keyboard.press("ArrowRight");
  await page.waitForURL(`${server.url}/projects/owner/name/builds/${commit(199)}`);
  await page.keyboard.press("c");
  await page.waitForURL(/\/compare\//);
  await page.goto(`${server.url}/projects/owner/name`);
  await page.keyboard.press("c");
  await page.waitForURL(/\/compare\//);
  assert.deepEqual(faults, []);
  await context.close();
});

test("the latest of a branch with a slash, and without scripts", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${server.url}/projects/owner/name/latest/release/1.0`);
  assert.equal(page.url(), `${server.url}/projects/owner/name/builds/${commit(builds)}`);
  assert.match(await page.locator("h1").innerText(), /change 200/);
  await page.getByTestId("profiles").getByRole("link", { name: "build.proftext" }).click();
  await page.getByTestId("to-build").click();
  await page
    .getByRole("heading", { name: /change 200/ })
    .first()
    .waitFor();
  await page.goto(`${server.url}/projects/owner/name?branch=release/1.0`);
  assert.match(await page.getByTestId("gate").innerText(), /– no base\s+min_overlap/);
  await page.getByTestId("choices").locator("select[name=branch]").selectOption("main");
  await page.getByTestId("choices").getByRole("button", { name: "Show" }).click();
  await page
    .getByTestId("trend-chart")
    .and(page.getByLabel(/200 builds of main/))
    .waitFor();
  await context.close();
});

test("rules are kept by the form, and the gate follows", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${server.url}/projects/owner/name/rules`);
  const text = page.locator("textarea");
  assert.match(await text.inputValue(), /min_functions_run = 90/);
  await text.fill("[gate]\nmin_functions_run = 60\n");
  await page.getByRole("button", { name: "Keep these rules" }).click();
  await page.waitForLoadState();
  await page.goto(`${server.url}/projects/owner/name/gate`);
  assert.match(await page.getByTestId("rule").innerText(), /pass\s+min_functions_run/);
  assert.equal(
    await page.getByTestId("badge").evaluate((img) => img.complete && img.naturalWidth > 50),
    true,
  );
  assert.deepEqual(faults, []);
  await context.close();
});

for (const [what, options] of [
  ...looks([
    ["in the light", { colorScheme: "light" }],
    ["in the dark", { colorScheme: "dark" }],
  ]),
  ["on a phone", { viewport: { width: 320, height: 640 } }],
]) {
  test(`every page of a project is accessible ${what}`, async () => {
    const { page, context, faults } = await openPage(browser, options);
    const paths = [
      "",
      "?view=table&measure=size",
      "/builds",
      "/branches",
      "/gate",
      "/rules",
      `/builds/${commit(stepAt)}`,
    ];
    for (const path of paths) {
      await page.goto(`${server.url}/projects/owner/name${path}`);
      // Long tables take their time; those of the phone are the same.
      if (what === "in the light" || !/table|builds$|branches/.test(path)) await accessible(page, path);
      await fitsWidth(page, path);
    }
    await page.goto(`${server.url}/projects`);
    await accessible(page, "projects");
    await fitsWidth(page, "projects");
    assert.deepEqual(faults, []);
    await context.close();
  });
}
