// Who may come in: pages of other hosts, browsers without a token, and those who did
// not upload a profile.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import {
  accessible,
  binary,
  fitsWidth,
  fixture,
  openPage,
  put,
  startBrowser,
  startServer,
  until,
} from "./harness.mjs";

let browser;

before(async () => {
  // evil.test is a name whose owner has it point to this machine.
  browser = await startBrowser("--host-resolver-rules=MAP evil.test 127.0.0.1, MAP elsewhere.test 127.0.0.1");
});

after(() => browser?.close());

/** A token of a server's folder, made while it serves. */
const token = (server, ...args) =>
  execFileSync(binary, ["token", "add", ...args, "-data", server.data], {
    stdio: ["ignore", "pipe", "ignore"],
  })
    .toString()
    .trim();

test("a page of a host that was made to point here cannot list, read or upload", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const id = await put(server, fixture("examples/cxx-ir.profraw"));
  const port = new URL(server.url).port;
  const { page, context } = await openPage(browser);
  const evil = `http://evil.test:${port}`;
  // Whatever the page is, its origin is evil.test, and so is that of all it asks for.
  const answer = await page.goto(`${evil}/`);
  assert.equal(answer.status(), 421);
  assert.match(await answer.text(), /-host NAME/);
  const tried = await page.evaluate(async (id) => {
    const ask = async (path, init) => {
      const answer = await fetch(path, init);
      return { status: answer.status, text: await answer.text() };
    };
    const own = {
      headers: {
        "X-Forwarded-Host": "localhost",
        "X-Forwarded-For": "127.0.0.1",
        Accept: "application/json",
      },
    };
    return [
      await ask("/api/v1/profiles"),
      await ask("/api/v1/profiles", own),
      await ask(`/api/v1/profiles/${id}`, own),
      await ask(`/api/v1/profiles/${id}/original`, own),
      await ask(`/p/${id}`),
      await ask("/"),
      await ask("/x.proftext", { method: "PUT", body: "x", ...own }),
      await ask("/api/v1/profiles?filename=x", { method: "POST", body: "x", ...own }),
    ];
  }, id);
  for (const { status, text } of tried) {
    assert.equal(status, 421, text.slice(0, 200));
    assert.match(text, /wrong_host/);
    assert.ok(!text.includes(id) && !text.includes("profraw"), "nothing of the site");
  }
  const list = await (await fetch(`${server.url}/api/v1/profiles`)).json();
  assert.equal(list.total, 1, "nothing was uploaded");
  await context.close();
});

test("with -host the name is the server's", async (t) => {
  const server = await startServer("-host", "evil.test");
  t.after(() => server.stop());
  const { page, context, faults } = await openPage(browser);
  const answer = await page.goto(`http://evil.test:${new URL(server.url).port}/`);
  assert.equal(answer.status(), 200);
  assert.match(await page.locator(".terminal").innerText(), /evil\.test/);
  // What the test above tries would come through here.
  assert.equal(await page.evaluate(async () => (await fetch("/api/v1/profiles")).status), 200);
  assert.deepEqual(
    faults.filter((fault) => !/Cross-Origin-Opener-Policy/.test(fault)), // of no use without TLS
    [],
  );
  await context.close();
});

for (const javaScriptEnabled of [true, false]) {
  test(`a private server, scripts ${javaScriptEnabled ? "on" : "off"}`, async (t) => {
    const server = await startServer("-private");
    t.after(() => server.stop());
    const ci = token(server, "ci");
    const eyes = token(server, "-read", "eyes");
    const raw = await readFile(fixture("examples/cxx-ir.profraw"));
    const sent = await fetch(`${server.url}/api/v1/profiles/a.profraw`, {
      method: "PUT",
      body: raw,
      headers: { Authorization: `Bearer ${ci}` },
    });
    const { id } = await sent.json();
    const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
    const answer = await page.goto(`${server.url}/p/${id}/functions`);
    assert.equal(answer.status(), 401);
    if (javaScriptEnabled) {
      await accessible(page, "login");
      await fitsWidth(page, "login");
    }
    await page.getByLabel("Token").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("token is unknown or has expired").waitFor();
    await page.getByLabel("Token").fill(eyes);
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(/\/functions$/); // back where it was going
    await page.getByTestId("functions").waitFor();
    const cookies = await context.cookies();
    assert.deepEqual(
      cookies.filter((c) => c.name === "proflens_login").map((c) => [c.httpOnly, c.sameSite]),
      [[true, "Strict"]],
    );

    // A link on another site leads there too, though the cookie does not come along at first.
    const other = createServer((_, res) => {
      res.setHeader("Content-Type", "text/html");
      res.end(`<!doctype html><a href="${server.url}/p/${id}">look</a>`);
    });
    await new Promise((resolve) => other.listen(0, "127.0.0.1", resolve));
    await page.goto(`http://elsewhere.test:${other.address().port}/`);
    await page.getByRole("link", { name: "look" }).click();
    await page.getByTestId("tiles").waitFor();
    other.close();

    // Logging out.
    await page.goto(`${server.url}/login`);
    await page.getByTestId("login").getByRole("button", { name: "Log out" }).click();
    await page.waitForURL(/\/login$/);
    assert.equal((await page.goto(`${server.url}/p/${id}`)).status(), 401);
    assert.deepEqual(faults, []);
    await context.close();
  });
}

test("the browser that uploaded adds files without being asked; another is asked", async (t) => {
  const server = await startServer();
  t.after(() => server.stop());
  const heap = path.resolve(import.meta.dirname, "../../decode/memprof/testdata/clang-22_mem_pie");
  for (const javaScriptEnabled of [true, false]) {
    const { page, context, faults } = await openPage(browser, { javaScriptEnabled });
    await page.goto(server.url);
    await page.locator("input[type=file]").first().setInputFiles(`${heap}.memprofraw.gz`);
    if (!javaScriptEnabled) await page.getByRole("button", { name: "Upload", exact: true }).click();
    const wanted = page.getByTestId("wanted");
    await wanted.waitFor();
    const link = page.url();

    const stranger = await openPage(browser, { javaScriptEnabled });
    await stranger.page.goto(link);
    const asked = stranger.page.getByTestId("wanted");
    assert.equal(await asked.getByLabel("Delete token or upload token").inputValue(), "");
    await asked.locator("input[type=file]").setInputFiles(`${heap}.exe.gz`);
    await asked.getByRole("button", { name: "Add and decode again" }).click();
    await stranger.page.getByText("Delete token needed").first().waitFor();
    if (javaScriptEnabled) await accessible(stranger.page, "refused");
    await stranger.context.close();

    if (javaScriptEnabled) {
      await accessible(page, "heap without names");
      await page.evaluate(() => localStorage.clear()); // the cookie alone is enough
      await page.goto(link);
      assert.equal(await wanted.getByLabel("Delete token or upload token").inputValue(), "");
    }
    await wanted.locator("input[type=file]").setInputFiles(`${heap}.exe.gz`);
    await wanted.getByRole("button", { name: "Add and decode again" }).click();
    await page.waitForURL(link);
    await until(
      async () => (await page.getByTestId("wanted").count()) === 0,
      () => page.goto(link),
    );

    // So does deleting.
    await page.goto(`${link}/delete`);
    await page.getByRole("button", { name: "Delete this profile" }).click();
    await page
      .getByText(/was deleted/)
      .first()
      .waitFor();
    assert.deepEqual(faults, []);
    await context.close();
  }
});
