// Times the flame graph against speedscope's, of the same stacks in the same Chromium: from
// navigation to the first frames with names on the screen. Of ours also what zooming takes:
// the longest task that holds the page up, and its memory.
//
// node test/bench/flame/flame.mjs PROFILE [PROGRAM]; PROFLENS_BIN and CHROMIUM as for the browser
// tests, RUNS of each measurement, of which the median counts. speedscope comes from npm
// into a temporary folder.
import { execFileSync } from "node:child_process";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import os from "node:os";
import path from "node:path";
import { binary, startBrowser, startServer } from "../../browser/harness.mjs";
import { zooming } from "./zooming.mjs";

const runs = Number(process.env.RUNS ?? 5);
const files = process.argv.slice(2).map((file) => path.resolve(file));
if (files.length === 0) throw new Error("usage: node test/bench/flame/flame.mjs PROFILE [PROGRAM]");

const folder = await mkdtemp(path.join(os.tmpdir(), "proflens-flame-"));
const browser = await startBrowser();
try {
  const peer = await speedscope();
  const ours = { first: [], again: [] };
  const theirs = [];
  let zoomed;
  for (let run = 0; run < runs; run++) {
    const server = await startServer();
    try {
      const page = `${server.url}/p/${upload(server)}/flame`;
      ours.first.push(await firstPicture(page, ".flame-canvas")); // nobody has asked for the tree yet
      theirs.push(await firstPicture(peer.url, "canvas"));
      ours.again.push(await firstPicture(page, ".flame-canvas"));
      if (run === runs - 1) zoomed = await zooming(browser, page);
    } finally {
      await server.stop();
    }
  }
  peer.close();
  const [first, again, other] = [ours.first, ours.again, theirs].map(median);
  console.log(`${files.map((file) => path.basename(file)).join(" ")}: ${zoomed.frames} frames`);
  console.log(`first picture   ${ms(first)}, ${ms(again)} when asked again`);
  console.log(
    `speedscope      ${ms(other)}    ours: ${(first / other).toFixed(2)}×, ${(again / other).toFixed(2)}×`,
  );
  console.log(
    `${zoomed.zooms} zooms        longest task ${ms(zoomed.longest)}, heap ${(zoomed.heap / 1e6).toFixed(0)} MB`,
  );
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}

/** Sends the files as one profile, and returns its id. */
function upload(server) {
  const said = execFileSync(binary, ["upload", "-server", server.url, ...files], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return said.trim().split("/").at(-1);
}

/** Serves speedscope with the stacks as folded lines, of the one weight that ours shows. */
async function speedscope() {
  await writeFile(path.join(folder, "package.json"), "{}");
  execFileSync("npm", ["install", "--silent", "speedscope"], { cwd: folder });
  execFileSync(binary, ["export", "-f", "folded", "-o", path.join(folder, "stacks.folded"), ...files], {
    stdio: "ignore",
  });
  const release = path.join(folder, "node_modules/speedscope/dist/release");
  const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const file =
      pathname === "/stacks.folded"
        ? path.join(folder, pathname)
        : path.join(release, path.normalize(pathname));
    const found = (await stat(file).catch(() => undefined))?.isFile();
    response.writeHead(found ? 200 : 404, {
      "Content-Type": types[path.extname(file)] ?? "application/octet-stream",
    });
    response.end(found ? await readFile(file) : "");
  });
  await new Promise((resolve) => server.listen(0, "localhost", resolve));
  const at = `http://localhost:${server.address().port}`;
  return {
    url: `${at}/index.html#profileURL=${at}/stacks.folded&view=left-heavy`,
    close: () => server.close(),
  };
}

/** Milliseconds from navigation until frames with names are on the screen, without a cache. */
async function firstPicture(url, canvas) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.addInitScript((selector) => {
      const { fillText } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.fillText = function (...args) {
        fillText.apply(this, args);
        if (globalThis.painted || !this.canvas.matches(selector)) return;
        globalThis.painted = new Promise((resolve) => {
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
        });
      };
    }, canvas);
    await page.goto(url, { waitUntil: "commit" });
    await page.waitForFunction(() => globalThis.painted !== undefined, undefined, { timeout: 120_000 });
    return await page.evaluate(() => globalThis.painted);
  } finally {
    await context.close();
  }
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

function ms(value) {
  return `${value.toFixed(value < 20 ? 1 : 0)} ms`;
}
