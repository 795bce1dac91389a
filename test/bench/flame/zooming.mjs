// What zooming holds the page up for.

/** Zooms into frames here and there and out again. */
export async function zooming(browser, url, zooms = 40) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  try {
    const page = await context.newPage();
    await page.goto(url);
    await page.locator("[data-ready]").waitFor();
    const devtools = await context.newCDPSession(page);
    const canvas = page.getByTestId("flame-canvas");
    const box = await canvas.boundingBox();
    const tasks = await traced(browser, page, async () => {
      for (let i = 0; i < zooms; i++) {
        const x = box.x + box.width * ((i * 0.381966) % 1);
        await page.mouse.dblclick(x, box.y + 19 * (4.5 + (i % 4) * 4), { delay: 40 }); // as slowly as a quick hand
        await page.waitForTimeout(150);
        if (i % 4 < 3) continue;
        await canvas.press("Home");
        await page.waitForTimeout(100);
      }
    });
    await devtools.send("HeapProfiler.collectGarbage");
    const { usedSize, backingStorageSize = 0 } = await devtools.send("Runtime.getHeapUsage");
    return {
      zooms,
      frames: await frames(page),
      longest: Math.max(...tasks),
      heap: usedSize + backingStorageSize,
    };
  } finally {
    await context.close();
  }
}

/** How many frames the whole tree has. */
function frames(page) {
  return page.evaluate(async () => {
    const answer = await fetch(document.querySelector("[data-graph]").dataset.graph);
    return (await answer.json()).all_frames;
  });
}

/**
 * Milliseconds of each task of the page's main thread while something is done: of processor
 * time, where the browser knows it, since that does not count what else the machine does.
 */
async function traced(browser, page, act) {
  await browser.startTracing(page, { categories: ["toplevel", "disabled-by-default-devtools.timeline"] });
  await act();
  const { traceEvents } = JSON.parse(await browser.stopTracing());
  const mains = traceEvents.filter((e) => e.name === "thread_name" && e.args.name === "CrRendererMain");
  return traceEvents
    .filter((e) => e.name === "RunTask" && mains.some((m) => m.pid === e.pid && m.tid === e.tid))
    .map((e) => (e.tdur ?? e.dur) / 1000);
}
