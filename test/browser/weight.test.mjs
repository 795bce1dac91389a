// What pages weigh: the bytes that a first visit takes, compressed, and the memory that
// scripts hold. Neither depends on how fast the machine is.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { get } from "node:http";
import path from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { fixture, startBrowser, startServer } from "./harness.mjs";

const transferred = 150_000; // bytes of a page with its styles and scripts; fonts come once for all pages
const held = 50_000_000; // bytes of the heap of a page with tables

const decoded = (name) => path.resolve(import.meta.dirname, "../../decode", name);

/** Profiles of each family; those with counters are a real program's of 9,000 functions. */
const profiles = {
  counters: [fixture("examples/libsass.profdata.zst")],
  heap: ["memprofraw.gz", "exe.gz"].map((end) => decoded(`memprof/testdata/clang-22_mem_pie.${end}`)),
  samples: [decoded("sampleprof/testdata/llvm-22/line.ext.afdo")],
  coverage: ["profdata", "exe"].map((end) => decoded(`covmap/testdata/clang-22/rules/rules.${end}`)),
  machine: ["mipmap", "0.mipraw", "1.mipraw"].map((end) => fixture(`examples/mip/counts.${end}`)),
};

let server;
let browser;
const ids = {};

async function upload(files) {
  const body = new FormData();
  for (const file of files) {
    const data = await readFile(file);
    body.append(
      "file",
      new Blob([file.endsWith(".gz") ? gunzipSync(data) : data]),
      path.basename(file, ".gz"),
    );
  }
  const answer = await fetch(`${server.url}/api/v1/profiles?wait=5m`, { method: "POST", body });
  assert.equal(answer.status, 201, files.join(" "));
  return (await answer.json()).id;
}

before(async () => {
  [server, browser] = await Promise.all([startServer(), startBrowser()]);
  for (const [name, files] of Object.entries(profiles)) ids[name] = await upload(files);
  ids.other = await upload([fixture("examples/cxx-ir.profraw")]);
});

after(async () => {
  await browser?.close();
  await server?.stop();
});

/** The body of an answer as it is sent to browsers, and as text. */
const sent = (address) =>
  new Promise((resolve, reject) => {
    const headers = { accept: "text/html,*/*", "accept-encoding": "gzip" };
    get(new URL(address, server.url), { headers }, (answer) => {
      const chunks = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const body = Buffer.concat(chunks);
        const text = answer.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
        resolve({ bytes: body.length, text: text.toString(), status: answer.statusCode });
      });
    }).on("error", reject);
  });

const statics = {}; // bytes, by address

/** Asserts that a page with its styles and scripts is light, and returns its tabs. */
async function light(address) {
  const page = await sent(address);
  assert.equal(page.status, 200, address);
  let bytes = page.bytes;
  const needed = [...page.text.matchAll(/(?:src|href)="(\/static\/[^"]+\.(?:js|css))"/g)].map((m) => m[1]);
  assert.ok(needed.length >= 2, `${address} has no scripts or no styles`);
  for (const file of new Set(needed)) bytes += statics[file] ??= (await sent(file)).bytes;
  assert.ok(bytes <= transferred, `${address}: ${bytes} bytes are sent, at most ${transferred} are wanted`);
  const tabs = page.text.match(/<nav class="tabs".*?<\/nav>/s)?.[0] ?? "";
  return [...tabs.matchAll(/href="(\/p\/[^"]+\/[^"]+)"/g)].map((m) => m[1].replaceAll("&amp;", "&"));
}

test("every kind of page is light", async () => {
  for (const address of ["/", "/compare", "/docs", "/projects", `/compare/${ids.counters}...${ids.other}`])
    await light(address);
  for (const name of Object.keys(profiles)) {
    const tabs = await light(`/p/${ids[name]}`);
    assert.ok(tabs.length > 1, `${name} has tabs`);
    for (const tab of tabs) await light(tab);
  }
  const functions = `/p/${ids.counters}/functions`;
  const list = await (await fetch(`${server.url}/api/v1/profiles/${ids.counters}/functions?limit=1`)).json();
  await light(`${functions}/${list.items[0].fid}`);
});

test("scripts hold little of large tables and of a flame graph", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Performance.enable");
  const functions = `/p/${ids.counters}/functions?limit=500`;
  const compared = `/compare/${ids.counters}...${ids.other}?limit=500`;
  for (const address of [
    functions,
    compared,
    `/p/${ids.coverage}/files/rules.c`,
    `/p/${ids.heap}/flamegraph`,
  ]) {
    await page.goto(server.url + address);
    await devtools.send("HeapProfiler.collectGarbage");
    const { metrics } = await devtools.send("Performance.getMetrics");
    const heap = metrics.find((m) => m.name === "JSHeapUsedSize").value;
    assert.ok(
      heap > 100_000 && heap <= held,
      `${address}: scripts hold ${heap} bytes, at most ${held} are wanted`,
    );
  }
  await context.close();
});
