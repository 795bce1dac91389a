// The road a user takes: drop a profile, see its functions, share the link,
// delete it.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { accessible, fitsWidth, fixture, openPage, startBrowser, startServer, until } from "./harness.mjs";

let server;
let browser;

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** Drops files on the page as a person would. */
async function drop(page, ...names) {
  const files = await Promise.all(
    names.map(async (name) => ({
      name: name.split("/").at(-1),
      base64: (await readFile(fixture(name))).toString("base64"),
    })),
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

test("drop, look, share, delete", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await drop(page, "examples/cxx-ir.profraw");
  await page.getByTestId("tiles").waitFor(); // it opens by itself
  const token = await page.getByTestId("delete-token").innerText();
  assert.ok(token.length >= 26, "128 random bits in base32");
  const link = page.url();
  assert.match(link, /\/p\/[a-z2-7]{26}$/);
  await page
    .getByTestId("tabs")
    .getByRole("link", { name: /Functions/ })
    .click();
  await page.waitForURL(/\/functions$/);
  await page.waitForLoadState();
  const table = page.getByTestId("functions");
  const rows = await table.locator("tbody tr").count();
  assert.ok(rows > 10, `${rows} functions`);

  // Sort, by the column's own link, and the address keeps it.
  await table
    .getByRole("columnheader")
    .getByRole("link", { name: /Maximum/ })
    .click();
  await page.waitForURL(/sort=-max/);
  await page.waitForLoadState();
  assert.equal(await page.locator("th[aria-sort=descending]").count(), 1);
  const counts = await table.locator("tbody tr").evaluateAll((list) => list.length);
  assert.equal(counts, rows);

  // Filter by a demangled name.
  await page.locator("input[name=q]").first().fill("push_BACK");
  await page.locator("input[name=q]").first().press("Enter");
  await page.waitForURL(/q=push_BACK/);
  await page.waitForLoadState();
  const names = await table.locator("tbody tr th").allInnerTexts();
  assert.ok(
    names.length > 0 && names.every((n) => /push_back/.test(n.replaceAll(/\s/g, ""))),
    names.join(", "),
  );

  // Open the function; its counters are there and one of them is the maximum.
  await table.locator("a[data-open]").first().click();
  await page.waitForURL(/\/functions\/[0-9a-f]{16}/);
  await page.getByTestId("counters").first().waitFor();
  await accessible(page, "function page");
  const shared = page.url();

  // The link opens the same in a clean browser.
  const other = await openPage(browser);
  await other.page.goto(shared);
  assert.equal(await other.page.title(), await page.title());
  assert.equal(await other.page.getByTestId("delete-token").count(), 0, "the token is shown once");
  await other.context.close();

  // Delete with the token; afterwards the link says so.
  const gone = await context.request.delete(`${server.url}/api/v1/profiles/${link.split("/p/")[1]}`, {
    headers: { "X-Delete-Token": token },
  });
  assert.ok(gone.ok(), `DELETE answered ${gone.status()}`);
  const answer = await page.goto(link);
  assert.equal(answer.status(), 410);
  assert.match(await page.locator("main").innerText(), /deleted/i);
  await accessible(page, "deleted profile");
  assert.deepEqual(faults, []);
  await context.close();
});

test("deleting in the browser that uploaded", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await drop(page, "examples/rust-ir.profraw");
  await page.getByTestId("tiles").waitFor();
  await page.goto(server.url);
  const mine = page.getByTestId("mine");
  await mine.getByText("rust-ir.profraw").first().waitFor();
  await mine
    .getByRole("button", { name: /delete/i })
    .first()
    .click();
  await page.getByRole("button", { name: "Delete for everyone" }).click();
  await page.waitForFunction(
    () => !/ready/.test(document.querySelector("[data-testid=mine]")?.innerText ?? ""),
  );
  assert.deepEqual(faults, []);
  await context.close();
});

test("several files are grouped by what they are, and the groups can be changed", async () => {
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await drop(page, "examples/cxx-ir.profraw", "examples/rust-ir.profraw", "examples/cxx-front-end.profdata");
  await page.getByTestId("upload-group").nth(2).waitFor();
  assert.match(
    await page.getByTestId("upload-file").first().innerText(),
    /LLVM raw v10, 64-bit, little-endian, IR/,
  );
  await accessible(page, "files before they are sent");
  await page.getByRole("button", { name: "All in one" }).click();
  assert.equal(await page.getByTestId("upload-group").count(), 1);
  await page.getByRole("button", { name: "As recognised" }).click();
  await page.getByRole("button", { name: "Upload 3 profiles" }).click();
  await page.getByTestId("open-profile").nth(2).waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("a broken file is kept and shown with what is wrong", async () => {
  const whole = await readFile(fixture("examples/cxx-ir.profraw"));
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({
      name: "cut.profraw",
      mimeType: "application/octet-stream",
      buffer: whole.subarray(0, 200),
    });
  await page.getByRole("button", { name: "Upload", exact: true }).click();
  await page.getByTestId("open-profile").click();
  const failure = page.getByTestId("failure");
  await failure.waitFor();
  const text = await failure.innerText();
  assert.match(text, /0x[0-9a-f]+/i, "the offset");
  assert.match(text, /expected/i);
  assert.match(text, /found/i);
  await accessible(page, "failed profile");
  await fitsWidth(page, "failed profile");
  assert.deepEqual(faults, []);
  await context.close();
});

test("an archive that ends too early is kept with its token", async () => {
  const whole = gzipSync(await readFile(fixture("examples/cxx-ir.profraw")));
  const { page, context, faults } = await openPage(browser);
  await page.goto(server.url);
  await page
    .locator("input[type=file]")
    .first()
    .setInputFiles({ name: "cut.profraw.gz", mimeType: "application/gzip", buffer: whole.subarray(0, 900) });
  await page.getByTestId("delete-token").waitFor();
  await page.getByTestId("open-profile").click();
  await page.getByTestId("failure").waitFor();
  assert.deepEqual(faults, []);
  await context.close();
});

test("with scripts off the form, the sort, the filter and the function work", async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(server.url);
  await page.locator("input[type=file]").first().setInputFiles(fixture("examples/cxx-front-end.profdata"));
  await page.getByRole("button", { name: "Upload" }).click();
  await page.waitForURL(/\/p\/[a-z2-7]{26}/);
  await until(
    async () => (await page.getByTestId("tiles").count()) > 0,
    () => page.reload(),
  );
  await page
    .getByTestId("tabs")
    .getByRole("link", { name: /Functions/ })
    .click();
  await page
    .getByTestId("functions")
    .getByRole("columnheader")
    .getByRole("link", { name: /Counters/ })
    .click();
  await page.waitForURL(/sort=-counters/);
  await page.locator("input[name=q]").first().fill("parse");
  await page.locator("input[name=q]").first().press("Enter");
  await page.waitForURL(/q=parse/);
  await page.getByTestId("functions").locator("tbody tr th a").first().click();
  await page.waitForURL(/\/functions\/[0-9a-f]{16}/);
  assert.ok((await page.getByTestId("counters").count()) > 0);
  await context.close();
});
