// Lines of source for every kind of profile: from a function, a heap site and a sampled
// address to the page of the file, by mouse and by keyboard, and how it looks.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { accessible, fitsWidth, looks, openPage, startBrowser, startServer, until } from "./harness.mjs";

const testdata = path.resolve(import.meta.dirname, "../../decode/llvm/testdata/shapes");
let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Uploads files as one profile, with the text of main.cpp and what is after it, and returns its address. */
async function put(...names) {
  return putLong("", ...names);
}

async function putLong(after, ...names) {
  const form = new FormData();
  form.set("group", "one");
  for (const name of names) {
    const data = await readFile(path.join(testdata, name));
    form.append(
      "file",
      new Blob([name.endsWith(".gz") ? gunzipSync(data) : data]),
      name.replace(/\.gz$/, ""),
    );
  }
  const answer = await (
    await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body: form })
  ).json();
  const sources = new FormData();
  sources.append("file", new Blob([await readFile(path.join(testdata, "main.cpp")), after]), "main.cpp");
  const headers = { "X-Delete-Token": answer.delete_token };
  await fetch(`${server.url}/api/v1/profiles/${answer.id}/sources`, {
    method: "POST",
    body: sources,
    headers,
  });
  return `${server.url}/p/${answer.id}`;
}

test("a function leads to the line that it is declared on", async () => {
  const profile = await put("ir.profraw", "ir.exe");
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/functions`);
  await page.getByRole("link", { name: "shapes/main.cpp:12" }).click();
  await page.waitForURL(/\/files\/src\/shapes\/main\.cpp\?sel=12#L12$/);
  const row = page.getByTestId("lines").locator("tr[aria-selected=true]");
  assert.match(await row.innerText(), /12\s+1\s+12\s+static int add/);
  assert.equal(await row.evaluate((line) => getComputedStyle(line).contentVisibility), "auto");
  await page.getByTestId("line-group").getByRole("link").click();
  await page.waitForURL(/\/functions\/[0-9a-f]{16}/);
  assert.equal(await page.getByTestId("place").innerText(), "shapes/main.cpp:12");
  assert.deepEqual(faults, []);
  await context.close();
});

test("a long file is one page to who scrolls, and several without scripts", async () => {
  const source = `${await putLong("// more\n".repeat(2400), "ir.profraw", "ir.exe")}/files/src/shapes/main.cpp`;
  const { page, context, faults } = await openPage(browser);
  // A browser that is busy says at once that the edge was out of sight, and that it is in sight.
  await page.addInitScript(() => {
    globalThis.IntersectionObserver = class extends IntersectionObserver {
      constructor(tell, options) {
        const said = [];
        super((entries, observer) => {
          said.push(...entries);
          if (entries.some((entry) => entry.isIntersecting)) tell(said, observer);
        }, options);
      }
    };
  });
  await page.goto(source);
  const rows = page.getByTestId("lines").locator("tbody tr");
  assert.equal(await rows.count(), 1000);
  const later = page.getByRole("link", { name: "later lines" });
  await until(
    async () => (await later.count()) === 0,
    () => page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight)),
  );
  const numbers = await rows.locator("th").allTextContents();
  assert.ok(numbers.length > 2400, `${numbers.length} lines`);
  assert.ok(numbers.every((text, i) => Number(text.replace(/\D/g, "")) === i + 1));
  assert.match(await page.getByTestId("status-shown").innerText(), /^lines 1–\d+; \d+ lines with figures$/);
  assert.deepEqual(faults, []);
  await context.close();

  const plain = await openPage(browser, { javaScriptEnabled: false });
  await plain.page.goto(source);
  await plain.page.getByRole("link", { name: "later lines" }).click();
  assert.match(await plain.page.getByTestId("status-shown").innerText(), /^lines 1.?001–2.?000;/);
  await plain.context.close();
});

test("a heap site leads to its line, with bytes beside the text", async () => {
  const profile = await put("heap.memprofraw", "heap.exe.gz");
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/sites?by=context`);
  await page.locator(".line-link").first().click();
  await page.waitForURL(/main\.cpp\?sel=22#L22$/);
  assert.match(
    await page.getByTestId("lines").locator("tr[aria-selected=true]").innerText(),
    /128.bytes[\s\S]*new Square/,
  );
  assert.match(await page.getByTestId("inspector").innerText(), /main/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a sampled address leads to its line; keys go from line to line", async () => {
  const profile = await put("samples.txt", "plain.exe");
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/addresses`);
  await page.getByRole("link", { name: /main\.cpp:18$/ }).click();
  await page.waitForURL(/sel=18#L18$/);
  await page.keyboard.press("n");
  await page.waitForURL(/sel=22#L22$/);
  assert.match(await page.getByTestId("inspector").innerText(), /0x401180/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a flame graph's frame leads to its file", async () => {
  const profile = await put("heap.memprofraw", "heap.exe.gz");
  const { page, context, faults } = await openPage(browser);
  await page.goto(`${profile}/flame`);
  const file = page.getByRole("menuitem", { name: "Open main.cpp" });
  const menu = async () => {
    const frame = page.locator("canvas:visible").first();
    await frame.click({ position: { x: 60, y: 30 } });
    await page.keyboard.press("m");
  };
  await until(() => file.isVisible(), menu); // the picture may not be drawn yet
  await file.click();
  await page.waitForURL(/\/files\?file=.*main\.cpp/);
  assert.match(await page.getByTestId("heaviest").innerText(), /22[\s\S]*new Square/);
  assert.deepEqual(faults, []);
  await context.close();
});

test("a directory opens and closes; all files are a list too", async () => {
  const profile = await put("ir.profraw", "ir.exe");
  const { page, context } = await openPage(browser);
  await page.goto(`${profile}/files`);
  await page.getByRole("link", { name: "lib/" }).click();
  await page.waitForURL(/open=/);
  assert.doesNotMatch(await page.getByTestId("files-table").innerText(), /shapes\.h/);
  await page.getByRole("link", { name: "List" }).click();
  await page.waitForURL(/show=list/);
  assert.match(await page.getByTestId("files-table").innerText(), /shapes\.h/);
  await context.close();
});

test("figures beside coverage fit a phone", async () => {
  const profile = await put("cov.exe.gz", "cov.profraw", "heap.exe.gz", "heap.memprofraw");
  for (const options of [
    ...looks([{}, { colorScheme: "dark" }]),
    { viewport: { width: 390, height: 800 } },
  ]) {
    const { page, context } = await openPage(browser, options);
    await page.goto(`${profile}/files/src/shapes/main.cpp?sel=22`);
    const text = page.getByTestId("lines").locator("tr[aria-selected=true] .src-text");
    assert.ok((await text.boundingBox()).width > 150);
    await accessible(page, "coverage with a heap");
    await fitsWidth(page, "coverage with a heap");
    await context.close();
  }
});

test("files and lines look as they should, in light, dark and on a phone", async () => {
  const profile = await put("heap.memprofraw", "heap.exe.gz");
  for (const options of [
    ...looks([{}, { colorScheme: "dark" }]),
    { viewport: { width: 390, height: 800 } },
  ]) {
    const { page, context } = await openPage(browser, options);
    for (const at of [
      "/files",
      "/files/src/shapes/main.cpp?sel=22",
      "/files/src/shapes/main.cpp?show=figures",
    ]) {
      await page.goto(profile + at);
      await accessible(page, at);
      await fitsWidth(page, at);
    }
    await context.close();
  }
});
